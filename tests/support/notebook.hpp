// A log that tests read.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/log.hpp"

namespace heddle::testing {

// Keeps every line.
class Notebook final : public Log {
 public:
  void write(LogLevel /*level*/, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    text_.append(message).append("\n");
  }
  [[nodiscard]] bool says(std::string_view what) const {
    const std::lock_guard lock(mutex_);
    return text_.find(what) != std::string::npos;
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace heddle::testing
