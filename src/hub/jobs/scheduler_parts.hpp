// The dependencies, rules and values of JobScheduler.
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
#include "base/log/log.hpp"
#include "base/time.hpp"
#include "hub/jobs/timetable.hpp"
#include "hub/runs/run_executor.hpp"
#include "lifecycle/job_status_store.hpp"
#include "model/job/job.hpp"
#include "model/notify/dead_letter.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct SchedulerParts {
  RunExecutor& executor;
  store::Store& store;
  const Clock& clock;
  Log& log;
  std::filesystem::path zone_database;
  // Forgets crashes of workers under the job.
  std::function<void(const JobId&)> clear_crashes = [](const JobId&) {};
  std::function<void()> on_messages_due{};  // after the end of a run
  std::function<void(const ExecutionResult&)> on_run_ended{};
  // How long after its tick a scheduled run began.
  std::function<void(std::chrono::milliseconds)> on_start_lag{};
};

struct SchedulerRules {
  std::size_t runs_in_parallel = 256;
  std::chrono::milliseconds misfire_spread = std::chrono::minutes(5);
  // Runs wait until the store is writable. False: they fail, because a user waits for them.
  bool waits_for_store = true;
};

// A step that is in effect but not in the store yet.
struct PendingWrite {
  lifecycle::JobStep step;
  bool force = false;  // of a stop
};

// What the scheduler keeps of a job besides its stored status.
struct ManagedJob {
  Job job;
  JobNumber number = 0;
  bool is_configured = true;
  bool has_config_errors = false;         // `job` is the last valid version
  int busy = 0;                           // held run slots: at most one from trigger to end of run
  bool is_queued = false;                 // waits for a run slot or the previous run
  std::optional<QueuedRun> queued_run{};  // until it has begun
  std::optional<RunId> run{};             // that executes, or is about to
  unsigned config_versions = 0;           // how often its files were read
  bool is_recovered = false;              // `run` was begun by a previous daemon
  std::optional<RunId> last_ended{};
  std::optional<PendingWrite> pending_write{};
  std::optional<WallTime> retry_at{};  // of a failed run

  [[nodiscard]] bool is_busy() const { return busy > 0; }
};

// Runs that wait for a run slot.
struct QueuedRuns {
  std::size_t count = 0;
  std::optional<WallTime> since{};  // of the oldest
};

struct RunRequest {
  RunTrigger trigger = RunTrigger::manual;
  bool from_queue = false;  // it is the job's queued run
  RunObserver* observer = nullptr;
  std::string by{};  // the user who asked for it; empty: the daemon
  std::function<void(const Run&)> on_begun{};
  std::vector<DeadLetterId> dead_letters{};  // limits the run to their pages; empty: all pages
  std::optional<RunId> run{};                // id of a dead letter run
  std::optional<std::int64_t> pages_left{};  // of today's quota; nullopt: no limit
};

}  // namespace heddle::hub
