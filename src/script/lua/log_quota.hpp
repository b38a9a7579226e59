// LogQuota limits the lines and bytes that one script call writes to the live log. Pure.
#pragma once

#include <cstddef>

namespace heddle::script {

class LogQuota {
 public:
  static constexpr std::size_t kMaxLines = 1000;
  static constexpr std::size_t kMaxBytes = 1'000'000;

  // Whether this line fits the quota; counts it as dropped if not.
  bool admit(std::size_t bytes) {
    if (lines_ < kMaxLines && bytes_ + bytes <= kMaxBytes) {
      ++lines_;
      bytes_ += bytes;
      return true;
    }
    ++dropped_;
    return false;
  }
  // Starts a new quota of lines.
  void reset_lines() { lines_ = 0; }

  [[nodiscard]] std::size_t dropped() const { return dropped_; }

 private:
  std::size_t lines_ = 0;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace heddle::script
