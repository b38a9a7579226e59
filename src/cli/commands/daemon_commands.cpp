#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "model/json.hpp"

namespace heddle::cli {

namespace {

std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

Colour colour_of(const std::string& state) {
  if (state == "ready") return Colour::green;
  if (state == "gave_up" || state == "down") return Colour::red;
  return Colour::yellow;
}

Colour colour_of_level(const std::string& level) {
  if (level == "full") return Colour::red;
  return level == "warning" ? Colour::yellow : Colour::none;
}

std::string storage_text(const ipc::DaemonStatus& status) {
  const double share = status.storage_limit == 0 ? 0
                                                 : 100 * static_cast<double>(status.storage_used) /
                                                       static_cast<double>(status.storage_limit);
  std::string text =
      fmt::format("{} of {} ({:.0f} %), database {}", megabytes(status.storage_used),
                  megabytes(status.storage_limit), share, megabytes(status.database_bytes));
  if (status.storage_level == "full") text += ": full, no run begins";
  return text;
}

std::string last_event_text(const ipc::WorkerStatus& worker) {
  if (worker.last_event.empty()) return "";
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now() - worker.last_event_at);
  std::string text = worker.last_event + ", " +
                     duration_text(std::max(age, std::chrono::milliseconds(0))) + " ago";
  if (!worker.last_event_detail.empty()) text += ": " + worker.last_event_detail;
  return text;
}

// "news, shop", "a, b, c and 97 more"
std::string jobs_text(const std::vector<std::string>& jobs) {
  constexpr std::size_t kShown = 3;
  const auto shown = std::min(jobs.size(), kShown);
  const std::string names =
      fmt::format("{}", fmt::join(jobs.begin(), jobs.begin() + static_cast<long>(shown), ", "));
  return jobs.size() == shown ? names : fmt::format("{} and {} more", names, jobs.size() - shown);
}

void print_workers(CommandContext& context, const std::vector<ipc::WorkerStatus>& workers) {
  TextTable table({"SLOT", "STATE", "PID", "OCCURRENCE", "UP", "MEMORY", "WORKS ON", "LAST EVENT"});
  for (const ipc::WorkerStatus& worker : workers) {
    const bool has_process = worker.pid != 0;
    table.add({worker.name, context.out.paint(colour_of(worker.state), worker.state),
               has_process ? std::to_string(worker.pid) : "-", std::to_string(worker.occurrence),
               has_process ? duration_text(worker.uptime) : "-",
               has_process ? megabytes(worker.rss_bytes) : "-", jobs_text(worker.jobs),
               last_event_text(worker)});
  }
  table.print(context.out);
}

void write_worker(JsonWriter& json, const ipc::WorkerStatus& worker) {
  json.begin_object();
  json.field("slot", worker.number).field("name", worker.name).field("state", worker.state);
  if (worker.pid != 0)
    json.field("pid", worker.pid);
  else
    json.key("pid").null();
  json.field("occurrence", worker.occurrence).field("uptime_ms", worker.uptime.count());
  json.field("rss_bytes", worker.rss_bytes);
  json.field("restarts_in_window", worker.restarts_in_window);
  json.key("jobs").begin_array();
  for (const std::string& job : worker.jobs) json.value(job);
  json.end_array();
  if (worker.working_on.empty())
    json.key("working_on").null();
  else
    json.field("working_on", worker.working_on);
  json.key("last_event");
  if (worker.last_event.empty()) {
    json.null();
  } else {
    json.begin_object();
    json.field("reason", worker.last_event).field("time", to_iso8601(worker.last_event_at));
    json.field("detail", worker.last_event_detail).end_object();
  }
  json.end_object();
}

void write_workers(JsonWriter& json, const std::vector<ipc::WorkerStatus>& workers) {
  json.begin_array();
  for (const ipc::WorkerStatus& worker : workers) write_worker(json, worker);
  json.end_array();
}

// The last worker with that number counts: an earlier one is shutting down.
bool has_process(const ipc::DaemonStatus& status, int number) {
  bool has_pid = false;
  for (const ipc::WorkerStatus& worker : status.workers)
    if (worker.number == number) has_pid = worker.pid != 0;
  return has_pid;
}

ExitCode fail_without_daemon(CommandContext& context, const Error& why) {
  return context.fail(why.message,
                      why.code == ErrorCode::not_found ? ExitCode::no_daemon : ExitCode::failed);
}

// The part of the status that comes from the store.
struct StoredStatus {
  store::Backlog backlog;
  std::vector<JobStatus> failing;  // neither ok nor pending
  std::vector<SystemAlert> alerts;
};

Result<StoredStatus> read_stored_status(CommandContext& context, const Project& project) {
  auto reader = open_history(context, project);
  if (!reader) return std::move(reader).error();
  auto backlog = (*reader)->backlog();
  if (!backlog) return std::move(backlog).error();
  auto statuses = (*reader)->job_statuses();
  if (!statuses) return std::move(statuses).error();
  auto alerts = (*reader)->alerts();
  if (!alerts) return std::move(alerts).error();
  StoredStatus stored{*backlog, {}, std::move(*alerts)};
  for (JobStatus& job_status : *statuses)
    if (job_status.check != CheckState::ok && job_status.check != CheckState::pending)
      stored.failing.push_back(std::move(job_status));
  return stored;
}

void print_status_json(CommandContext& context, const ipc::DaemonStatus& status,
                       const StoredStatus& stored) {
  JsonWriter json;
  json.begin_object();
  json.field("pid", status.pid).field("version", status.version);
  json.field("uptime_ms", status.uptime.count()).field("jobs", status.jobs);
  json.field("runs_under_way", status.runs_under_way);
  json.field("pages_waiting", stored.backlog.pages);
  json.field("messages_waiting", stored.backlog.messages);
  json.field("dead_letters", stored.backlog.dead_letters);
  json.field("loop_latency_us", status.loop_latency.count());
  json.field("database_bytes", status.database_bytes);
  json.key("storage").begin_object();
  json.field("used_bytes", status.storage_used).field("limit_bytes", status.storage_limit);
  json.field("level", status.storage_level).end_object();
  json.key("alerts").begin_array();
  for (const SystemAlert& alert : stored.alerts)
    json.begin_object()
        .field("key", alert.key)
        .field("level", to_text(alert.level))
        .field("text", alert.text)
        .field("since", to_iso8601(alert.since))
        .end_object();
  json.end_array();
  json.key("checks").begin_array();
  for (const JobStatus& job_status : stored.failing)
    json.begin_object()
        .field("job", job_status.job.text)
        .field("check_state", to_text(job_status.check))
        .end_object();
  json.end_array();
  write_workers(json.key("workers"), status.workers);
  json.end_object();
  context.out.line(json.text());
}

void print_status(CommandContext& context, const ipc::DaemonStatus& status,
                  const StoredStatus& stored) {
  const auto line = [&context](std::string_view name, const std::string& text) {
    context.out.line(fmt::format("  {:<9}{}", name, text));
  };
  context.out.line(fmt::format("heddle {} is {} (pid {}, for {})", status.version,
                               context.out.paint(Colour::green, "up"), status.pid,
                               duration_text(status.uptime)));
  line("jobs", fmt::format("{}, {} run{} under way, {} page{} to do", status.jobs,
                           status.runs_under_way, status.runs_under_way == 1 ? "" : "s",
                           stored.backlog.pages, stored.backlog.pages == 1 ? "" : "s"));
  line("messages",
       fmt::format("{} waiting; {} dead letter{}", stored.backlog.messages,
                   stored.backlog.dead_letters, stored.backlog.dead_letters == 1 ? "" : "s"));
  line("loop", fmt::format("at most {:.1f} ms late in the last minute",
                           static_cast<double>(status.loop_latency.count()) / 1000));
  line("storage", context.out.paint(colour_of_level(status.storage_level), storage_text(status)));
  for (const SystemAlert& alert : stored.alerts)
    line("alert", context.out.paint(Colour::red, fmt::format("{} ({}): {}", alert.key,
                                                             to_text(alert.level), alert.text)));
  for (const JobStatus& job_status : stored.failing)
    line("check", context.out.paint(Colour::red, fmt::format("{}: {}", job_status.job.text,
                                                             to_text(job_status.check))));
  print_workers(context, status.workers);
}

}  // namespace

