// Tracks which jobs start when an upstream job ends (`after`). Pure; not thread-safe.
#pragma once

#include <map>
#include <vector>

#include "base/ids.hpp"
#include "model/job/job.hpp"
#include "model/run/run.hpp"

namespace heddle::schedule {

class Dependencies {
 public:
  // Replaces the triggers of `job`; an empty list removes it.
  void set(const JobId& job, std::vector<UpstreamTrigger> after);

  // The dependents to start when a run of `job` ends in this state, sorted, each once.
  [[nodiscard]] std::vector<JobId> jobs_triggered_by(const JobId& job, RunState ended) const;

  // A dependency cycle, {a, b, a}: a waits for b. Empty: there is none.
  [[nodiscard]] std::vector<JobId> find_cycle() const;

 private:
  std::map<JobId, std::vector<UpstreamTrigger>> waits_for_;
  std::map<JobId, std::map<JobId, std::vector<TriggerOn>>> dependents_;  // by upstream job
};

}  // namespace heddle::schedule
