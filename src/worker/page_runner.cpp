#include "worker/page_runner.hpp"

#include <algorithm>
#include <array>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/pause.hpp"
#include "model/run/run_problems.hpp"

namespace heddle::worker {

namespace asio = boost::asio;
using pipeline::CycleResult;
using pipeline::PageDone;
using pipeline::PageFailure;

namespace {

// Whether a failed page leaves a dead letter. A retry by hand does not change a refusal. What a
// page says or how a site answers is judged again by the next run; so is a site that does not
// answer, of a job that only watches whether it does.
bool leaves_dead_letter(const Job& job, ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_url:
    case ErrorKind::blocked:
    case ErrorKind::robots:
    case ErrorKind::expectation:
    case ErrorKind::bot_wall:
    case ErrorKind::login_required:
      return false;
    default:
      return job.watch != WatchKind::status;
  }
}

}  // namespace

PageRunner::PageRunner(const pipeline::CycleServices& services, pipeline::JobSession& job,
                       queue::TaskQueue& queue, PageRunnerOptions options)
    : services_(services), job_(job), queue_(queue), options_(std::move(options)) {}

Async<PagesReport> PageRunner::run() {
  const auto executor = co_await asio::this_coro::executor;
  stop_.emplace(executor);
  if (is_stopped_) stop_->request();
  using Worker = decltype(asio::co_spawn(executor, run_worker(0), asio::deferred));
  std::vector<Worker> workers;
  const int concurrency = job_.plan.job.workers;
  permits_.emplace(executor, concurrency);
  for (int id = 1; id <= (starts_during_commit() ? 2 : 1) * concurrency; ++id)
    workers.push_back(asio::co_spawn(executor, run_worker(id), asio::deferred));

  asio::steady_timer time_limit(executor, options_.deadline);
  time_limit.async_wait([this](boost::system::error_code cancelled) {
    if (cancelled) return;
    report_.ran_out_of_time = true;
    stop();
  });
  auto all = asio::experimental::make_parallel_group(std::move(workers));
  const auto [order, thrown] =
      co_await all.async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
  time_limit.cancel();
  for (const std::exception_ptr& bug : thrown)
    if (bug) std::rethrow_exception(bug);  // a run with missing pages must not look complete
  if (job_.script != nullptr && !is_interrupted_) co_await job_.script->finish_run();
  co_await charge_remaining_cost();
  co_return std::move(report_);
}

// The cost of hooks that ran after the last commit. Not worth failing for.
Async<void> PageRunner::charge_remaining_cost() {
  const PageCost cost = pipeline::take_cost(job_);
  if (cost.cpu.count() == 0 || run_.text.empty() || report_.store_failed) co_return;
  RunId run = run_;
  auto charged = co_await services_.store.charge(std::move(run), cost);
  if (!charged) services_.log.debug("cost of a run: " + charged.error().message);
}

void PageRunner::stop() {
  is_stopped_ = true;
  queue_.close();
  if (stop_) stop_->request();
}

void PageRunner::interrupt() {
  is_interrupted_ = true;
  stop();
}

bool PageRunner::starts_during_commit() const {
  return job_.script == nullptr && job_.plan.job.is_url_list;
}

Async<void> PageRunner::run_worker(int worker_id) {
  co_await pause_for(job_.plan.job.stagger * (worker_id - 1));
  while (true) {
    auto permit = co_await permits_->acquire();
    auto lease = co_await queue_.take();
    if (!lease) co_return fail_run(store_error(std::move(lease).error()));
    if (!*lease) co_return;
    const bool is_queue = job_.plan.job.is_url_list;
    // Without a list every worker runs one cycle on the page, however fast the others are.
    const int id = is_queue ? worker_id : static_cast<int>((*lease)->task.number);
    const bool will_retry = co_await process_page(std::move(**lease), id, std::move(permit));
    if (!is_queue && !will_retry) co_return;
  }
}

Async<bool> PageRunner::process_page(Lease lease, int worker_id, AsyncSemaphore::Permit permit) {
  pipeline::Artefacts artefacts;
  pipeline::CycleSpec spec;
  spec.lease = lease;
  run_ = lease.task.run;
  spec.worker_id = worker_id;
  spec.artefacts = options_.on_artefacts ? &artefacts : nullptr;
  spec.stop = &*stop_;
  if (starts_during_commit()) spec.on_commit = [&permit] { permit.release(); };
  CycleResult end = co_await pipeline::run_cycle(services_, job_, spec);
  record_costs(end);
  if (options_.on_artefacts) options_.on_artefacts(lease.task, artefacts, end.trace);
  if (auto* failure = std::get_if<PageFailure>(&end.outcome))
    co_return co_await handle_failure(std::move(lease), std::move(*failure), std::move(end.trace));
  record_done(lease.task, end);
  queue_.task_done();
  co_return false;
}

