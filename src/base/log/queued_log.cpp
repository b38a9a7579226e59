#include "base/log/queued_log.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace heddle {

namespace {

constexpr std::chrono::seconds kFlushTimeout{1};

struct Message {
  LogLevel level;
  std::string text;
};

std::string left_out(std::size_t count) {
  return std::to_string(count) + " messages were left out here: nobody read them in time";
}

}  // namespace

// Shared with the thread, which may outlive the log.
struct QueuedLog::State {
  State(std::shared_ptr<Log> next_log, std::size_t max) : next(std::move(next_log)), limit(max) {}

  const std::shared_ptr<Log> next;
  const std::size_t limit;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Message> waiting;
  std::size_t dropped = 0;
  bool is_writing = false;
  bool is_ending = false;

  [[nodiscard]] bool is_empty() const { return waiting.empty() && dropped == 0; }

  // Dropped messages came after all queued ones and before all later ones.
  Message take() {
    Message message{LogLevel::warning, {}};
    if (waiting.empty()) {
      message.text = left_out(dropped);
      dropped = 0;
      return message;
    }
    message = std::move(waiting.front());
    waiting.pop_front();
    return message;
  }

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return is_ending || !is_empty(); });
      if (is_empty()) return;
      const Message message = take();
      is_writing = true;
      lock.unlock();
      next->write(message.level, message.text);
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

void QueuedLog::write(LogLevel level, std::string_view message) {
  {
    const std::lock_guard lock(state_->mutex);
    // After the first dropped message all are dropped until the queue is empty: keeps the order.
    if (state_->dropped > 0 || state_->waiting.size() >= state_->limit) {
      ++state_->dropped;
      return;
    }
    state_->waiting.push_back({level, std::string(message)});
  }
  state_->changed.notify_all();
}

}  // namespace heddle
