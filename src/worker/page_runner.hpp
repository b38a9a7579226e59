// PageRunner processes the pages of one run: as many concurrent cycles as the job has workers, with
// retries.
//
// With a script each worker starts a page after the previous one is stored and its final hooks have
// run. Without a script the next page starts when the previous commit starts, with at most as many
// commits in flight as cycles.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "base/async.hpp"
#include "model/job/retry.hpp"
#include "model/run/page_report.hpp"
#include "model/run/page_result.hpp"
#include "pipeline/cycle.hpp"
#include "queue/task_queue.hpp"
#include "worker/async_semaphore.hpp"

namespace heddle::worker {

// One worker's part of a run.
struct PagesReport {
  PageCounts pages;  // `total` is set by the caller
  ItemCounts items;
  std::vector<RunError> errors;  // of dead pages, at most kKeptRunErrors
  std::int64_t bytes = 0;
  StageCosts costs;
  bool store_failed = false;  // the last error says why
  bool ran_out_of_time = false;
};

struct PageRunnerOptions {
  std::function<void(const PageReport&)> on_page;  // may be empty
  // For `debug = true` jobs; may be empty.
  std::function<void(const Task&, const pipeline::Artefacts&, const CycleTrace&)> on_artefacts;
  Deadline deadline = Deadline::max();  // `limits.run_time`
};

// One event loop; queue, services and job outlive it. run() may be called once.
class PageRunner {
 public:
  PageRunner(const pipeline::CycleServices& services, pipeline::JobSession& job,
             queue::TaskQueue& queue, PageRunnerOptions options);

  Async<PagesReport> run();

  // Pages in flight finish, those that wait for their host stay pending, no new ones start.
  void stop();
  // The same for a run that will be resumed: on_finished is not called.
  void interrupt();

 private:
  Async<void> run_worker(int worker_id);
  // True when the page will be retried.
  Async<bool> process_page(Lease lease, int worker_id, AsyncSemaphore::Permit permit);
  [[nodiscard]] bool starts_during_commit() const;
  Async<bool> handle_failure(Lease lease, pipeline::PageFailure failure, CycleTrace trace);
  // True when postponed.
  Async<Result<bool>> retry_or_give_up(Lease lease, pipeline::PageFailure failure,
                                       CycleTrace trace);
  void record_done(const Task& task, const pipeline::CycleResult& end);
  void record_stored_failure(const Task& task, const pipeline::PageFailure& failure);
  void keep_error(const RunError& error);
  void record_costs(const pipeline::CycleResult& end);
  void fail_run(RunError error);
  double random_fraction();
  Async<void> charge_remaining_cost();

  const pipeline::CycleServices& services_;
  pipeline::JobSession& job_;
  queue::TaskQueue& queue_;
  PageRunnerOptions options_;
  PagesReport report_;
  RunId run_;  // empty: no page was leased yet
  // Set while run() is active:
  std::optional<pipeline::StopSignal> stop_;
  std::optional<AsyncSemaphore> permits_;
  bool is_stopped_ = false;
  bool is_interrupted_ = false;
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace heddle::worker
