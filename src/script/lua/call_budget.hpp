// CallBudget measures the time of one script call and decides when its slice ends and when it is
// terminated. Used on the VM's thread.
#pragma once

#include <chrono>
#include <string>

#include "base/time.hpp"
#include "script/script_limits.hpp"

namespace heddle::script {

class CallBudget {
 public:
  enum class Verdict { proceed, end_slice, terminate };

  explicit CallBudget(const ScriptLimits& limits) : limits_(limits) {}

  // Computing time counts between these two.
  void start_clock();
  // The same, but from the first moment on only time on the CPU counts: for short budgets, which a
  // busy machine would use up by letting the thread wait.
  void start_cpu_clock();
  void stop_clock();
  // Starts a new budget; the slice continues.
  void restart();

  // Reads the clocks. After the first `terminate` it always returns that.
  Verdict check();

  [[nodiscard]] bool is_exceeded() const { return !exceeded_reason_.empty(); }
  // For the script's author.
  [[nodiscard]] const std::string& exceeded_reason() const { return exceeded_reason_; }
  // The same, prefixed with the script position if known.
  [[nodiscard]] std::string exceeded_message() const {
    return exceeded_at_.empty() ? exceeded_reason_ : exceeded_at_ + ": " + exceeded_reason_;
  }
  // The script position where the budget was exceeded.
  void set_exceeded_at(std::string place) { exceeded_at_ = std::move(place); }
  [[nodiscard]] const std::string& exceeded_at() const { return exceeded_at_; }

  [[nodiscard]] Deadline deadline() const;

 private:
  using Time = Deadline;
  using Duration = Time::duration;

  [[nodiscard]] Duration computed(Time now) const;

  ScriptLimits limits_;
  bool is_started_ = false;
  Time deadline_{};
  Time entered_{};
  Time slice_start_{};
  Duration used_{0};  // before entered_
  // The thread clock costs a system call, so it is read only for scripts that compute for long:
  // from then on time lost to other processes is not charged.
  bool has_mark_ = false;
  Duration used_at_mark_{0};
  Duration mark_{0};
  std::string exceeded_reason_;
  std::string exceeded_at_;
};

}  // namespace heddle::script
