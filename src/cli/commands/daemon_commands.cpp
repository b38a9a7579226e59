// The commands that start the daemon, ask it and have it reload the files.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "cli/commands.hpp"
#include "control/client.hpp"
#include "views/daemon_view.hpp"

namespace heddle::cli {

namespace {

constexpr int kEndOfProcess = 500;  // milliseconds that an idle daemon needs at most, about

// `not_found` when no daemon runs.
template <class Request, class Response>
Result<Response> call_daemon(CommandContext& context, const control::Verb<Request, Response>& verb,
                             const Request& request) {
  auto client = context.backend.connect(context.loaded.project);
  if (!client) return std::move(client).error();
  return (*client)->call(verb, request);
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

std::string storage_text(const control::DaemonStatus& status) {
  const double share = status.storage_limit == 0 ? 0
                                                 : 100 * static_cast<double>(status.storage_used) /
                                                       static_cast<double>(status.storage_limit);
  std::string text =
      fmt::format("{} of {} ({:.0f} %), database {}", size_text(status.storage_used),
                  size_text(status.storage_limit), share, size_text(status.database_bytes));
  if (status.storage_level == "full") text += ": full, no run starts";
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
  TextTable table({"SLOT", "STATE", "PID", "RESTARTS", "UP", "MEMORY", "JOBS", "LAST EVENT"}, 2);
  for (const control::WorkerStatus& worker : workers) {
    const bool has_process = worker.pid != 0;
    table.add({worker.name,
               {worker.state, colour_of(worker.state)},
               has_process ? std::to_string(worker.pid) : "-",
               std::to_string(worker.occurrence),
               has_process ? duration_text(worker.uptime) : "-",
               has_process ? size_text(worker.rss_bytes) : "-",
               jobs_text(worker.jobs),
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
       fmt::format("{}, {} in progress, {} waiting", status.jobs,
                   counted(status.runs_under_way, "run"), counted(view.backlog.pages, "page")));
  line("messages", fmt::format("{} waiting; {}", view.backlog.messages,
                               counted(view.backlog.dead_letters, "dead letter")));
  line("latency", fmt::format("event loop up to {:.1f} ms late in the last minute",
                              static_cast<double>(status.loop_latency.count()) / 1000));
  line("storage", context.out.paint(colour_of_level(status.storage_level), storage_text(status)));
  for (const SystemAlert& alert : view.alerts)
    line("alert", context.out.paint(Colour::red, fmt::format("{} ({}): {}", alert.key,
                                                             to_text(alert.level), alert.text)));
  for (const JobStatus& job : view.failing) {
    const bool is_mild = job.check == CheckState::warning || job.check == CheckState::limited;
    line("check", context.out.paint(is_mild ? Colour::yellow : Colour::red,
                                    fmt::format("{}: {}", job.job.text, to_text(job.check))));
  }
  print_workers(context, status.workers);
}

void print_list(CommandContext& context, std::string_view what,
                const std::vector<std::string>& jobs) {
  for (const std::string& job : jobs) context.out.line(fmt::format("{} {}", what, job));
}

bool needs_restart(const control::ReloadReport& report) {
  return std::ranges::any_of(report.settings, &control::ChangedSetting::needs_restart);
}

void print_settings(CommandContext& context, const control::ReloadReport& report) {
  for (const control::ChangedSetting& change : report.settings) {
    const std::string what = fmt::format("{}: {} -> {}", change.key, change.before, change.after);
    if (change.needs_restart)
      context.err.line("heddle.toml: " + what + " takes effect at the daemon's next start");
    else
      context.out.line("setting: " + what);
  }
}

void write_setting(JsonWriter& json, const control::ChangedSetting& change) {
  json.begin_object().field("key", change.key).field("before", change.before);
  json.field("after", change.after).field("at_next_start", change.needs_restart).end_object();
}

void write_reload(JsonWriter& json, const control::ReloadReport& report) {
  json.begin_object().field("added", report.added).field("changed", report.changed);
  json.field("removed", report.removed).key("broken").begin_array();
  for (const control::InvalidFile& file : report.broken) json.value(file.mistake);
  json.end_array();
  json.key("settings").array(report.settings, write_setting);
  json.field("needs_restart", needs_restart(report)).end_object();
}

const char* paused_text(std::size_t jobs, bool dry_run) {
  if (jobs == 1) return dry_run ? "the job would be" : "the job is";
  return dry_run ? "the jobs would be" : "the jobs are";
}

void print_reload(CommandContext& context, const control::ReloadReport& report, bool dry_run) {
  print_settings(context, report);
  print_list(context, "new:    ", report.added);
  print_list(context, "changed:", report.changed);
  print_list(context, "removed:", report.removed);
  if (!report.removed.empty())
    context.out.line(
        fmt::format("files missing: {} paused", paused_text(report.removed.size(), dry_run)));
  for (const control::InvalidFile& file : report.broken)
    context.err.line(file.mistake + std::string(control::consequence_of(file)));
  if (report.added.empty() && report.changed.empty() && report.removed.empty())
    context.out.line("no job has changed");
}

// A daemon without jobs does nothing, and a person would wait for it.
void warn_of_missing_jobs(CommandContext& context) {
  print_problems(context, context.loaded.misnamed);
  if (!context.loaded.jobs.empty()) return;
  const bool watches = context.loaded.project.reload == ReloadRule::watch;
  context.err.line(fmt::format(
      "warning: {} has no jobs, so nothing will run: `heddle add URL` writes one, or write "
      "jobs/NAME/config.toml; {}",
      context.loaded.project.root.string(),
      watches ? "the daemon loads it when it is saved" : "`heddle reload` loads it"));
}

// Its number is not used again while this object exists.
class DaemonProcess {
 public:
  explicit DaemonProcess(pid_t pid)
      : pid_(pid), process_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

  [[nodiscard]] pid_t pid() const { return pid_; }

  [[nodiscard]] bool ends_within(int milliseconds) const {
    pollfd end{process_.get(), POLLIN, 0};
    return !process_ || poll(&end, 1, milliseconds) > 0;  // none: it has ended already
  }

  [[nodiscard]] bool signal(int number) const {
    return !process_ || syscall(SYS_pidfd_send_signal, process_.get(), number, nullptr, 0) == 0;
  }

 private:
  pid_t pid_;
  FileDescriptor process_;
};

// For the end of the process, not only of the connection: the next daemon can start then.
ExitCode wait_for_end(CommandContext& context, const DaemonProcess& process) {
  const pid_t pid = process.pid();
  if (!context.json && !process.ends_within(kEndOfProcess))
    context.err.line(fmt::format("the daemon (pid {}) is finishing its pages in flight", pid));
  while (!process.ends_within(-1)) continue;
  if (context.json)
    return context.print_json([pid](JsonWriter& json) {
      json.begin_object().field("pid", pid).field("state", "stopped").end_object();
    });
  context.out.line(fmt::format("the daemon (pid {}) has stopped", pid));
  return ExitCode::done;
}

// A daemon of another version accepts no command, but every version shuts down at SIGTERM, and ends
// at once at the second one.
ExitCode stop_other_version(CommandContext& context, bool now, const Error& why) {
  const auto pid = context.backend.daemon_pid(context.loaded.project);
  if (!pid) return context.fail(why.message);
  const DaemonProcess process(*pid);
  if (!process.signal(SIGTERM))
    return context.fail(fmt::format("cannot stop the daemon (pid {}): {}", *pid,
                                    std::generic_category().message(errno)));
  if (now && !process.ends_within(kEndOfProcess)) (void)process.signal(SIGTERM);
  return wait_for_end(context, process);
}

}  // namespace

ExitCode run_up(CommandContext& context, const UpOptions& options) {
  const auto broken = std::ranges::count(context.loaded.jobs, false, &config::LoadedJob::usable);
  if (broken > 0 && options.quiet < 2)
    context.err.line(fmt::format("warning: {} errors and will not run: `heddle check` lists them",
                                 counted(broken, "job has", "jobs have")));
  if (options.quiet < 2) warn_of_missing_jobs(context);
  auto ended = context.backend.up(context.loaded.project, options);
  return ended ? ExitCode::done : context.fail(ended.error().message);
}

ExitCode stop_daemon(CommandContext& context, bool now) {
  auto daemon = context.backend.connect(context.loaded.project);
  if (!daemon && daemon.error().code == ErrorCode::conflict)
    return stop_other_version(context, now, daemon.error());
  if (!daemon) return context.fail_without_daemon(daemon.error());
  const auto status = (*daemon)->call(control::kStatus, Done{});
  if (!status) return context.fail(status.error().message);
  const DaemonProcess process(static_cast<pid_t>(status->pid));
  const auto stopped = (*daemon)->call(control::kShutDown, control::ShutDown{now});
  if (!stopped && !process.ends_within(kEndOfProcess)) return context.fail(stopped.error().message);
  return wait_for_end(context, process);
}

ExitCode show_status(CommandContext& context) {
  auto status = call_daemon(context, control::kStatus, Done{});
  if (!status) return context.fail_without_daemon(status.error());
  if (auto opened = open_reader(context); !opened) return context.fail(opened.error().message);
  auto view = views::read_daemon_view(*context.reader, std::move(*status));
  if (!view) return context.fail(view.error().message);
  if (context.json) return context.print_json(views::write_daemon, *view);
  print_status(context, *view);
  return ExitCode::done;
}

ExitCode show_metrics(CommandContext& context) {
  auto metrics = call_daemon(context, control::kMetrics, Done{});
  if (!metrics) return context.fail_without_daemon(metrics.error());
  if (context.json)
    return context.print_json([&metrics](JsonWriter& json) {
      json.begin_object().field("format", "prometheus").field("text", metrics->text).end_object();
    });
  context.out.print(metrics->text);
  return ExitCode::done;
}

ExitCode show_workers(CommandContext& context) {
  auto status = call_daemon(context, control::kStatus, Done{});
  if (!status) return context.fail_without_daemon(status.error());
  if (context.json) return context.print_json_array(status->workers, views::write_worker);
  print_workers(context, status->workers);
  return ExitCode::done;
}

ExitCode restart_worker(CommandContext& context, int number) {
  auto daemon = context.backend.connect(context.loaded.project);
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

ExitCode reload_project(CommandContext& context, bool dry_run) {
  auto report = call_daemon(context, control::kReload, control::Reload{dry_run});
  if (!report) return context.fail_without_daemon(report.error());
  if (context.json)
    context.print_json(write_reload, *report);
  else
    print_reload(context, *report, dry_run);
  print_problems(context, context.loaded.misnamed);
  return report->broken.empty() ? ExitCode::done : ExitCode::failed;
}

}  // namespace heddle::cli
