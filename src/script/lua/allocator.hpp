// A VM's memory: counted, and refused beyond a limit. Lua turns a refusal into an ordinary error.
// Lives as long as its VM, on the VM's thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "script/lua/small_blocks.hpp"

namespace heddle::script {

class Allocator {
 public:
  // Whoever watches over the time that is spent. Must not allocate from this allocator.
  class Watch {
   public:
    virtual ~Watch() = default;
    // The VM's big blocks grew, or memory was refused: moments after which single instructions may
    // cost much more than usual.
    virtual void on_pressure() = 0;
    // Asked before a larger block is given. Lua has loops of its own that only end when it can have
    // no more stack, such as a table that is its own __call.
    virtual bool may_go_on() = 0;
  };

  explicit Allocator(std::size_t limit) : limit_(limit) {}

  // lua_Alloc; `self` is the Allocator.
  static void* reallocate(void* self, void* block, std::size_t old_size, std::size_t new_size);

  void set_watch(Watch* watch) { watch_ = watch; }
  [[nodiscard]] std::size_t used() const { return used_; }
  // Of the system's memory, with what lies free between used blocks: the limit is for this.
  [[nodiscard]] std::size_t held_bytes() const { return small_.held_bytes() + large_bytes_; }
  // In blocks of a megabyte and more: what one instruction may have to walk through.
  [[nodiscard]] std::size_t big_bytes() const { return big_bytes_; }

  // For tests: the nth request for memory from now on fails, and `times` - 1 after it. Lua asks
  // twice before it gives up, with a collection in between.
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
  bool is_chosen_to_fail();
  void account(std::size_t old_size, std::size_t new_size);

  SmallBlocks small_;
  std::size_t limit_;
  std::size_t used_ = 0;
  std::size_t large_bytes_ = 0;
  std::size_t big_bytes_ = 0;
  Watch* watch_ = nullptr;
  std::uint64_t requests_ = 0;
  std::uint64_t requests_until_failure_ = 0;
  std::uint64_t failures_left_ = 0;
};

}  // namespace heddle::script
