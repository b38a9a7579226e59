// TextArena stores decoded text at fixed addresses until the page is parsed. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace heddle::html::parser {

class TextArena {
 public:
  std::string_view store(std::string_view text) {
    if (text.size() > free_bytes_) add_block(text.size());
    char* const copy = next_;
    std::memcpy(copy, text.data(), text.size());
    next_ += text.size();
    free_bytes_ -= text.size();
    return {copy, text.size()};
  }

  // Drops all texts, but keeps a block for the next page.
  void clear() {
    if (blocks_.size() > 1) blocks_.resize(1);
    if (blocks_.empty()) return;
    next_ = blocks_.front().get();
    free_bytes_ = kBlockBytes;
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{32} << 10U;

  // A large text gets a block of its own; the first block is always of the usual size.
  void add_block(std::size_t wanted) {
    const bool is_large = wanted > kBlockBytes;
    if (blocks_.empty() && is_large) blocks_.push_back(new_block(kBlockBytes));
    free_bytes_ = is_large ? wanted : kBlockBytes;
    blocks_.push_back(new_block(free_bytes_));
    next_ = blocks_.back().get();
  }

  static std::unique_ptr<char[]> new_block(std::size_t bytes) {
    return std::unique_ptr<char[]>(new char[bytes]);  // unlike make_unique, does not zero it
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t free_bytes_ = 0;
};

}  // namespace heddle::html::parser
