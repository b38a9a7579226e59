// Hands messages on to another log on a thread of its own, so that a terminal or pipe that nobody
// reads never holds up an event loop. Keeps a bounded number; what comes on top is counted and
// told. Thread-safe.
#pragma once

#include <cstddef>
#include <memory>

#include "base/log.hpp"

namespace heddle {

class QueuedLog final : public Log {
 public:
  explicit QueuedLog(std::shared_ptr<Log> next, std::size_t max_messages = 10'000);
  // Waits up to a second for what is still queued. A thread that is stuck in `next` is left behind.
  ~QueuedLog() override;
  QueuedLog(const QueuedLog&) = delete;
  QueuedLog& operator=(const QueuedLog&) = delete;

  void write(LogLevel level, std::string_view message) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace heddle
