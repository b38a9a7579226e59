// RunExecutors selects the executor of a run by the kind of its job. Single event loop; the
// executors outlive it.
#pragma once

#include <map>
#include <vector>

#include "hub/runs/run_executor.hpp"
#include "model/job/job.hpp"

namespace heddle::hub {

class RunExecutors {
 public:
  // `default_executor` executes the job kinds without an executor of their own.
  explicit RunExecutors(RunExecutor& default_executor) : default_(&default_executor) {}

  void set(JobKind kind, RunExecutor& executor) { by_kind_[kind] = &executor; }

  [[nodiscard]] RunExecutor& of(JobKind kind) const {
    const auto found = by_kind_.find(kind);
    return found == by_kind_.end() ? *default_ : *found->second;
  }
  [[nodiscard]] RunExecutor& of(const Job& job) const { return of(job.kind); }

 private:
  RunExecutor* default_;
  std::map<JobKind, RunExecutor*> by_kind_;
};

}  // namespace heddle::hub
