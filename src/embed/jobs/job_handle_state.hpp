// Holds the state of one job that its handles share with the Runner: the loop writes it, any thread
// reads it. May outlive the loop.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include <heddle/jobs.hpp>

#include "commands/memory_journal.hpp"
#include "model/job/job.hpp"
#include "model/run/run.hpp"

namespace heddle::jobs {

class Handle::State {
 public:
  State(Job job, Run run) : job_(std::move(job)), run_(std::move(run)) {}

  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] const Run& run() const { return run_; }

  // Any thread.
  [[nodiscard]] Status status() const;
  Status wait_until(const std::function<bool(const Status&)>& holds,
                    std::optional<std::chrono::steady_clock::time_point> deadline) const;
  void stop() const;

  // The loop.
  void update(const ProgramHistory& history, RunState state);
  void set_ended(const ProgramHistory& history, const RunOutcome& outcome);
  void set_stop(std::function<void()> stop);

 private:
  const Job job_;
  const Run run_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Status status_;
  std::uint64_t changes_ = 0;  // of status_
  std::function<void()> stop_;
};

// Converts a public Spec to a Job. Throws std::invalid_argument.
Job to_job(const Spec& spec);

// Records a run in memory and updates the job's state after each record.
class StatusJournal final : public store::RunJournal {
 public:
  explicit StatusJournal(std::shared_ptr<Handle::State> state) : state_(std::move(state)) {}

  Async<heddle::Status> record_process(ProcessRecord process) override;
  Async<heddle::Status> record_hook(HookRecord hook) override;
  Async<heddle::Status> record_stage(RunId run, RunStageRecord record) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

  [[nodiscard]] const ProgramHistory& history() const;

 private:
  void notify();

  std::shared_ptr<Handle::State> state_;
  commands::MemoryJournal journal_;
};

}  // namespace heddle::jobs
