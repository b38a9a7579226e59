#include "script/lua/allocator.hpp"

#include <cstdlib>

namespace heddle::script {
namespace {

constexpr std::size_t kBigBlock = 1 << 20;

std::size_t big(std::size_t size) {
  return size >= kBigBlock ? size : 0;
}

}  // namespace

void* Allocator::reallocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  // For a new block Lua passes the kind of object where the old size would stand.
  return static_cast<Allocator*>(self)->resize(block, block == nullptr ? 0 : old_size, new_size);
}

void* Allocator::resize(void* block, std::size_t old_size, std::size_t new_size) {
  if (new_size == 0) {
    std::free(block);
    account(old_size, 0);
    return nullptr;
  }
  // Lua relies on shrinking never failing.
  if (new_size > old_size && !may_grow(new_size - old_size)) {
    sound_alarm();
    return nullptr;
  }
  void* moved = std::realloc(block, new_size);
  if (moved == nullptr) return new_size <= old_size ? block : nullptr;
  account(old_size, new_size);
  return moved;
}

bool Allocator::may_grow(std::size_t by) {
  ++requests_;
  if (requests_until_failure_ != 0 && is_chosen_to_fail()) return false;
  return by <= limit_ && used_ <= limit_ - by;
}

bool Allocator::is_chosen_to_fail() {
  if (requests_until_failure_ > 1) {
    --requests_until_failure_;
    return false;
  }
  if (!is_failure_sticky_) requests_until_failure_ = 0;
  return true;
}

void Allocator::account(std::size_t old_size, std::size_t new_size) {
  used_ = used_ - old_size + new_size;
  if (new_size < kBigBlock && old_size < kBigBlock) return;
  big_bytes_ = big_bytes_ - big(old_size) + big(new_size);
  if (big(new_size) > big(old_size)) sound_alarm();
}

void Allocator::sound_alarm() {
  if (alarm_ != nullptr) alarm_(alarm_data_);
}

}  // namespace heddle::script
