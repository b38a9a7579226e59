// Reports on the pages of a run while it works through them. Plain values.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "model/run/run.hpp"
#include "model/run/trace.hpp"

namespace heddle {

// The outcome of one attempt at one page.
struct PageReport {
  Task task;
  TaskState state = TaskState::done;  // done, skipped, retry or dead
  bool is_unchanged = false;
  ItemCounts items{};
  std::int64_t bytes = 0;
  RunError error{};                   // for retry and dead
  std::chrono::milliseconds wait{0};  // before the next attempt
  std::int64_t found_pages = 0;       // that joined the run
};

// Time spent on the steps of extraction.
struct ExtractCost {
  std::chrono::microseconds decode{0};
  std::chrono::microseconds parse{0};
  std::chrono::microseconds select{0};
};

// Time spent on each stage, summed over all cycles.
struct StageCosts {
  std::array<std::chrono::microseconds, kStageCount> stages{};
  ExtractCost extract;
  std::int64_t cycles = 0;
};
void add(StageCosts& sum, const StageCosts& more);

}  // namespace heddle
