// SmallBlockPool allocates small blocks by size class. Lua creates tables and strings by the
// million, for which malloc would take longer than the scripts. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>

namespace heddle::script {

// Blocks come from chunks, each for one size. A chunk is freed with its last block, so that the
// memory held follows the memory used, whatever sizes were used before.
class SmallBlockPool {
 public:
  static constexpr std::size_t kLargest = 256;
  static constexpr std::size_t kChunkBytes = 4096;

  SmallBlockPool() = default;
  ~SmallBlockPool();
  SmallBlockPool(const SmallBlockPool&) = delete;
  SmallBlockPool& operator=(const SmallBlockPool&) = delete;

  // nullptr when the system is out of memory. `size` is 1 to kLargest.
  void* allocate(std::size_t size) {
    Chunk* chunk = open_[index(size)];
    if (chunk == nullptr && (chunk = add_chunk(size)) == nullptr) return nullptr;
    Free* block = chunk->free;
    chunk->free = block->next;
    ++chunk->taken;
    if (chunk->free == nullptr) unlink(*chunk);
    return block;
  }

  void release(void* address) {
    Chunk& chunk = chunk_of(address);
    auto* block = static_cast<Free*>(address);
    if (chunk.free == nullptr) link(chunk);
    block->next = chunk.free;
    chunk.free = block;
    if (--chunk.taken == 0) drop_if_spare(chunk);
  }

  static constexpr bool is_small(std::size_t size) { return size <= kLargest; }
  // Whether both sizes are in the same size class.
  static constexpr bool is_same_kind(std::size_t a, std::size_t b) { return index(a) == index(b); }

  // The bytes that allocate(size) would take from the system.
  [[nodiscard]] std::size_t growth_for(std::size_t size) const {
    return open_[index(size)] == nullptr ? kChunkBytes : 0;
  }
  // Bytes taken from the system.
  [[nodiscard]] std::size_t held_bytes() const { return held_bytes_; }

 private:
  struct Free {
    Free* next;
  };
  // At the start of its memory, which is aligned so that blocks find it.
  struct alignas(16) Chunk {
    Chunk* previous;  // among those of its size with free blocks
    Chunk* next;
    Free* free;
    unsigned taken;
    unsigned kind;
  };

  static constexpr std::size_t kStep = 16;

  static constexpr std::size_t index(std::size_t size) { return (size - 1) / kStep; }
  static Chunk& chunk_of(void* address);

  Chunk* add_chunk(std::size_t size);
  void drop_if_spare(Chunk& chunk);
  void link(Chunk& chunk) {
    Chunk*& first = open_[chunk.kind];
    chunk.previous = nullptr;
    chunk.next = first;
    if (first != nullptr) first->previous = &chunk;
    first = &chunk;
  }
  void unlink(Chunk& chunk) {
    (chunk.previous != nullptr ? chunk.previous->next : open_[chunk.kind]) = chunk.next;
    if (chunk.next != nullptr) chunk.next->previous = chunk.previous;
  }

  std::array<Chunk*, kLargest / kStep> open_{};  // chunks with free blocks, by size
  std::size_t held_bytes_ = 0;
};

}  // namespace heddle::script
