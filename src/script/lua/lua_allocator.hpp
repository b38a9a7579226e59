// LuaAllocator counts a VM's memory and refuses requests beyond a limit, which Lua turns into an
// ordinary error. Owned by its Vm; used on the VM's thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "script/lua/small_block_pool.hpp"

namespace heddle::script {

class LuaAllocator {
 public:
  // Checks the time budget. Must not allocate from this allocator.
  class Observer {
   public:
    virtual ~Observer() = default;
    // The VM's big blocks grew, or memory was refused: single instructions may now cost much more.
    virtual void on_pressure() = 0;
    // Called before a larger block is allocated; false refuses it. Some loops inside Lua end only
    // when the stack cannot grow, such as a table that is its own __call.
    virtual bool may_continue() = 0;
  };

  explicit LuaAllocator(std::size_t limit) : limit_(limit) {}

  // lua_Alloc; `self` is the LuaAllocator.
  static void* reallocate(void* self, void* block, std::size_t old_size, std::size_t new_size);

  void set_observer(Observer* observer) { observer_ = observer; }
  [[nodiscard]] std::size_t used() const { return used_; }
  // Memory taken from the system, fragmentation included: the limit applies to this.
  [[nodiscard]] std::size_t held_bytes() const { return small_.held_bytes() + large_bytes_; }
  // In blocks of a megabyte and more, which one instruction may have to scan.
  [[nodiscard]] std::size_t big_bytes() const { return big_bytes_; }

  // For tests: the nth request from now on fails, and `times` - 1 after it. Lua tries twice before
  // it gives up, with a collection in between.
  void fail_at(std::uint64_t nth, std::uint64_t times) {
    requests_until_failure_ = nth;
    failures_left_ = times;
  }
  void never_fail() { failures_left_ = 0; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }

 private:
  void* resize(void* block, std::size_t old_size, std::size_t new_size);
  void* move(void* block, std::size_t old_size, std::size_t new_size);
  void release(void* block, std::size_t size);
  [[nodiscard]] bool may_grow(std::size_t old_size, std::size_t new_size);
  bool should_fail_request();
  void account(std::size_t old_size, std::size_t new_size);

  SmallBlockPool small_;
  std::size_t limit_;
  std::size_t used_ = 0;
  std::size_t large_bytes_ = 0;
  std::size_t big_bytes_ = 0;
  Observer* observer_ = nullptr;
  std::uint64_t requests_ = 0;
  std::uint64_t requests_until_failure_ = 0;
  std::uint64_t failures_left_ = 0;
};

}  // namespace heddle::script
