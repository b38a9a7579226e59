// How much one call of a script may say in the live log, which others read too. Pure.
#pragma once

#include <cstddef>

namespace heddle::script {

class LogAllowance {
 public:
  static constexpr std::size_t kMaxLines = 1000;
  static constexpr std::size_t kMaxBytes = 1'000'000;

  // Whether this line may still be shown; if not, it is counted.
  bool take(std::size_t bytes) {
    if (lines_ < kMaxLines && bytes_ + bytes <= kMaxBytes) {
      ++lines_;
      bytes_ += bytes;
      return true;
    }
    ++left_out_;
    return false;
  }
  // A new piece of work, with as many lines again.
  void renew_lines() { lines_ = 0; }

  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  std::size_t lines_ = 0;
  std::size_t bytes_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace heddle::script
