#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/call_daemon.hpp"
#include "cli/commands.hpp"
#include "views/daemon_view.hpp"
#include "views/worker_view.hpp"

namespace heddle::cli {

namespace {

Colour colour_of(const std::string& state) {
  if (state == "ready") return Colour::green;
  if (state == "gave_up" || state == "down") return Colour::red;
  return Colour::yellow;
}

Colour colour_of_level(const std::string& level) {
  if (level == "full") return Colour::red;
  return level == "warning" ? Colour::yellow : Colour::none;
}

std::string storage_text(const control::DaemonStatus& status) {
  const double share = status.storage_limit == 0 ? 0
                                                 : 100 * static_cast<double>(status.storage_used) /
                                                       static_cast<double>(status.storage_limit);
  std::string text = fmt::format(
      "{} of {} ({:.0f} %), database {}", megabytes_text(status.storage_used),
      megabytes_text(status.storage_limit), share, megabytes_text(status.database_bytes));
  if (status.storage_level == "full") text += ": full, no run begins";
  return text;
}

std::string last_event_text(const control::WorkerStatus& worker) {
  if (worker.last_event.empty()) return "";
  const auto age = SystemClock().now() - worker.last_event_at;
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

void print_workers(CommandContext& context, const std::vector<control::WorkerStatus>& workers) {
  TextTable table({"SLOT", "STATE", "PID", "OCCURRENCE", "UP", "MEMORY", "WORKS ON", "LAST EVENT"});
  for (const control::WorkerStatus& worker : workers) {
    const bool has_process = worker.pid != 0;
    table.add({worker.name, context.out.paint(colour_of(worker.state), worker.state),
               has_process ? std::to_string(worker.pid) : "-", std::to_string(worker.occurrence),
               has_process ? duration_text(worker.uptime) : "-",
               has_process ? megabytes_text(worker.rss_bytes) : "-", jobs_text(worker.jobs),
               last_event_text(worker)});
  }
  table.print(context.out);
}

// The last worker with that number counts: an earlier one is shutting down.
bool has_process(const control::DaemonStatus& status, int number) {
  bool has_pid = false;
  for (const control::WorkerStatus& worker : status.workers)
    if (worker.number == number) has_pid = worker.pid != 0;
  return has_pid;
}

void print_status(CommandContext& context, const views::DaemonView& view) {
  const control::DaemonStatus& status = view.daemon;
  const auto line = [&context](std::string_view name, const std::string& text) {
    context.out.line(fmt::format("  {:<9}{}", name, text));
  };
  context.out.line(fmt::format("heddle {} is {} (pid {}, for {})", status.version,
                               context.out.paint(Colour::green, "up"), status.pid,
                               duration_text(status.uptime)));
  line("jobs",
       fmt::format("{}, {} under way, {} to do", status.jobs, counted(status.runs_under_way, "run"),
                   counted(view.backlog.pages, "page")));
  line("messages", fmt::format("{} waiting; {}", view.backlog.messages,
                               counted(view.backlog.dead_letters, "dead letter")));
  line("loop", fmt::format("at most {:.1f} ms late in the last minute",
                           static_cast<double>(status.loop_latency.count()) / 1000));
  line("storage", context.out.paint(colour_of_level(status.storage_level), storage_text(status)));
  for (const SystemAlert& alert : view.alerts)
    line("alert", context.out.paint(Colour::red, fmt::format("{} ({}): {}", alert.key,
                                                             to_text(alert.level), alert.text)));
  for (const JobStatus& job : view.failing)
    line("check",
         context.out.paint(Colour::red, fmt::format("{}: {}", job.job.text, to_text(job.check))));
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
        fmt::format("warning: {} job{} mistakes and will not run: `heddle check` shows them",
                    broken, broken == 1 ? " has" : "s have"));
  auto ended = context.backend.up(loaded->project, options);
  return ended ? ExitCode::done : context.fail(ended.error().message);
}

ExitCode show_status(CommandContext& context) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto status = call_daemon(context, loaded->project, control::kStatus, Done{});
  if (!status) return context.fail_without_daemon(status.error());
  auto reader = open_reader(context, loaded->project);
  if (!reader) return context.fail(reader.error().message);
  auto view = views::read_daemon_view(**reader, std::move(*status));
  if (!view) return context.fail(view.error().message);
  if (context.json) return context.print_json(views::write_daemon, *view);
  print_status(context, *view);
  return ExitCode::done;
}

ExitCode show_metrics(CommandContext& context) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto metrics = call_daemon(context, loaded->project, control::kMetrics, Done{});
  if (!metrics) return context.fail_without_daemon(metrics.error());
  if (context.json)
    return context.print_json([&metrics](JsonWriter& json) {
      json.begin_object().field("format", "prometheus").field("text", metrics->text).end_object();
    });
  context.out.print(metrics->text);
  return ExitCode::done;
}

ExitCode show_workers(CommandContext& context) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto status = call_daemon(context, loaded->project, control::kStatus, Done{});
  if (!status) return context.fail_without_daemon(status.error());
  if (context.json)
    return context.print_json(
        [&status](JsonWriter& json) { json.array(status->workers, views::write_worker); });
  print_workers(context, status->workers);
  return ExitCode::done;
}

ExitCode restart_worker(CommandContext& context, int number) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto daemon = context.backend.connect(loaded->project);
  if (!daemon) return context.fail_without_daemon(daemon.error());
  const auto before = (*daemon)->call(control::kStatus, Done{});
  auto restarted = (*daemon)->call(control::kRestartWorker, control::RestartWorker{number});
  if (!restarted) return context.fail(restarted.error().message);
  const bool is_replaced = before && has_process(*before, number);
  if (context.json)
    return context.print_json([&](JsonWriter& json) {
      json.begin_object().field("slot", number);
      json.field("action", is_replaced ? "replace" : "start").end_object();
    });
  context.out.line(
      is_replaced ? fmt::format("worker {} is being replaced: it finishes its pages first", number)
                  : fmt::format("worker {} is being started", number));
  return ExitCode::done;
}

}  // namespace heddle::cli
