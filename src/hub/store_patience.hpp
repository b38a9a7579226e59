// Goes on trying while the store cannot be written, because the disk is full, say: for work that
// must not be lost, since whoever waits for it would wait for ever. One event loop.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"

namespace heddle::hub {

class StorePatience {
 public:
  // `is_endless`: until the store can be written. Otherwise nothing is tried twice.
  StorePatience(Log& log, bool is_endless) : log_(log), is_endless_(is_endless) {}

  void set_endless(bool is_endless) { is_endless_ = is_endless; }
  [[nodiscard]] bool is_endless() const { return is_endless_ && !is_over_; }
  // Nothing is tried again from here on.
  void end();

  // `who`, for the log, waits until `attempt` does not fail for want of the store any more.
  template <class T>
  Async<Result<T>> insist(std::string who, std::function<Async<Result<T>>()> attempt) {
    std::chrono::milliseconds pause{0};  // before the last try
    while (true) {
      auto result = co_await attempt();
      if (result) {
        if (pause > std::chrono::milliseconds(0)) note_end(who);
        co_return result;
      }
      const Error why = result.error();
      const bool is_worth_it = co_await wait(who, why, pause);
      if (!is_worth_it) co_return result;
    }
  }

 private:
  // What was tried is in the store still, so nothing is lost but time. False: give up.
  Async<bool> wait(const std::string& who, const Error& why, std::chrono::milliseconds& pause);
  void note_end(const std::string& who);

  Log& log_;
  bool is_endless_;
  bool is_over_ = false;
  Doorbell over_;
};

}  // namespace heddle::hub
