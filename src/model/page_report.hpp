// What is told about pages while a run works through them. Plain values.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "model/run.hpp"
#include "model/trace.hpp"

namespace heddle {

// What became of one try of one page.
struct PageReport {
  Task task;
  TaskState state = TaskState::done;  // done, skipped, retry or dead
  bool is_unchanged = false;
  ItemCounts items{};
  std::int64_t bytes = 0;
  RunError error{};                   // for retry and dead
  std::chrono::milliseconds wait{0};  // before the next try
};

// Where the time of extraction went.
struct ExtractCost {
  std::chrono::microseconds decode{0};
  std::chrono::microseconds parse{0};
  std::chrono::microseconds select{0};
};

// Where the time of all cycles went, in the order of a cycle.
struct StageCosts {
  std::array<std::chrono::microseconds, kStageCount> stages{};
  ExtractCost extract;
  std::int64_t cycles = 0;
};
void add(StageCosts& sum, const StageCosts& more);

// What one worker did of a run.
struct PagesReport {
  PageCounts pages;  // `total` is left to the caller
  ItemCounts items;
  std::vector<RunError> errors;  // of dead pages, at most kKeptRunErrors
  std::int64_t bytes = 0;
  StageCosts costs;
  bool broke_down = false;  // the store failed: the last error says how
  bool ran_out_of_time = false;
};

}  // namespace heddle
