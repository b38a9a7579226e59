// The clock of one call into a script: how long it has computed, when it must let others go first,
// and when it is cut off for good. Lives on the VM's thread.
#pragma once

#include <chrono>
#include <string>

#include "base/time.hpp"
#include "script/limits.hpp"

namespace heddle::script {

class RunBudget {
 public:
  enum class Verdict { go_on, slice, cut };

  explicit RunBudget(const Limits& limits) : limits_(limits) {}

  // The script computes from here on, until leave().
  void enter();
  void leave();
  // A new piece of work with a whole budget of its own; the slice goes on.
  void restart();

  // Reads the clocks. Once it says cut, it does so for ever.
  Verdict check();

  [[nodiscard]] bool is_cut() const { return !cut_reason_.empty(); }
  // Why, in words for the script's author.
  [[nodiscard]] const std::string& cut_reason() const { return cut_reason_; }
  // The same, with the place before it if that is known.
  [[nodiscard]] std::string cut_message() const {
    return cut_place_.empty() ? cut_reason_ : cut_place_ + ": " + cut_reason_;
  }
  // Where the script was when it was cut, kept by whoever noticed.
  void set_cut_place(std::string place) { cut_place_ = std::move(place); }
  [[nodiscard]] const std::string& cut_place() const { return cut_place_; }

  [[nodiscard]] Deadline deadline() const;

 private:
  using Time = Deadline;
  using Duration = Time::duration;

  [[nodiscard]] Duration computed(Time now) const;

  Limits limits_;
  bool is_started_ = false;
  Time deadline_{};
  Time entered_{};
  Time slice_start_{};
  Duration used_{0};  // before entered_
  // The thread's own clock costs a system call, so it is read only once a script computes for long:
  // from then on time lost to other processes is not charged.
  bool has_mark_ = false;
  Duration used_at_mark_{0};
  Duration mark_{0};
  std::string cut_reason_;
  std::string cut_place_;
};

}  // namespace heddle::script
