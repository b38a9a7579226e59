// What the state of the whole system shows of trouble: every threshold stands here. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "hub/alert_judge.hpp"
#include "model/job_stats.hpp"

namespace heddle::hub {

struct WorkerFacts {
  std::string name;
  std::size_t restarts = 0;  // in the window of [recovery]
  bool gave_up = false;
};

// A run in progress.
struct RunFacts {
  JobId job{};
  std::chrono::milliseconds idle{0};  // since something last happened to one of its tasks
  std::int64_t open_tasks = 0;
  bool has_pending = false;
  bool waits_for_retry = false;  // nothing is to be done before the next try is due
};

struct SystemFacts {
  std::vector<WorkerFacts> workers;
  std::vector<RunFacts> runs;
  std::optional<std::chrono::milliseconds> longest_wait;  // of runs that have no place
  std::int64_t new_dead_letters = 0;                      // in the last hour
  std::chrono::microseconds loop_latency{0};
};

struct SymptomRules {
  std::size_t processes = 1;
  std::size_t max_restarts = 20;  // after which a worker gives up
  std::chrono::milliseconds stuck_after = std::chrono::minutes(15);
};

std::vector<Symptom> find_symptoms(const SystemFacts& facts, const SymptomRules& rules);

// How long a run of the job may take before that is unusual; nullopt: too little is known.
std::optional<std::chrono::milliseconds> unusual_duration(const std::vector<RunFigures>& history);

// Why the share of failed pages of this run is unusual; nullopt: it is not.
std::optional<std::string> unusual_errors(const RunFigures& run,
                                          const std::vector<RunFigures>& history);

}  // namespace heddle::hub
