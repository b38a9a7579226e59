// Which office has a run worked on: pages go through workers, and other kinds of jobs have their
// own way. One event loop; the offices outlive it.
#pragma once

#include <map>
#include <vector>

#include "hub/run_office.hpp"
#include "model/job.hpp"

namespace heddle::hub {

class RunOffices {
 public:
  // `usual` has every run worked on whose kind of job has no office of its own.
  explicit RunOffices(RunOffice& usual) : usual_(&usual) {}

  void set(JobKind kind, RunOffice& office) { special_[kind] = &office; }

  [[nodiscard]] RunOffice& of(JobKind kind) const {
    const auto found = special_.find(kind);
    return found == special_.end() ? *usual_ : *found->second;
  }
  [[nodiscard]] RunOffice& of(const Job& job) const { return of(job.kind); }

 private:
  RunOffice* usual_;
  std::map<JobKind, RunOffice*> special_;
};

}  // namespace heddle::hub
