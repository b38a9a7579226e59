// Forwards messages to another log on its own thread, so that a blocked terminal or pipe never
// blocks an event loop. The queue is bounded: it drops further messages and logs their number.
// Thread-safe.
#pragma once

#include <cstddef>
#include <memory>

#include "base/log/log.hpp"

namespace heddle {

class QueuedLog final : public Log {
 public:
  explicit QueuedLog(std::shared_ptr<Log> next, std::size_t max_messages = 10'000);
  // Waits up to a second for the queue to drain. A thread that blocks in `next` is abandoned.
  ~QueuedLog() override;
  QueuedLog(const QueuedLog&) = delete;
  QueuedLog& operator=(const QueuedLog&) = delete;

  void write(const LogMessage& message) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace heddle
