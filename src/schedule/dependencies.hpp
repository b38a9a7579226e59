// Which jobs start when others end (`after`). Pure; not thread-safe.
#pragma once

#include <map>
#include <vector>

#include "base/ids.hpp"
#include "model/job.hpp"

namespace heddle::schedule {

enum class RunEnd { completed, failed };  // a limited run counts as completed

class Dependencies {
 public:
  // Replaces what `job` waits for; an empty list forgets it.
  void set(const JobId& job, std::vector<After> after);

  // The jobs to start now, sorted, each once.
  [[nodiscard]] std::vector<JobId> started_by(const JobId& job, RunEnd end) const;

  // A circle of jobs that wait for each other, {a, b, a}: a waits for b. Empty: there is none.
  [[nodiscard]] std::vector<JobId> find_circle() const;

 private:
  std::map<JobId, std::vector<After>> waits_for_;
  std::map<JobId, std::map<JobId, std::vector<TriggerOn>>> followers_;  // the same from behind
};

}  // namespace heddle::schedule
