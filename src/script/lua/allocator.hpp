// A VM's memory: counted, and refused beyond a limit. Lua turns a refusal into an ordinary error.
// Lives as long as its VM, on the VM's thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::script {

class Allocator {
 public:
  // Told when the VM's big blocks grew or memory was refused: moments after which single
  // instructions may cost much more than usual. Must not allocate from this allocator.
  using Alarm = void (*)(void* data);

  explicit Allocator(std::size_t limit) : limit_(limit) {}

  // lua_Alloc; `self` is the Allocator.
  static void* reallocate(void* self, void* block, std::size_t old_size, std::size_t new_size);

  void set_alarm(Alarm alarm, void* data) {
    alarm_ = alarm;
    alarm_data_ = data;
  }
  [[nodiscard]] std::size_t used() const { return used_; }
  // In blocks of a megabyte and more: what one instruction may have to walk through.
  [[nodiscard]] std::size_t big_bytes() const { return big_bytes_; }

  // For tests: the nth request for memory from now on fails, and, if sticky, all after it.
  void fail_at(std::uint64_t nth, bool is_sticky) {
    requests_until_failure_ = nth;
    is_failure_sticky_ = is_sticky;
  }
  void never_fail() { requests_until_failure_ = 0; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }

 private:
  void* resize(void* block, std::size_t old_size, std::size_t new_size);
  [[nodiscard]] bool may_grow(std::size_t by);
  bool is_chosen_to_fail();
  void account(std::size_t old_size, std::size_t new_size);
  void sound_alarm();

  std::size_t limit_;
  std::size_t used_ = 0;
  std::size_t big_bytes_ = 0;
  Alarm alarm_ = nullptr;
  void* alarm_data_ = nullptr;
  std::uint64_t requests_ = 0;
  std::uint64_t requests_until_failure_ = 0;  // 0: none is to fail
  bool is_failure_sticky_ = false;
};

}  // namespace heddle::script
