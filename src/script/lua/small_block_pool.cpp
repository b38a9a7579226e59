#include "script/lua/small_block_pool.hpp"

#include <cstdint>
#include <cstdlib>

namespace heddle::script {

// All blocks have been released: only spare chunks are left.
SmallBlockPool::~SmallBlockPool() {
  for (Chunk* chunk : open_) {
    while (chunk != nullptr) {
      Chunk* next = chunk->next;
      std::free(chunk);
      chunk = next;
    }
  }
}

SmallBlockPool::Chunk& SmallBlockPool::chunk_of(void* address) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) % kChunkBytes;
  return *reinterpret_cast<Chunk*>(static_cast<std::byte*>(address) - offset);
}

SmallBlockPool::Chunk* SmallBlockPool::add_chunk(std::size_t size) {
  void* memory = std::aligned_alloc(kChunkBytes, kChunkBytes);
  if (memory == nullptr) return nullptr;
  auto* chunk = static_cast<Chunk*>(memory);
  *chunk = {nullptr, nullptr, nullptr, 0, static_cast<unsigned>(index(size))};
  const std::size_t block_size = (index(size) + 1) * kStep;
  const std::size_t count = (kChunkBytes - sizeof(Chunk)) / block_size;
  auto* blocks = static_cast<std::byte*>(memory) + sizeof(Chunk);
  for (std::size_t at = count; at > 0; --at) {
    auto* block = reinterpret_cast<Free*>(blocks + (at - 1) * block_size);
    block->next = chunk->free;
    chunk->free = block;
  }
  link(*chunk);
  held_bytes_ += kChunkBytes;
  return chunk;
}

// Keeps the last chunk of a size with free blocks: a VM that allocates and releases one block
// repeatedly must not call the system each time.
void SmallBlockPool::drop_if_spare(Chunk& chunk) {
  if (chunk.previous == nullptr && chunk.next == nullptr) return;
  unlink(chunk);
  held_bytes_ -= kChunkBytes;
  std::free(&chunk);
}

}  // namespace heddle::script
