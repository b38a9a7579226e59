// Records duration and status of one stage in the cycle trace.
#pragma once

#include <chrono>
#include <string>

#include "model/run/trace.hpp"

namespace heddle::pipeline {

// A stage is a success unless fail() or skip() is called.
class StageTimer {
 public:
  StageTimer(CycleTrace& trace, Stage stage)
      : entry_(trace[stage]), start_(std::chrono::steady_clock::now()) {
    entry_.status = StageStatus::success;
  }
  ~StageTimer() {
    const auto spent = std::chrono::steady_clock::now() - start_;
    entry_.duration = std::chrono::duration_cast<std::chrono::microseconds>(spent);
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

  void fail(std::string why) {
    entry_.status = StageStatus::error;
    entry_.note = std::move(why);
  }
  void skip() { entry_.status = StageStatus::skipped; }
  void note(std::string text) { entry_.note = std::move(text); }

 private:
  StageTrace& entry_;
  std::chrono::steady_clock::time_point start_;
};

inline void mark_skipped(CycleTrace& trace, Stage stage, std::string why) {
  trace[stage].status = StageStatus::skipped;
  trace[stage].note = std::move(why);
}

}  // namespace heddle::pipeline
