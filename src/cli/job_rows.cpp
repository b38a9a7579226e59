#include "cli/job_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kLookedAt = 100;  // runs, for the figures
constexpr std::size_t kNewest = 10;     // among them the current and the last one

std::string_view kind_text(JobKind kind) {
  if (kind == JobKind::command) return "command";
  return kind == JobKind::service ? "service" : "web";
}

JobRow row_of(const Job& job) {
  JobRow row;
  row.id = job.id;
  row.name = job.name;
  row.kind = kind_text(job.kind);
  row.group = job.group;
  row.tags = job.tags;
  row.is_enabled = job.enabled;
  row.life.job = job.id;
  return row;
}

// Every job by id: first what is configured, then what history adds.
Result<std::map<JobId, JobRow>> all_rows(const config::Loaded& loaded, store::Reader& reader) {
  std::map<JobId, JobRow> rows;
  for (const Job& job : loaded.project.jobs) rows.emplace(job.id, row_of(job));
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable || job.id.text.empty()) continue;
    JobRow& row = rows[job.id];
    row.id = row.life.job = job.id;
    row.name = job.name;
    row.mistake = first_mistake(job);
  }
  auto names = reader.jobs();
  if (!names) return std::move(names).error();
  auto lives = reader.job_lives();
  if (!lives) return std::move(lives).error();
  for (JobLife& life : *lives) {
    JobRow& row = rows[life.job];
    row.id = life.job;
    row.life = std::move(life);
    row.is_stored = true;
  }
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable || !job.id.text.empty()) continue;
    // Not even its id can be made out: most folders are called as their jobs are.
    const auto found = rows.find(JobId{job.directory.filename().string()});
    if (found != rows.end()) found->second.mistake = first_mistake(job);
  }
  for (const store::JobName& known : *names) {
    const auto found = rows.find(known.id);
    if (found == rows.end()) continue;
    if (found->second.name.empty()) found->second.name = known.name;
    if (found->second.kind.empty()) found->second.kind = known.kind;
  }
  return rows;
}

Status add_runs(store::Reader& reader, JobRow& row) {
  auto figures = reader.recent_runs(row.id, kLookedAt);
  if (!figures) return std::move(figures).error();
  row.stats = stats_of(*figures);
  auto runs = reader.runs(row.id, kNewest);
  if (!runs) return std::move(runs).error();
  for (Run& run : *runs) {
    if (!run.ended_at && !row.current)
      row.current = std::move(run);
    else if (run.ended_at && !row.last)
      row.last = std::move(run);
  }
  return Done{};
}

bool is_meant(const JobRow& row, const JobSelection& selection) {
  if (!selection.tag.empty() &&
      std::find(row.tags.begin(), row.tags.end(), selection.tag) == row.tags.end())
    return false;
  if (!selection.group.empty() && row.group != selection.group) return false;
  return selection.state.empty() || to_text(row.life.state) == selection.state ||
         to_text(row.life.check) == selection.state;
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

const JobRow* row_of_run(const std::map<JobId, JobRow>& rows, const std::string& run) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&run](const auto& row) {
    return row.second.life.run && row.second.life.run->text == run;
  });
  return found == rows.end() ? nullptr : &found->second;
}

// The job whose run under way has this name. `no_job`: what to say when there is no such run.
Result<JobId> job_of_run(const std::map<JobId, JobRow>& rows, store::Reader& reader,
                         const std::string& name, Error no_job) {
  if (const JobRow* worked_on = row_of_run(rows, name)) return worked_on->id;
  auto run = reader.run(RunId{name});
  if (!run) return std::move(run).error();
  if (!*run) return no_job;
  if (!(*run)->ended_at) return (*run)->job;
  return Error{ErrorCode::conflict,
               fmt::format("run {} of job '{}' has ended: {} at {}", name, (*run)->job.text,
                           to_text((*run)->state), to_iso8601(*(*run)->ended_at))};
}

}  // namespace

Result<std::vector<JobRow>> select_jobs(Context& context, const JobSelection& selection) {
  auto loaded = load_for_reading(context);
  if (!loaded) return std::move(loaded).error();
  auto reader = open_history(context, loaded->project);
  if (!reader) return std::move(reader).error();
  auto rows = all_rows(*loaded, **reader);
  if (!rows) return std::move(rows).error();
  std::set<JobId> named;
  for (const std::string& name : selection.names) {
    auto id = find_job_id(*loaded, **reader, name);
    if (!id && selection.may_name_runs) id = job_of_run(*rows, **reader, name, id.error());
    if (!id) return std::move(id).error();
    named.insert(std::move(*id));
  }
  std::vector<JobRow> chosen;
  for (auto& [id, row] : *rows) {
    if (!named.empty() && !named.contains(id)) continue;
    if (!is_meant(row, selection)) continue;
    if (auto added = add_runs(**reader, row); !added) return std::move(added).error();
    chosen.push_back(std::move(row));
  }
  return chosen;
}

void write_job_row(JsonWriter& json, const JobRow& row) {
  json.begin_object();
  write_job_fields(json, row);
  json.end_object();
}

void write_job_fields(JsonWriter& json, const JobRow& row) {
  json.field("id", row.id.text).field("name", row.name).field("kind", row.kind);
  json.field("state", to_text(row.life.state));
  if (row.life.pause_reason) json.field("pause_reason", to_text(*row.life.pause_reason));
  json.field("check_state", to_text(row.life.check));
  if (!row.mistake.empty()) json.field("mistake", row.mistake);
  write_time(json, "next_run_at", row.life.next_run_at);
  if (row.life.waiting)
    json.key("waiting")
        .begin_object()
        .field("trigger", row.life.waiting->trigger)
        .field("since", to_iso8601(row.life.waiting->since))
        .end_object();
  write_maybe_run(json, "current_run", row.current);
  write_maybe_run(json, "last_run", row.last);
  json.key("stats").begin_object();
  json.field("runs", row.stats.runs).field("succeeded", row.stats.succeeded);
  json.field("pages", row.stats.pages).field("new_items", row.stats.new_items);
  json.field("failed_pages", row.stats.failed_pages);
  json.field("average_ms", row.stats.average.count()).field("p95_ms", row.stats.p95.count());
  write_share(json, "success_rate", row.stats.success_rate());
  write_share(json, "change_rate", row.stats.change_rate());
  write_time(json, "last_change_at", row.stats.last_change);
  json.end_object();
}

}  // namespace heddle::cli
