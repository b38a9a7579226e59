#include "cli/job_summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kRunsForStats = 100;  // runs, for the statistics
constexpr std::size_t kNewest = 10;         // runs; enough to contain the current and the last one

std::string_view kind_text(JobKind kind) {
  if (kind == JobKind::command) return "command";
  return kind == JobKind::service ? "service" : "web";
}

JobSummary summary_of(const Job& job) {
  JobSummary summary;
  summary.id = job.id;
  summary.name = job.name;
  summary.kind = kind_text(job.kind);
  summary.group = job.group;
  summary.tags = job.tags;
  summary.is_enabled = job.enabled;
  summary.status.job = job.id;
  return summary;
}

// Every job by id: configured jobs first, then those of the history.
Result<std::map<JobId, JobSummary>> all_summaries(const config::Loaded& loaded,
                                                  store::Reader& reader) {
  std::map<JobId, JobSummary> summaries;
  for (const Job& job : loaded.project.jobs) summaries.emplace(job.id, summary_of(job));
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable || job.id.text.empty()) continue;
    JobSummary& summary = summaries[job.id];
    summary.id = summary.status.job = job.id;
    summary.name = job.name;
    summary.mistake = first_error(job);
  }
  auto names = reader.jobs();
  if (!names) return std::move(names).error();
  auto statuses = reader.job_statuses();
  if (!statuses) return std::move(statuses).error();
  for (JobStatus& status : *statuses) {
    JobSummary& summary = summaries[status.job];
    summary.id = status.job;
    summary.status = std::move(status);
    summary.is_stored = true;
  }
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable || !job.id.text.empty()) continue;
    // Its id is unknown, but most folders have the name of their job.
    const auto found = summaries.find(JobId{job.directory.filename().string()});
    if (found != summaries.end()) found->second.mistake = first_error(job);
  }
  for (const store::JobName& known : *names) {
    const auto found = summaries.find(known.id);
    if (found == summaries.end()) continue;
    if (found->second.name.empty()) found->second.name = known.name;
    if (found->second.kind.empty()) found->second.kind = known.kind;
  }
  return summaries;
}

Status add_runs(store::Reader& reader, JobSummary& summary) {
  auto figures = reader.recent_runs(summary.id, kRunsForStats);
  if (!figures) return std::move(figures).error();
  summary.stats = stats_of(*figures);
  auto runs = reader.runs(summary.id, kNewest);
  if (!runs) return std::move(runs).error();
  for (Run& run : *runs) {
    if (!run.ended_at && !summary.current)
      summary.current = std::move(run);
    else if (run.ended_at && !summary.last)
      summary.last = std::move(run);
  }
  return Done{};
}

bool matches(const JobSummary& summary, const JobSelection& selection) {
  if (!selection.tag.empty() &&
      std::find(summary.tags.begin(), summary.tags.end(), selection.tag) == summary.tags.end())
    return false;
  if (!selection.group.empty() && summary.group != selection.group) return false;
  return selection.state.empty() || to_text(summary.status.state) == selection.state ||
         to_text(summary.status.check) == selection.state;
}

void write_time(JsonWriter& json, std::string_view key, const std::optional<WallTime>& time) {
  if (time)
    json.field(key, to_iso8601(*time));
  else
    json.key(key).null();
}

void write_share(JsonWriter& json, std::string_view key, const std::optional<double>& share) {
  if (share)
    json.key(key).raw(fmt::format("{:.3f}", *share));
  else
    json.key(key).null();
}

void write_maybe_run(JsonWriter& json, std::string_view key, const std::optional<Run>& run) {
  json.key(key);
  if (run)
    write_run(json, *run);
  else
    json.null();
}

}  // namespace

namespace {

const JobSummary* summary_of_run(const std::map<JobId, JobSummary>& summaries,
                                 const std::string& run) {
  const auto found = std::find_if(summaries.begin(), summaries.end(), [&run](const auto& summary) {
    return summary.second.status.run && summary.second.status.run->text == run;
  });
  return found == summaries.end() ? nullptr : &found->second;
}

// The job whose active run has this id; the error `no_job` when there is no such run.
Result<JobId> job_of_run(const std::map<JobId, JobSummary>& summaries, store::Reader& reader,
                         const std::string& name, Error no_job) {
  if (const JobSummary* worked_on = summary_of_run(summaries, name)) return worked_on->id;
  auto run = reader.run(RunId{name});
  if (!run) return std::move(run).error();
  if (!*run) return no_job;
  if (!(*run)->ended_at) return (*run)->job;
  return Error{ErrorCode::conflict,
               fmt::format("run {} of job '{}' has ended: {} at {}", name, (*run)->job.text,
                           to_text((*run)->state), to_iso8601(*(*run)->ended_at))};
}

}  // namespace

Result<std::vector<JobSummary>> select_jobs(CommandContext& context,
                                            const JobSelection& selection) {
  auto loaded = load_for_reading(context);
  if (!loaded) return std::move(loaded).error();
  auto reader = open_history(context, loaded->project);
  if (!reader) return std::move(reader).error();
  auto summaries = all_summaries(*loaded, **reader);
  if (!summaries) return std::move(summaries).error();
  std::set<JobId> named;
  for (const std::string& name : selection.names) {
    auto id = find_job_id(*loaded, **reader, name);
    if (!id && selection.may_name_runs) id = job_of_run(*summaries, **reader, name, id.error());
    if (!id) return std::move(id).error();
    named.insert(std::move(*id));
  }
  std::vector<JobSummary> chosen;
  for (auto& [id, summary] : *summaries) {
    if (!named.empty() && !named.contains(id)) continue;
    if (!matches(summary, selection)) continue;
    if (auto added = add_runs(**reader, summary); !added) return std::move(added).error();
    chosen.push_back(std::move(summary));
  }
  return chosen;
}

void write_job_summary(JsonWriter& json, const JobSummary& summary) {
  json.begin_object();
  write_job_fields(json, summary);
  json.end_object();
}

void write_job_fields(JsonWriter& json, const JobSummary& summary) {
  json.field("id", summary.id.text).field("name", summary.name).field("kind", summary.kind);
  json.field("state", to_text(summary.status.state));
  if (summary.status.pause_reason)
    json.field("pause_reason", to_text(*summary.status.pause_reason));
  json.field("check_state", to_text(summary.status.check));
  if (!summary.mistake.empty()) json.field("mistake", summary.mistake);
  write_time(json, "next_run_at", summary.status.next_run_at);
  if (summary.status.queued_run)
    json.key("waiting")
        .begin_object()
        .field("trigger", summary.status.queued_run->trigger)
        .field("since", to_iso8601(summary.status.queued_run->since))
        .end_object();
  write_maybe_run(json, "current_run", summary.current);
  write_maybe_run(json, "last_run", summary.last);
  json.key("stats").begin_object();
  json.field("runs", summary.stats.runs).field("succeeded", summary.stats.succeeded);
  json.field("pages", summary.stats.pages).field("new_items", summary.stats.new_items);
  json.field("failed_pages", summary.stats.failed_pages);
  json.field("average_ms", summary.stats.average.count())
      .field("p95_ms", summary.stats.p95.count());
  write_share(json, "success_rate", summary.stats.success_rate());
  write_share(json, "change_rate", summary.stats.change_rate());
  write_time(json, "last_change_at", summary.stats.last_change);
  json.end_object();
}

}  // namespace heddle::cli
