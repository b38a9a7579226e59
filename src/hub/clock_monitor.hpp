// ClockMonitor measures stored waits in elapsed time: when the wall clock is set, it moves their
// due times with it. Single event loop; everything passed in outlives it.
#pragma once

#include <chrono>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "schedule/clock_watch.hpp"
#include "store/store.hpp"

namespace heddle::hub {

class ClockMonitor {
 public:
  // How long ages are not trusted after the clock was put forward by at least as much.
  static constexpr std::chrono::hours kDoubtTime{1};

  ClockMonitor(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Once, before anything compares due times: the clock may have been set back since the previous
  // process ended.
  Async<Status> start();
  // Call often, and before due times are compared with the clock. After a failure the next call
  // tries again.
  Async<Status> check();

  // False while the age of stored data may be an error of the clock: remove nothing by age.
  [[nodiscard]] bool can_trust_ages() const { return clock_.steady_now() >= doubtful_until_; }

 private:
  store::Store& store_;
  const Clock& clock_;
  schedule::ClockWatch watch_;
  std::chrono::milliseconds pending_{0};  // jumps that the store does not know yet
  Deadline doubtful_until_ = Deadline::min();
};

}  // namespace heddle::hub
