#include "lifecycle/run_ledger.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::lifecycle {

namespace {

std::vector<std::string> pages_of(const Job& job) {
  if (job.is_url_list || job.urls.empty()) return job.urls;
  return std::vector<std::string>(static_cast<std::size_t>(job.workers), job.urls.front());
}

// The strictest limit, and its name for the error.
struct PageLimit {
  std::size_t max_pages = 0;
  std::string name;
};

PageLimit page_limit(const JobLimits& limits, std::optional<std::int64_t> pages_left) {
  if (pages_left && *pages_left < limits.pages_per_run)
    return {static_cast<std::size_t>(*pages_left),
            fmt::format("limits.pages_per_day = {}", limits.pages_per_day.value_or(*pages_left))};
  return {static_cast<std::size_t>(limits.pages_per_run),
          fmt::format("limits.pages_per_run = {}", limits.pages_per_run)};
}

RunError truncation_error(const PageLimit& limit, std::size_t listed) {
  return {ErrorKind::limited,
          fmt::format("{}: the other pages of {} were not fetched", limit.name, listed), ""};
}

}  // namespace

bool was_truncated(const Run& run) {
  return std::any_of(run.errors.begin(), run.errors.end(),
                     [](const RunError& error) { return error.kind == ErrorKind::limited; });
}

Async<Result<std::size_t>> RunLedger::end_interrupted_runs(JobId job) {
  auto unfinished = co_await store_.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::size_t settled = 0;
  for (Run& run : *unfinished) {
    if (run.job != job) continue;
    std::vector<RunError> errors = std::move(run.errors);
    errors.insert(errors.begin(), {ErrorKind::interrupted, kReplacedByLaterRun, ""});
    auto ended = co_await store_.end_run(run.id, RunState::failed, std::move(errors), clock_.now());
    if (!ended) co_return std::move(ended).error();
    ++settled;
  }
  co_return settled;
}

Async<Status> RunLedger::record_job(const Job& job) {
  store::JobName name{job.id, job.name, std::string(to_text(job.kind)), job.revision};
  co_return co_await store_.put_job_name(std::move(name));
}

Run RunLedger::new_run(const Job& job, RunId id, RunTrigger trigger) const {
  Run run;
  run.id = std::move(id);
  run.job = job.id;
  run.state = RunState::in_progress;
  run.trigger = trigger;
  run.revision = job.revision;
  run.started_at = clock_.now();
  return run;
}

Async<Result<Run>> RunLedger::begin(const Job& job, RunTrigger trigger, int attempt,
                                    std::optional<std::int64_t> pages_left) {
  auto recorded = co_await record_job(job);
  if (!recorded) co_return std::move(recorded).error();
  Run run = new_run(job, RunId{make_unique_id(clock_.now())}, trigger);
  run.attempt = attempt;
  std::vector<std::string> urls = pages_of(job);
  const PageLimit limit = page_limit(job.limits, pages_left);
  if (urls.size() > limit.max_pages) {
    // Stored with the run: the list or the limit may differ when it ends.
    run.errors.push_back(truncation_error(limit, urls.size()));
    urls.resize(limit.max_pages);
  }
  run.pages.total = static_cast<std::int64_t>(urls.size());
  if (job.discover.is_enabled) {
    const auto most = static_cast<std::int64_t>(limit.max_pages);
    run.most_pages = std::min(most, job.discover.max_pages.value_or(most));
  }
  auto stored = co_await store_.begin_run(run, std::move(urls));
  if (!stored) co_return std::move(stored).error();
  co_return run;
}

Async<Result<Run>> RunLedger::begin_dead_letter_run(const Job& job, RunId id,
                                                    std::vector<DeadLetterId> dead_letters) {
  auto recorded = co_await record_job(job);
  if (!recorded) co_return std::move(recorded).error();
  const auto max_pages = static_cast<std::size_t>(job.limits.pages_per_run);
  if (dead_letters.size() > max_pages) dead_letters.resize(max_pages);
  Run run = new_run(job, std::move(id), RunTrigger::dead_letter);
  auto pages = co_await store_.begin_run_of_dead_letters(run, std::move(dead_letters));
  if (!pages) co_return std::move(pages).error();
  run.pages.total = *pages;
  co_return run;
}

}  // namespace heddle::lifecycle
