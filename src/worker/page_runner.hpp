// Works through the pages of one run: as many cycles at a time as the job has workers, retries as
// the policy says.
//
// A script sees its pages one after another on each worker: a page's outcome is stored and told
// before the next one begins. Without a script nobody can tell, so the next page begins as soon as
// the last is on its way to the store; as many may be on that way as are worked on.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "base/async.hpp"
#include "model/page_report.hpp"
#include "model/page_result.hpp"
#include "model/retry.hpp"
#include "pipeline/cycle.hpp"
#include "queue/task_queue.hpp"
#include "worker/turns.hpp"

namespace heddle::worker {

struct PageRunnerOptions {
  std::function<void(const PageReport&)> on_page;  // may be empty
  // Called with what a cycle saw when set; for `debug = true` jobs.
  std::function<void(const Task&, const pipeline::Artefacts&, const CycleTrace&)> on_artefacts;
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
  // The same, and somebody else will go on with the run: its script is not told that it has ended.
  void interrupt();

 private:
  Async<void> work(int worker_id);
  // True when the page is to be tried again.
  Async<bool> work_on(Lease lease, int worker_id, Turns::Turn turn);
  [[nodiscard]] bool begins_early() const;
  Async<bool> handle_failure(Lease lease, pipeline::PageFailure failure, CycleTrace trace);
  // True when postponed.
  Async<Result<bool>> give_up_or_postpone(Lease lease, pipeline::PageFailure failure,
                                          CycleTrace trace);
  void note_done(const Task& task, const pipeline::CycleEnd& end);
  void note_costs(const pipeline::CycleEnd& end);
  void break_down(RunError error);
  double chance();
  Async<void> charge_rest();

  const pipeline::Services& services_;
  pipeline::JobState& job_;
  queue::TaskQueue& queue_;
  PageRunnerOptions options_;
  PagesReport report_;
  RunId run_;  // empty: no page was taken yet
  // While it runs:
  std::optional<pipeline::Stop> stop_;
  std::optional<Turns> turns_;
  bool is_stopped_ = false;
  bool is_interrupted_ = false;
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace heddle::worker
