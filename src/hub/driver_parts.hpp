// What a JobDriver is made of and works with.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "hub/run_office.hpp"
#include "hub/timetable.hpp"
#include "model/dead_letter.hpp"
#include "model/job.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct DriverParts {
  RunOffice& office;
  store::Store& store;
  const Clock& clock;
  Log& log;
  std::filesystem::path zone_database;
  std::function<void()> on_run_over{};  // its messages may be due
};

struct DriverRules {
  std::size_t runs_in_parallel = 256;
  std::chrono::milliseconds misfire_spread = std::chrono::minutes(5);
  // Runs go on when the store can be written again. Otherwise they end: somebody is waiting.
  bool waits_for_store = true;
};

// A job as the driver knows it, besides its life.
struct JobEntry {
  Job job;
  JobNumber number = 0;
  bool is_there = true;        // in the configuration
  bool is_busy = false;        // from its trigger to the end of its run
  bool is_waiting = false;     // a run is wanted, but has no place or the former is not over
  std::string waiting_for{};   // what that run's trigger will be
  std::optional<RunId> run{};  // that is being worked on
  std::optional<WallTime> retry_at{};  // another try of a failed run
};

struct RunWish {
  std::string trigger;
  RunFollower* follower = nullptr;
  std::function<void(const Run&)> on_begun{};
  std::vector<LetterId> letters{};  // only their pages, unless there are none
  std::optional<RunId> run{};       // what it will be called, of a run of letters
};

}  // namespace heddle::hub
