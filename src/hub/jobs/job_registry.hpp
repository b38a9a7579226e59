// JobRegistry holds the jobs of a scheduler: configuration, stored status and next start. Single
// event loop; everything passed in outlives it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "base/wake_signal.hpp"
#include "hub/jobs/scheduler_parts.hpp"
#include "hub/jobs/timetable.hpp"
#include "lifecycle/job_status_store.hpp"
#include "model/job/job.hpp"

namespace heddle::hub {

using Steps = std::vector<lifecycle::JobStep>;

class JobRegistry {
 public:
  explicit JobRegistry(const SchedulerParts& parts)
      : parts_(parts), status_store_(parts.store, parts.clock), timetable_(parts.zone_database) {}

  // Entries are never removed, so references stay valid.
  ManagedJob& add_or_update(Job job);
  [[nodiscard]] ManagedJob* find(const JobId& job) const;
  [[nodiscard]] ManagedJob& at(JobNumber number) const { return *by_number_[number]; }
  [[nodiscard]] const std::map<JobId, std::unique_ptr<ManagedJob>>& all() const { return entries_; }

  // A deleted job reads as archived, which allows nothing.
  [[nodiscard]] const JobStatus& status_of(const JobId& job) const;
  [[nodiscard]] const JobStatus& status_of(const ManagedJob& entry) const {
    return status_of(entry.job.id);
  }

  // Schedules the job's next start; nullopt: it does not start by itself.
  std::optional<WallTime> plan(ManagedJob& entry);
  // Missed runs start within this time.
  void set_spread(std::chrono::milliseconds spread) { spread_ = spread; }
  [[nodiscard]] std::chrono::milliseconds spread() const { return spread_; }

  // Copies the handled ticks and the queued run into the status: they are stored together.
  void copy_plans(const ManagedJob& entry, JobStatus& status) const;

  // No run begins while storage is full.
  void set_storage_full(bool is_full) { is_storage_full_ = is_full; }
  [[nodiscard]] bool is_storage_full() const { return is_storage_full_; }

  // The action and the steps that lead on to `scheduled`.
  Steps steps_to_scheduled(ManagedJob& entry, lifecycle::JobAction action);
  // After a step into `scheduled`.
  void pause_if_storage_full(ManagedJob& entry, Steps& steps);

  [[nodiscard]] lifecycle::JobStatusStore& status_store() { return status_store_; }
  [[nodiscard]] const lifecycle::JobStatusStore& status_store() const { return status_store_; }
  [[nodiscard]] Timetable& timetable() { return timetable_; }
  // Rings when a start may be due earlier than before.
  [[nodiscard]] WakeSignal& plan_changed() { return plan_changed_; }

 private:
  const SchedulerParts& parts_;
  lifecycle::JobStatusStore status_store_;
  Timetable timetable_;
  std::map<JobId, std::unique_ptr<ManagedJob>> entries_;
  std::vector<ManagedJob*> by_number_;
  std::chrono::milliseconds spread_{0};
  bool is_storage_full_ = false;
  WakeSignal plan_changed_;
};

constexpr bool is_over(JobState state) {
  return state == JobState::stopped || state == JobState::archived;
}

// Why a job with a pending write accepts only pause and stop.
Error pending_write_error(const ManagedJob& entry);
// Why a run cannot be triggered: the table forbids it, or another run has not ended.
Error trigger_error(const ManagedJob& entry, const JobStatus& status);

}  // namespace heddle::hub