Async<bool> PageRunner::handle_failure(Lease lease, PageFailure failure, CycleTrace trace) {
  if (failure.stored) {
    record_stored_failure(lease.task, failure);
    queue_.task_done();
    co_return false;
  }
  if (failure.is_internal) {
    fail_run(std::move(failure.error));
    co_return false;
  }
  bool will_retry = false;
  if (!failure.was_stopped) {  // else its task stays pending
    auto stored = co_await retry_or_give_up(std::move(lease), std::move(failure), std::move(trace));
    if (!stored) {
      fail_run(store_error(std::move(stored).error()));
      co_return false;
    }
    will_retry = *stored;
  }
  queue_.task_done();
  co_return will_retry;
}

Async<Result<bool>> PageRunner::retry_or_give_up(Lease lease, PageFailure failure,
                                                 CycleTrace trace) {
  PageReport page{.task = lease.task, .state = TaskState::dead, .error = failure.error};
  const FailedTry failed{lease.task.attempt, failure.transient, failure.retry_after};
  const auto& next = is_wrong_page(page.error.kind) ? next_try_of_wrong_page : next_try;
  const auto wait = next(job_.plan.job.retry, failed, random_fraction());
  Status stored;
  if (wait) {
    page.state = TaskState::retry;
    page.wait = *wait;
    const WallTime now = services_.clock.now();
    TaskRetry retry{
        std::move(lease),         std::move(failure.error), now + *wait, std::move(trace), now,
        pipeline::take_cost(job_)};
    stored = co_await services_.store.postpone(std::move(retry));
  } else {
    ++report_.pages.failed;
    keep_error(failure.error);
    TaskDeath death;
    death.lease = std::move(lease);
    death.job = job_.plan.job.id;
    death.keep_dead_letter = leaves_dead_letter(job_.plan.job, failure.error.kind);
    death.error = std::move(failure.error);
    death.at = services_.clock.now();
    death.trace = std::move(trace);
    death.cost = pipeline::take_cost(job_);
    stored = co_await services_.store.dead_letter(std::move(death));
  }
  if (!stored) co_return std::move(stored).error();
  if (options_.on_page) options_.on_page(page);
  co_return wait.has_value();
}

void PageRunner::keep_error(const RunError& error) {
  if (report_.errors.size() < kKeptRunErrors) report_.errors.push_back(error);
}

// The commit has ended the task.
void PageRunner::record_stored_failure(const Task& task, const PageFailure& failure) {
  ++report_.pages.failed;
  keep_error(failure.error);
  report_.items.seen += failure.stored->seen;
  report_.items.fresh += failure.stored->fresh;
  if (!options_.on_page) return;
  PageReport page{.task = task, .state = TaskState::dead, .items = *failure.stored};
  page.error = failure.error;
  options_.on_page(page);
}

void PageRunner::record_done(const Task& task, const CycleResult& end) {
  const auto& done = std::get<PageDone>(end.outcome);
  ++(done.is_skipped ? report_.pages.skipped : report_.pages.done);
  report_.items.seen += done.items.seen;
  report_.items.fresh += done.items.fresh;
  report_.items.changed += done.items.changed;
  report_.bytes += end.bytes;
  if (!options_.on_page) return;
  PageReport page{.task = task, .is_unchanged = done.is_unchanged, .items = done.items};
  page.bytes = end.bytes;
  page.found_pages = done.found_pages;
  if (done.is_skipped) page.state = TaskState::skipped;
  options_.on_page(page);
}

void PageRunner::record_costs(const CycleResult& end) {
  StageCosts& costs = report_.costs;
  ++costs.cycles;
  for (std::size_t i = 0; i < kStageCount; ++i) costs.stages[i] += end.trace.stages[i].duration;
  costs.extract.decode += end.extract_cost.decode;
  costs.extract.parse += end.extract_cost.parse;
  costs.extract.select += end.extract_cost.select;
}

// Without a store the run cannot keep its results: no worker leases another page.
void PageRunner::fail_run(RunError error) {
  if (!report_.store_failed) report_.errors.push_back(std::move(error));
  report_.store_failed = true;
  queue_.close();
}

double PageRunner::random_fraction() {
  return std::uniform_real_distribution<double>(0, 1)(random_);
}

}  // namespace heddle::worker
