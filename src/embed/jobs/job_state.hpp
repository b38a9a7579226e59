// One job of a Runner, as its handles see it: what the loop writes down about it can be read from
// any thread. The loop may be gone before the last handle.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include <heddle/jobs.hpp>

#include "commands/memory_journal.hpp"
#include "model/job.hpp"
#include "model/run.hpp"

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
  void note(const ProgramHistory& history, RunState state);
  void note_end(const ProgramHistory& history, const RunVerdict& verdict);
  void set_stop(std::function<void()> stop);

 private:
  const Job job_;
  const Run run_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Status status_;
  std::function<void()> stop_;
};

// What the public words stand for inside. Throws std::invalid_argument.
Job to_job(const Spec& spec);

// Tells a job's state of everything that is noted of its run.
class StatusJournal final : public store::RunJournal {
 public:
  explicit StatusJournal(std::shared_ptr<Handle::State> state) : state_(std::move(state)) {}

  Async<heddle::Status> note_process(ProcessRecord process) override;
  Async<heddle::Status> note_hook(HookRecord hook) override;
  Async<heddle::Status> note_course(RunId run, RunCourse course) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

  [[nodiscard]] const ProgramHistory& history() const;

 private:
  void tell();

  std::shared_ptr<Handle::State> state_;
  commands::MemoryJournal journal_;
};

}  // namespace heddle::jobs
