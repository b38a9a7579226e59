// NodeMemo caches the matcher's results per node during one select: a small hash map without
// removal. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "html/document.hpp"

namespace heddle::html {

class NodeMemo {
 public:
  struct Entry {
    std::uint64_t key = kFree;
    NodeId node = kNoNode;
    std::uint32_t number = 0;
  };

  // The entry of (owner, kind, node), fresh when new. Valid until the next call.
  Entry& at(std::uint32_t owner, std::uint32_t kind, NodeId node) {
    if (used_ * 2 >= entries_.size()) grow();
    const std::uint64_t key = std::uint64_t{owner} << 50U | std::uint64_t{kind} << 32U | node;
    Entry& entry = find(key);
    if (entry.key == kFree) {
      entry.key = key;
      ++used_;
    }
    return entry;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  Entry& find(std::uint64_t key) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = (key * 0x9E3779B97F4A7C15U >> 32U) & mask;
    while (entries_[slot].key != kFree && entries_[slot].key != key) slot = (slot + 1) & mask;
    return entries_[slot];
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.key != kFree) find(entry.key) = entry;
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace heddle::html
