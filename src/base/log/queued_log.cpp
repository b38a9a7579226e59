#include "base/log/queued_log.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace heddle {

namespace {

constexpr std::chrono::seconds kFlushTimeout{1};

// Owns the texts of a message.
struct QueuedMessage {
  LogMessage message;
  std::string text;
  std::string job;
  std::string run;

  [[nodiscard]] LogMessage view() const {
    LogMessage whole = message;
    whole.text = text;
    whole.about = {job, run};
    return whole;
  }
};

QueuedMessage owned(const LogMessage& message) {
  return {message, std::string(message.text), std::string(message.about.job),
          std::string(message.about.run)};
}

std::string left_out(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " message was" : " messages were") +
         " dropped here: the output was not read in time";
}

}  // namespace

// Shared with the thread, which may outlive the log.
struct QueuedLog::State {
  State(std::shared_ptr<Log> next_log, std::size_t max) : next(std::move(next_log)), limit(max) {}

  const std::shared_ptr<Log> next;
  const std::size_t limit;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<QueuedMessage> waiting;
  std::size_t dropped = 0;
  bool is_writing = false;
  bool is_ending = false;

  [[nodiscard]] bool is_empty() const { return waiting.empty() && dropped == 0; }

  // Dropped messages came after all queued ones and before all later ones.
  QueuedMessage take() {
    if (waiting.empty()) {
      const std::string text = left_out(std::exchange(dropped, 0));
      return owned({.level = LogLevel::warning, .text = text});
    }
    QueuedMessage first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  }

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return is_ending || !is_empty(); });
      if (is_empty()) return;
      const QueuedMessage message = take();
      is_writing = true;
      lock.unlock();
      next->write(message.view());
      lock.lock();
      is_writing = false;
      changed.notify_all();
    }
  }
};

QueuedLog::QueuedLog(std::shared_ptr<Log> next, std::size_t max_messages)
    : state_(std::make_shared<State>(std::move(next), max_messages)) {
  std::thread([state = state_] { state->work(); }).detach();
}

QueuedLog::~QueuedLog() {
  std::unique_lock lock(state_->mutex);
  state_->is_ending = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kFlushTimeout,
                           [this] { return state_->is_empty() && !state_->is_writing; });
}

void QueuedLog::write(const LogMessage& message) {
  {
    const std::lock_guard lock(state_->mutex);
    // After the first dropped message all are dropped until the queue is empty: keeps the order.
    if (state_->dropped > 0 || state_->waiting.size() >= state_->limit) {
      ++state_->dropped;
      return;
    }
    state_->waiting.push_back(owned(message));
  }
  state_->changed.notify_all();
}

}  // namespace heddle
