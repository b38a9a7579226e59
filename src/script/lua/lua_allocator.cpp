#include "script/lua/lua_allocator.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace heddle::script {
namespace {

constexpr std::size_t kBigBlock = 1 << 20;
constexpr std::size_t kLargerBlock = 1 << 17;

// Sanitizers check single blocks only when each comes from the system.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasPool = false;
#else
constexpr bool kHasPool = true;
#endif

constexpr bool is_pooled(std::size_t size) {
  return kHasPool && SmallBlockPool::is_small(size);
}

// The bytes of a block of this size that come directly from the system.
std::size_t system_part(std::size_t size) {
  return is_pooled(size) ? 0 : size;
}

std::size_t big(std::size_t size) {
  return size >= kBigBlock ? size : 0;
}

}  // namespace

void* LuaAllocator::reallocate(void* self, void* block, std::size_t old_size,
                               std::size_t new_size) {
  // For a new block Lua passes the kind of object as the old size.
  return static_cast<LuaAllocator*>(self)->resize(block, block == nullptr ? 0 : old_size, new_size);
}

void* LuaAllocator::resize(void* block, std::size_t old_size, std::size_t new_size) {
  if (new_size == 0) {
    release(block, old_size);
    account(old_size, 0);
    return nullptr;
  }
  // Lua relies on shrinking never failing.
  if (new_size > old_size && !may_grow(old_size, new_size)) {
    if (observer_ != nullptr) observer_->on_pressure();
    return nullptr;
  }
  void* moved = move(block, old_size, new_size);
  if (moved == nullptr) {
    if (new_size > old_size) return nullptr;
    if (is_pooled(old_size) == is_pooled(new_size)) return block;
    std::abort();  // the system is out of memory, and Lua relies on this never failing
  }
  account(old_size, new_size);
  return moved;
}

void LuaAllocator::release(void* block, std::size_t size) {
  if (block == nullptr || size == 0) return;
  if (is_pooled(size))
    small_.release(block);
  else
    std::free(block);
}

// realloc() for blocks of the pool and of the system. A failure leaves the old block unchanged.
void* LuaAllocator::move(void* block, std::size_t old_size, std::size_t new_size) {
  const bool was_pooled = old_size > 0 && is_pooled(old_size);
  const bool is_to_be_pooled = is_pooled(new_size);
  if (!was_pooled && !is_to_be_pooled) return std::realloc(block, new_size);
  if (was_pooled && is_to_be_pooled && SmallBlockPool::is_same_kind(old_size, new_size))
    return block;
  void* moved = is_to_be_pooled ? small_.allocate(new_size) : std::malloc(new_size);
  if (moved == nullptr || block == nullptr) return moved;
  std::memcpy(moved, block, std::min(old_size, new_size));
  release(block, old_size);
  return moved;
}

bool LuaAllocator::may_grow(std::size_t old_size, std::size_t new_size) {
  ++requests_;
  if (failures_left_ != 0 && should_fail_request()) return false;
  const std::size_t growth =
      is_pooled(new_size) ? small_.growth_for(new_size) : new_size - system_part(old_size);
  const std::size_t held = held_bytes();
  if (growth > limit_ || held > limit_ - growth) return false;
  return new_size < kLargerBlock || observer_ == nullptr || observer_->may_continue();
}

bool LuaAllocator::should_fail_request() {
  if (requests_until_failure_ > 1) {
    --requests_until_failure_;
    return false;
  }
  --failures_left_;
  return true;
}

void LuaAllocator::account(std::size_t old_size, std::size_t new_size) {
  used_ = used_ - old_size + new_size;
  large_bytes_ = large_bytes_ - system_part(old_size) + system_part(new_size);
  if (new_size < kBigBlock && old_size < kBigBlock) return;
  big_bytes_ = big_bytes_ - big(old_size) + big(new_size);
  if (big(new_size) > big(old_size) && observer_ != nullptr) observer_->on_pressure();
}

}  // namespace heddle::script
