// Drops the file capabilities of this thread while in scope, so that file permissions apply to root
// as well.
#pragma once

#include <cstdint>
#include <stdexcept>

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::testing {

class UnprivilegedScope {
 public:
  UnprivilegedScope() {
    get(before_);
    __user_cap_data_struct less[2] = {before_[0], before_[1]};
    less[0].effective &= ~((1u << CAP_DAC_OVERRIDE) | (1u << CAP_DAC_READ_SEARCH));
    set(less);
  }
  ~UnprivilegedScope() { (void)syscall(SYS_capset, &head_, before_); }
  UnprivilegedScope(const UnprivilegedScope&) = delete;
  UnprivilegedScope& operator=(const UnprivilegedScope&) = delete;

 private:
  void get(__user_cap_data_struct* data) {
    if (syscall(SYS_capget, &head_, data) != 0) throw std::runtime_error("capget failed");
  }
  void set(__user_cap_data_struct* data) {
    if (syscall(SYS_capset, &head_, data) != 0) throw std::runtime_error("capset failed");
  }

  __user_cap_header_struct head_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2] = {};
};

}  // namespace heddle::testing