ExitCode run_up(CommandContext& context, const UpOptions& options) {
  auto loaded = load(context);
  if (!loaded) return context.fail(loaded.error().message);
  const auto broken = std::count_if(loaded->jobs.begin(), loaded->jobs.end(),
                                    [](const config::LoadedJob& job) { return !job.usable; });
  if (broken > 0 && options.quiet < 2)
    context.err.line(
        fmt::format("warning: {} job{} mistakes and will not run: `heddle check` shows "
                    "them",
                    broken, broken == 1 ? " has" : "s have"));
  auto ended = context.backend.up(loaded->project, options);
  return ended ? ExitCode::done : context.fail(ended.error().message);
}

ExitCode show_status(CommandContext& context) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto status = context.backend.daemon_status(loaded->project);
  if (!status) return fail_without_daemon(context, status.error());
  auto stored = read_stored_status(context, loaded->project);
  if (!stored) return context.fail(stored.error().message);
  if (context.json)
    print_status_json(context, *status, *stored);
  else
    print_status(context, *status, *stored);
  return ExitCode::done;
}

ExitCode show_metrics(CommandContext& context) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto metrics = context.backend.metrics(loaded->project);
  if (!metrics) return fail_without_daemon(context, metrics.error());
  if (!context.json) {
    context.out.print(metrics->text);
    return ExitCode::done;
  }
  JsonWriter json;
  json.begin_object().field("format", "prometheus").field("text", metrics->text).end_object();
  context.out.line(json.text());
  return ExitCode::done;
}

ExitCode show_workers(CommandContext& context) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto status = context.backend.daemon_status(loaded->project);
  if (!status) return fail_without_daemon(context, status.error());
  if (!context.json) {
    print_workers(context, status->workers);
    return ExitCode::done;
  }
  JsonWriter json;
  write_workers(json, status->workers);
  context.out.line(json.text());
  return ExitCode::done;
}

ExitCode restart_worker(CommandContext& context, int number) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  const auto before = context.backend.daemon_status(loaded->project);
  auto restarted = context.backend.restart_worker(loaded->project, number);
  if (!restarted && restarted.error().code == ErrorCode::not_found) {
    const auto status = context.backend.daemon_status(loaded->project);
    if (status)
      return context.fail(restarted.error().message);  // the daemon runs, but has no such slot
  }
  if (!restarted) return fail_without_daemon(context, restarted.error());
  const bool is_replaced = before && has_process(*before, number);
  if (context.json) {
    JsonWriter json;
    json.begin_object().field("slot", number);
    json.field("action", is_replaced ? "replace" : "start").end_object();
    context.out.line(json.text());
    return ExitCode::done;
  }
  context.out.line(
      is_replaced ? fmt::format("worker {} is being replaced: it finishes its pages first", number)
                  : fmt::format("worker {} is being started", number));
  return ExitCode::done;
}

}  // namespace heddle::cli
