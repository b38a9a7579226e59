// Derives symptoms from the state of the whole system; holds every threshold. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "hub/health/alert_evaluator.hpp"
#include "model/job/job_stats.hpp"

namespace heddle::hub {

struct WorkerFacts {
  std::string name;
  std::size_t restarts = 0;  // in the window of [recovery]
  bool gave_up = false;
};

// A run in progress.
struct ActiveRunFacts {
  JobId job{};
  std::chrono::milliseconds idle{0};  // since the last change of one of its tasks
  std::int64_t open_tasks = 0;
  bool has_pending = false;
  bool waits_for_retry = false;  // until the next retry is due
};

struct SystemFacts {
  std::vector<WorkerFacts> workers;
  std::vector<ActiveRunFacts> runs;
  std::optional<std::chrono::milliseconds> longest_wait;  // of queued runs
  std::int64_t new_dead_letters = 0;                      // in the last hour
  std::chrono::microseconds loop_latency{0};
};

struct SymptomRules {
  std::size_t processes = 1;
  std::size_t max_restarts = 20;  // before a worker gives up
  std::chrono::milliseconds stuck_after = std::chrono::minutes(15);
};

std::vector<Symptom> find_symptoms(const SystemFacts& facts, const SymptomRules& rules);

// The duration from which a run of the job is unusual; nullopt: not enough history.
std::optional<std::chrono::milliseconds> unusual_duration(const std::vector<RunFigures>& history);

// Why the share of failed pages is unusual; nullopt: it is not.
std::optional<std::string> unusual_errors(const RunFigures& run,
                                          const std::vector<RunFigures>& history);

}  // namespace heddle::hub
