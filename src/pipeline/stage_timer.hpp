// Records duration and status of one stage in the cycle trace.
#pragma once

#include <chrono>
#include <string>

#include "model/run/trace.hpp"

namespace heddle::pipeline {

inline std::chrono::microseconds monotonic_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now);
}

// A stage is a success unless fail() or skip() is called.
class StageTimer {
 public:
  template <class AnyStage>  // Stage or EngineStage
  StageTimer(CycleTrace& trace, AnyStage stage) : entry_(trace[stage]), start_(monotonic_now()) {
    entry_.status = StageStatus::success;
    if (trace.began.count() != 0) entry_.offset = start_ - trace.began;
  }
  ~StageTimer() { entry_.duration = monotonic_now() - start_; }
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
  std::chrono::microseconds start_;
};

// With a hook, also the part of the engine that it belongs to.
inline void mark_skipped(CycleTrace& trace, Stage stage, std::string why) {
  if (const auto engine = engine_stage_of(stage)) trace[*engine].status = StageStatus::skipped;
  trace[stage].status = StageStatus::skipped;
  trace[stage].note = std::move(why);
}

}  // namespace heddle::pipeline
