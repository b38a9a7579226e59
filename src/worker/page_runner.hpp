// Works through the pages of one run: as many cycles at a time as the job has workers, retries as
// the policy says, every outcome stored before the next page is taken.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "base/async.hpp"
#include "model/retry.hpp"
#include "model/run.hpp"
#include "pipeline/cycle.hpp"
#include "queue/task_queue.hpp"

namespace heddle::worker {

// What became of one try of one page.
struct PageReport {
  Task task;
  TaskState state = TaskState::done;  // done, skipped, retry or dead
  bool is_unchanged = false;
  ItemCounts items{};
  std::int64_t bytes = 0;
  RunError error{};                   // for retry and dead
  std::chrono::milliseconds wait{0};  // before the next try
};

// Where the time of all cycles went, in the order of a cycle.
struct StageCosts {
  std::array<std::chrono::microseconds, kStageCount> stages{};
  pipeline::ExtractCost extract;
  std::int64_t cycles = 0;
};

struct PagesReport {
  PageCounts pages;  // `total` is left to the caller
  ItemCounts items;
  std::vector<RunError> errors;  // of dead pages, at most kKeptRunErrors
  std::int64_t bytes = 0;
  StageCosts costs;
  bool broke_down = false;  // the store failed: the last error says how
  bool ran_out_of_time = false;
};

struct PageRunnerOptions {
  std::function<void(const PageReport&)> on_page;  // may be empty
  // Called with what a cycle saw when set; for `debug = true` jobs.
  std::function<void(const Task&, pipeline::Artefacts, const CycleTrace&)> on_artefacts;
  Deadline deadline = Deadline::max();  // `limits.run_time`
};

// One event loop; queue, services and job outlive it. run() may be called once.
class PageRunner {
 public:
  PageRunner(const pipeline::Services& services, pipeline::JobState& job, queue::TaskQueue& queue,
             PageRunnerOptions options);

  Async<PagesReport> run();

  // Pages in flight finish, those that wait for their host's turn are left for later, no new ones
  // begin.
  void stop();

 private:
  Async<void> work(int worker_id);
  // True when the page is to be tried again.
  Async<bool> work_on(Lease lease, int worker_id);
  Async<bool> handle_failure(Lease lease, pipeline::PageFailure failure, CycleTrace trace);
  // True when postponed.
  Async<Result<bool>> give_up_or_postpone(Lease lease, pipeline::PageFailure failure,
                                          CycleTrace trace);
  void note_done(const Task& task, const pipeline::CycleEnd& end);
  void note_costs(const pipeline::CycleEnd& end);
  void break_down(RunError error);
  double chance();

  const pipeline::Services& services_;
  pipeline::JobState& job_;
  queue::TaskQueue& queue_;
  PageRunnerOptions options_;
  PagesReport report_;
  std::optional<pipeline::Stop> stop_;  // while it runs
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace heddle::worker
