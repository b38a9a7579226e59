// What a JobDriver is made of and works with.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "hub/run_offices.hpp"
#include "hub/timetable.hpp"
#include "lifecycle/job_keeper.hpp"
#include "model/dead_letter.hpp"
#include "model/job.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct DriverParts {
  RunOffices offices;
  store::Store& store;
  const Clock& clock;
  Log& log;
  std::filesystem::path zone_database;
  std::function<void()> on_run_over{};  // its messages may be due
  std::function<void(const FinishedRun&)> on_run_ended{};
  // How long after its time a run began that the clock had started.
  std::function<void(std::chrono::milliseconds)> on_begun_late{};
};

struct DriverRules {
  std::size_t runs_in_parallel = 256;
  std::chrono::milliseconds misfire_spread = std::chrono::minutes(5);
  // Runs go on when the store can be written again. Otherwise they end: somebody is waiting.
  bool waits_for_store = true;
};

// A step that holds already, but is not in the store yet.
struct UnwrittenStep {
  lifecycle::JobStep step;
  bool at_once = false;  // of a stop
};

// A job as the driver knows it, besides its life.
struct JobEntry {
  Job job;
  JobNumber number = 0;
  bool is_there = true;       // in the configuration
  bool has_mistakes = false;  // there: this is its former version
  int busy = 0;               // how many see to it: at most one from its trigger to its run's end
  bool is_waiting = false;    // for a place, or for the end of the former run
  std::optional<WaitingRun> wish{};  // the run it waits for, until that has begun
  std::optional<RunId> run{};        // that is being worked on, or about to be
  unsigned versions = 0;             // of its files, that were read
  bool is_taken_up = false;          // that one: a former daemon has begun it
  std::optional<RunId> last_ended{};
  std::optional<UnwrittenStep> unwritten{};
  std::optional<WallTime> retry_at{};  // another try of a failed run

  [[nodiscard]] bool is_busy() const { return busy > 0; }
};

// Runs that are wanted and have no place.
struct WaitingRuns {
  std::size_t count = 0;
  std::optional<WallTime> since{};  // the one that waits for longest
};

struct RunWish {
  std::string trigger;
  RunFollower* follower = nullptr;
  std::function<void(const Run&)> on_begun{};
  std::vector<LetterId> letters{};           // only their pages, unless there are none
  std::optional<RunId> run{};                // what it will be called, of a run of letters
  std::optional<std::int64_t> pages_left{};  // of today; nullopt: as many as it has
};

}  // namespace heddle::hub
