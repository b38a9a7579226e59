// A log that keeps every message for tests. Thread-safe.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/log/log.hpp"

namespace heddle::testing {

class RecordingLog final : public Log {
 public:
  void write(const LogMessage& message) override {
    const std::lock_guard lock(mutex_);
    text_.append(message.text).append("\n");
  }
  [[nodiscard]] bool contains(std::string_view what) const {
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
