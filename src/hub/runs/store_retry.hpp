// StoreRetry repeats a write while the store is not writable (disk full), for work that must not be
// lost. Single event loop.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/wake_signal.hpp"

namespace heddle::hub {

class StoreRetry {
 public:
  // `is_enabled`: retries until the store is writable. Otherwise nothing is retried.
  StoreRetry(Log& log, bool is_enabled) : log_(log), is_enabled_(is_enabled) {}

  void set_enabled(bool is_enabled) { is_enabled_ = is_enabled; }
  [[nodiscard]] bool is_enabled() const { return is_enabled_ && !is_stopped_; }
  // Nothing is retried after this.
  void stop();

  // Repeats `attempt` until it does not fail with `unavailable`. `subject` is for the log.
  template <class T>
  Async<Result<T>> retry(std::string subject, std::function<Async<Result<T>>()> attempt) {
    std::chrono::milliseconds delay{0};  // before the last attempt
    while (true) {
      auto result = co_await attempt();
      if (result) {
        if (delay > std::chrono::milliseconds(0))
          log_.info(subject + " continues: the database can be written again");
        co_return result;
      }
      const Error why = result.error();
      const bool may_retry = co_await wait(subject, why, delay);
      if (!may_retry) co_return result;
    }
  }

 private:
  // False: give up. The store still has the previous state, so only time is lost.
  Async<bool> wait(const std::string& subject, const Error& why, std::chrono::milliseconds& delay);

  Log& log_;
  bool is_enabled_;
  bool is_stopped_ = false;
  WakeSignal stopped_;
};

}  // namespace heddle::hub
