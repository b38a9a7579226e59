// Memory for small blocks, kept in lists by size: Lua makes and drops tables and strings by the
// million, and the general allocator would spend more time on them than the scripts. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

namespace heddle::script {

// What it took stays with it until it is destroyed.
class SmallBlocks {
 public:
  static constexpr std::size_t kLargest = 256;

  // nullptr when the system has no more. `size` is 1 to kLargest.
  void* take(std::size_t size) {
    Free*& list = lists_[index(size)];
    if (list == nullptr && !refill(list, rounded(size))) return nullptr;
    Free* block = list;
    list = block->next;
    return block;
  }

  void give_back(void* block, std::size_t size) {
    Free*& list = lists_[index(size)];
    auto* head = static_cast<Free*>(block);
    head->next = list;
    list = head;
  }

  static constexpr bool is_small(std::size_t size) { return size <= kLargest; }
  // Blocks of both sizes are interchangeable.
  static constexpr bool is_same_kind(std::size_t a, std::size_t b) { return index(a) == index(b); }

 private:
  struct Free {
    Free* next;
  };
  struct FreeChunk {
    void operator()(void* chunk) const { std::free(chunk); }
  };

  static constexpr std::size_t kStep = 16;
  static constexpr std::size_t kChunkBytes = 16 * 1024;

  static constexpr std::size_t index(std::size_t size) { return (size - 1) / kStep; }
  static constexpr std::size_t rounded(std::size_t size) { return (index(size) + 1) * kStep; }

  bool refill(Free*& list, std::size_t size) {
    std::unique_ptr<void, FreeChunk> chunk(std::malloc(kChunkBytes));
    if (chunk == nullptr) return false;
    auto* bytes = static_cast<std::byte*>(chunk.get());
    for (std::size_t at = kChunkBytes / size; at > 0; --at) {
      auto* block = reinterpret_cast<Free*>(bytes + (at - 1) * size);
      block->next = list;
      list = block;
    }
    chunks_.push_back(std::move(chunk));
    return true;
  }

  std::array<Free*, kLargest / kStep> lists_{};
  std::vector<std::unique_ptr<void, FreeChunk>> chunks_;
};

}  // namespace heddle::script
