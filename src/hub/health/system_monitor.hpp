// SystemMonitor checks the whole system every few seconds and keeps its alerts: load (from the
// store), workers and loop (from the owner), and runs compared with earlier ones. Single event
// loop; everything passed in outlives it.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "hub/health/alert_evaluator.hpp"
#include "hub/health/alert_manager.hpp"
#include "hub/health/system_symptoms.hpp"
#include "hub/jobs/scheduler_parts.hpp"
#include "hub/runs/dispatch/run_dispatcher.hpp"
#include "store/store.hpp"

namespace heddle::hub {

// What only the daemon knows.
struct MachineFacts {
  std::vector<WorkerFacts> workers;
  std::vector<RunProgress> runs;
  QueuedRuns queued;
  std::chrono::microseconds loop_latency{0};
};

struct SystemMonitorParts {
  store::Store& store;
  const Clock& clock;
  Log& log;
  std::function<MachineFacts()> machine_facts;
  // Whether the job may still run: it is not deleted, stopped or archived.
  std::function<bool(const JobId&)> may_run;
};

class SystemMonitor {
 public:
  SystemMonitor(SystemMonitorParts parts, AlertManager& alerts, SymptomRules rules)
      : parts_(std::move(parts)), alerts_(alerts), rules_(rules) {}

  void set_rules(SymptomRules rules) { rules_ = rules; }

  // Checks periodically until stop().
  Async<void> watch();
  void stop() { stopped_.close(); }
  // One check. Not while another one is in progress.
  Async<Status> check();

  // The next check compares the run with earlier ones of its job.
  void note_run_end(const Run& run);

  // nullopt: enough space. Until the first call, the storage alert of the previous daemon stays.
  void note_storage(std::optional<AlertLevel> level, std::string text);

  // At the last check.
  [[nodiscard]] const store::SystemLoad& load() const { return load_; }

 private:
  // A run that every check since `first_seen` has seen in progress.
  struct TrackedRun {
    std::uint64_t steps = 0;
    Deadline last_progress{};  // when `steps` last changed
    Deadline first_seen{};
    std::optional<std::chrono::milliseconds> longest;  // longer is unusual
    bool is_compared = false;
    bool is_slow = false;
  };
  struct EndedRun {
    JobId job;
    RunFigures figures;
    bool was_slow = false;
  };

  void track_runs(const MachineFacts& machine);
  [[nodiscard]] std::chrono::milliseconds elapsed_since(Deadline time) const;
  [[nodiscard]] SystemFacts facts_of(const MachineFacts& machine, WallTime now) const;
  [[nodiscard]] std::set<std::string> evaluated_keys() const;
  Async<Status> evaluate(const SystemFacts& facts, WallTime now);
  Async<Status> forget_jobs(WallTime now);
  Async<Status> compare_running(WallTime now);
  Async<Status> compare_ended(WallTime now);
  Async<Status> compare(EndedRun ended, WallTime now);

  SystemMonitorParts parts_;
  AlertManager& alerts_;
  SymptomRules rules_;
  AlertEvaluator evaluator_;
  store::SystemLoad load_;
  std::map<RunId, TrackedRun> tracks_;
  std::deque<EndedRun> ended_;
  bool knows_storage_ = false;
  std::optional<Symptom> storage_;
  WakeSignal stopped_;
};

}  // namespace heddle::hub
