// The jobs that a driver knows: what each is configured to do, where its life stands and when it
// starts next. One event loop; everything it is given outlives it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "hub/driver_parts.hpp"
#include "hub/timetable.hpp"
#include "lifecycle/job_keeper.hpp"
#include "model/job.hpp"

namespace heddle::hub {

using Steps = std::vector<lifecycle::JobStep>;

class JobBook {
 public:
  explicit JobBook(const DriverParts& parts);
  JobBook(const JobBook&) = delete;
  JobBook& operator=(const JobBook&) = delete;

  // The job as it is configured now. Entries stay for good: whoever works on one may rely on it.
  JobEntry& put(Job job);
  [[nodiscard]] JobEntry* find(const JobId& job) const;
  [[nodiscard]] JobEntry& at(JobNumber number) const { return *by_number_[number]; }
  [[nodiscard]] const std::map<JobId, std::unique_ptr<JobEntry>>& all() const { return entries_; }

  // One that was deleted allows nothing.
  [[nodiscard]] const JobLife& life_of(const JobId& job) const;
  [[nodiscard]] const JobLife& life_of(const JobEntry& entry) const {
    return life_of(entry.job.id);
  }

  // Finds the job's next start and waits for it; nullopt: none comes by itself.
  std::optional<WallTime> plan(JobEntry& entry);
  // Runs that were missed start within this time.
  void set_spread(std::chrono::milliseconds spread) { spread_ = spread; }
  [[nodiscard]] std::chrono::milliseconds spread() const { return spread_; }

  // What the job's life says of its plans: how far its ticks are handled and the run it waits for,
  // which belong together.
  void keep_plans(const JobEntry& entry, JobLife& life) const;

  // No run begins while the disk space is used up.
  void set_storage_full(bool is_full) { is_storage_full_ = is_full; }
  [[nodiscard]] bool is_storage_full() const { return is_storage_full_; }

  // The step, and whatever it takes for the job to wait for its next run.
  Steps steps_into_schedule(JobEntry& entry, lifecycle::JobAction action);
  // Behind a step into `scheduled`.
  void pause_if_full(JobEntry& entry, Steps& steps);

  [[nodiscard]] lifecycle::JobKeeper& keeper() { return keeper_; }
  [[nodiscard]] const lifecycle::JobKeeper& keeper() const { return keeper_; }
  [[nodiscard]] Timetable& timetable() { return timetable_; }
  // Rings when something may be due earlier than before.
  [[nodiscard]] Doorbell& planned() { return planned_; }

 private:
  const DriverParts& parts_;
  lifecycle::JobKeeper keeper_;
  Timetable timetable_;
  std::map<JobId, std::unique_ptr<JobEntry>> entries_;
  std::vector<JobEntry*> by_number_;
  std::chrono::milliseconds spread_{0};
  bool is_storage_full_ = false;
  Doorbell planned_;
};

// Why nothing but a pause or a stop can be asked of a job with an unwritten step.
Error not_written(const JobEntry& entry);
// Why a run cannot be triggered, by the table or because another is not over.
Error no_trigger(const JobEntry& entry, const JobLife& life);

}  // namespace heddle::hub
