// StepCounter counts the work of one C function and charges it to the budget in batches.
#pragma once

#include <cstdint>

#include "script/lua/count_steps.hpp"

namespace heddle::script {

// One step is a few nanoseconds of work. A local variable of the function that loops.
class StepCounter {
 public:
  explicit StepCounter(lua_State* lua) : lua_(lua) {}

  // May raise: the budget is used up.
  void add(std::uint64_t steps) {
    pending_ += steps;
    if (pending_ >= kBatch) flush();
  }

 private:
  static constexpr std::uint64_t kBatch = 1024;

  void flush() {
    const std::uint64_t steps = pending_;
    pending_ = 0;
    count_steps(lua_, steps);
  }

  lua_State* lua_;
  std::uint64_t pending_ = 0;
};

// The steps for copying or scanning this many bytes.
constexpr std::uint64_t steps_for_bytes(std::uint64_t bytes) {
  return bytes / 32;
}

}  // namespace heddle::script
