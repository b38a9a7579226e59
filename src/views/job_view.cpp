#include "views/job_view.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "views/run_view.hpp"

namespace heddle::views {

namespace {

constexpr std::size_t kRunsForStats = 100;
constexpr std::size_t kNewestRuns = 10;  // enough to contain the current and the last one

JobView view_of(const Job& job) {
  JobView view;
  view.id = view.status.job = job.id;
  view.name = job.name;
  view.kind = to_text(job.kind);
  view.group = job.group;
  view.tags = job.tags;
  view.is_enabled = job.enabled;
  return view;
}

void write_share(JsonWriter& json, std::string_view key, const std::optional<double>& share) {
  json.key(key);
  share ? json.decimal(*share) : json.null();
}

void write_maybe_run(JsonWriter& json, std::string_view key, const std::optional<Run>& run) {
  json.key(key);
  if (run)
    write_run(json, *run);
  else
    json.null();
}

void write_stats(JsonWriter& json, const JobStats& stats) {
  json.begin_object().field("runs", stats.runs).field("succeeded", stats.succeeded);
  json.field("pages", stats.pages).field("new_items", stats.new_items);
  json.field("failed_pages", stats.failed_pages);
  json.field("average_ms", stats.average).field("p95_ms", stats.p95);
  write_share(json, "success_rate", stats.success_rate());
  write_share(json, "change_rate", stats.change_rate());
  json.field("last_change_at", stats.last_change).end_object();
}

// Writes into the open object.
void write_job_fields(JsonWriter& json, const JobView& job) {
  json.field("id", job.id.text).field("name", job.name).field("kind", job.kind);
  json.field("state", to_text(job.status.state));
  if (job.status.pause_reason) json.field("pause_reason", to_text(*job.status.pause_reason));
  json.field("check_state", to_text(job.status.check));
  if (!job.mistake.empty()) json.field("mistake", job.mistake);
  json.field("next_run_at", job.status.next_run_at);
  if (const auto& queued = job.status.queued_run) {
    json.key("waiting").begin_object().field("trigger", to_text(queued->trigger));
    json.field("since", queued->since).end_object();
  }
  write_maybe_run(json, "current_run", job.current);
  write_maybe_run(json, "last_run", job.last);
  write_stats(json.key("stats"), job.stats);
}

void write_price_day(JsonWriter& json, const PriceDay& day) {
  json.begin_object().field("day", date_text(day.day)).field("field", day.field);
  if (day.item != 0) json.field("item", day.item);
  if (!day.page.empty()) json.field("page", day.page);
  if (!day.currency.empty()) json.field("currency", day.currency);
  json.field("points", day.points);
  json.key("lowest").raw(fmt::format("{}", day.lowest));
  json.key("highest").raw(fmt::format("{}", day.highest));
  json.key("average").raw(fmt::format("{}", day.average)).end_object();
}

}  // namespace

Result<std::vector<JobView>> read_jobs(store::Reader& reader, const std::vector<Job>& valid,
                                       const std::vector<InvalidJob>& invalid) {
  auto names = reader.jobs();
  if (!names) return std::move(names).error();
  auto statuses = reader.job_statuses();
  if (!statuses) return std::move(statuses).error();
  std::map<JobId, JobView> views;
  for (const Job& job : valid) views.emplace(job.id, view_of(job));
  for (const InvalidJob& job : invalid) {
    if (job.id.text.empty()) continue;
    JobView& view = views[job.id];
    view.id = view.status.job = job.id;
    view.name = job.name;
    view.mistake = job.mistake;
  }
  for (JobStatus& status : *statuses) {
    JobView& view = views[status.job];
    view.id = status.job;
    view.status = std::move(status);
    view.is_stored = true;
  }
  for (const InvalidJob& job : invalid) {
    if (!job.id.text.empty()) continue;
    // Most folders have the name of their job.
    const auto found = views.find(JobId{job.folder});
    if (found != views.end()) found->second.mistake = job.mistake;
  }
  for (const store::JobName& known : *names) {
    const auto found = views.find(known.id);
    if (found == views.end()) continue;
    if (found->second.name.empty()) found->second.name = known.name;
    if (found->second.kind.empty()) found->second.kind = known.kind;
  }
  std::vector<JobView> ordered;
  for (auto& [id, view] : views) ordered.push_back(std::move(view));
  return ordered;
}

Status read_runs(store::Reader& reader, JobView& job) {
  auto figures = reader.recent_runs(job.id, kRunsForStats);
  if (!figures) return std::move(figures).error();
  job.stats = stats_of(*figures);
  auto runs = reader.runs(job.id, kNewestRuns);
  if (!runs) return std::move(runs).error();
  for (Run& run : *runs) {
    std::optional<Run>& newest = run.ended_at ? job.last : job.current;
    if (!newest) newest = std::move(run);
  }
  return Done{};
}

void write_job(JsonWriter& json, const JobView& job) {
  json.begin_object();
  write_job_fields(json, job);
  json.end_object();
}

Result<JobDetails> read_job_details(store::Reader& reader, JobView job,
                                    const store::DayRange& range) {
  auto days = reader.run_days(job.id, range);
  if (!days) return std::move(days).error();
  auto price_days = reader.price_days(job.id, range);
  if (!price_days) return std::move(price_days).error();
  JobDetails details{std::move(job), std::move(*days), std::move(*price_days), {}};
  const std::optional<Run>& run = details.job.current ? details.job.current : details.job.last;
  if (!run) return details;
  auto programs = reader.program_history(run->id);
  if (!programs) return std::move(programs).error();
  details.programs = std::move(*programs);
  details.run_state = run->state;
  return details;
}

void write_job_details(JsonWriter& json, const JobDetails& details) {
  json.begin_object();
  write_job_fields(json, details.job);
  json.key("days").array(details.days, write_run_day);
  if (!details.price_days.empty())
    json.key("price_days").array(details.price_days, write_price_day);
  write_programs(json.key("programs"), details.programs, details.run_state);
  json.end_object();
}

void write_action_result(JsonWriter& json, const control::JobActionResult& result) {
  json.begin_object().field("job_id", result.job);
  if (!result.error.empty()) json.field("error", result.error);
  if (!result.state.empty()) json.field("state", result.state);
  if (!result.allowed.empty()) json.field("allowed", result.allowed);
  if (!result.remark.empty()) json.field("remark", result.remark);
  json.end_object();
}

}  // namespace heddle::views
