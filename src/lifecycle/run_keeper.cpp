#include "lifecycle/run_keeper.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::lifecycle {

namespace {

std::vector<std::string> pages_of(const Job& job) {
  if (job.is_url_list || job.urls.empty()) return job.urls;
  return std::vector<std::string>(static_cast<std::size_t>(job.workers), job.urls.front());
}

std::string_view kind_text(JobKind kind) {
  switch (kind) {
    case JobKind::command:
      return "command";
    case JobKind::service:
      return "service";
    case JobKind::web:
      break;
  }
  return "web";
}

// The limit that leaves the fewest pages, and what it says of those it leaves out.
struct PageLimit {
  std::size_t most = 0;
  std::string name;
};

PageLimit page_limit(const JobLimits& limits, std::optional<std::int64_t> pages_left) {
  if (pages_left && *pages_left < limits.pages_per_run)
    return {static_cast<std::size_t>(*pages_left),
            fmt::format("limits.pages_per_day = {}", limits.pages_per_day.value_or(*pages_left))};
  return {static_cast<std::size_t>(limits.pages_per_run),
          fmt::format("limits.pages_per_run = {}", limits.pages_per_run)};
}

RunError left_out(const PageLimit& limit, std::size_t listed) {
  return {std::string(kLimited),
          fmt::format("{}: the other pages of {} were left out", limit.name, listed), ""};
}

}  // namespace

bool was_cut_short(const Run& run) {
  return std::any_of(run.errors.begin(), run.errors.end(),
                     [](const RunError& error) { return error.kind == kLimited; });
}

Async<Result<std::size_t>> RunKeeper::settle_leftovers(JobId job) {
  auto leftovers = co_await store_.unfinished_runs();
  if (!leftovers) co_return std::move(leftovers).error();
  std::size_t settled = 0;
  for (const Run& run : *leftovers) {
    if (run.job != job) continue;
    std::vector<RunError> errors{
        {"interrupted", "heddle ended before this run did; what it had stored is kept", ""}};
    auto ended = co_await store_.end_run(run.id, RunState::failed, std::move(errors), clock_.now());
    if (!ended) co_return std::move(ended).error();
    ++settled;
  }
  co_return settled;
}

Async<Status> RunKeeper::remember(const Job& job) {
  store::JobName name{job.id, job.name, std::string(kind_text(job.kind)), job.revision};
  co_return co_await store_.remember_job(std::move(name));
}

Async<Result<BegunRun>> RunKeeper::begin(const Job& job, std::string trigger, int attempt,
                                         std::optional<std::int64_t> pages_left) {
  auto remembered = co_await remember(job);
  if (!remembered) co_return std::move(remembered).error();

  std::vector<std::string> urls = pages_of(job);
  const PageLimit limit = page_limit(job.limits, pages_left);
  BegunRun begun;
  begun.is_cut_short = urls.size() > limit.most;
  // Kept with the run: whoever ends it may know another list, or another limit.
  if (begun.is_cut_short) begun.run.errors.push_back(left_out(limit, urls.size()));
  if (begun.is_cut_short) urls.resize(limit.most);

  begun.run.id = RunId{make_unique_id(clock_.now())};
  begun.run.job = job.id;
  begun.run.state = RunState::in_progress;
  begun.run.trigger = std::move(trigger);
  begun.run.attempt = attempt;
  begun.run.revision = job.revision;
  begun.run.started_at = clock_.now();
  begun.run.pages.total = static_cast<std::int64_t>(urls.size());
  auto stored = co_await store_.begin_run(begun.run, std::move(urls));
  if (!stored) co_return std::move(stored).error();
  co_return begun;
}

Async<Result<Run>> RunKeeper::begin_of_letters(const Job& job, RunId id,
                                               std::vector<LetterId> letters) {
  auto remembered = co_await remember(job);
  if (!remembered) co_return std::move(remembered).error();
  const auto most = static_cast<std::size_t>(job.limits.pages_per_run);
  if (letters.size() > most) letters.resize(most);
  Run run;
  run.id = std::move(id);
  run.job = job.id;
  run.state = RunState::in_progress;
  run.trigger = kDeadLetterTrigger;
  run.revision = job.revision;
  run.started_at = clock_.now();
  auto pages = co_await store_.begin_run_of_letters(run, std::move(letters));
  if (!pages) co_return std::move(pages).error();
  run.pages.total = *pages;
  co_return run;
}

Async<Result<Run>> RunKeeper::end(RunId run, RunFacts facts, std::vector<RunError> errors) {
  co_return co_await store_.end_run(std::move(run), judge(facts), std::move(errors), clock_.now());
}

}  // namespace heddle::lifecycle
