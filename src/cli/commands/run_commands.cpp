// The commands that run a job and show its runs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/log_lines.hpp"
#include "cli/progress_printer.hpp"
#include "cli/run_tables.hpp"
#include "model/job/program_status.hpp"
#include "model/run/run_problems.hpp"
#include "views/run_view.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kShownErrors = 10;
constexpr int kRunBarWidth = 30;
constexpr std::chrono::milliseconds kOutputPollInterval{100};
constexpr std::size_t kMaxEarlierLines = 10'000;  // lines that a run may have written before

// OutputTail prints the output of a run's programs while they run by following the job's output
// file, whether the daemon or this process runs them. Reads on its own thread.
class OutputTail {
 public:
  // Standard output of programs goes to `out` if there is one, standard error to `err`; both
  // outlive it.
  OutputTail(std::filesystem::path file, Terminal* out, Terminal& err)
      : file_(std::move(file)), out_(out), err_(err) {}
  ~OutputTail() { finish(); }
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  // Starts with the first line of this run.
  void follow(const RunId& run) {
    if (thread_.joinable()) return;
    thread_ = std::thread([this, id = run.text] { print_until_finished(id); });
  }

  // Prints the rest and joins the thread.
  void finish() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      is_finished_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

 private:
  void print_until_finished(const std::string& run) {
    LogFileTail file(file_, kMaxEarlierLines);
    std::unique_lock lock(mutex_);
    while (true) {
      const bool is_last = is_finished_;
      lock.unlock();
      print_new(file, run);
      if (!is_last && out_ != nullptr && out_->is_unread()) out_->end_unread();
      lock.lock();
      if (is_last) return;
      changed_.wait_for(lock, kOutputPollInterval, [this] { return is_finished_; });
    }
  }

  // "RUN PROGRAM STREAM: text"
  void print_new(LogFileTail& file, const std::string& run) {
    for (const LogLine& line : file.read_new()) {
      if (!line.text.starts_with(run + " ")) continue;
      const std::size_t colon = line.text.find(": ");
      if (colon == std::string::npos) continue;
      const bool is_error = line.text.substr(0, colon).ends_with(" stderr");
      Terminal* terminal = is_error ? &err_ : out_;
      if (terminal != nullptr) terminal->line(line.text.substr(colon + 2));
    }
    if (out_ != nullptr) (void)out_->finish();
  }

  std::filesystem::path file_;
  Terminal* out_;
  Terminal& err_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_finished_ = false;
  std::thread thread_;
};

Colour colour_of(RunState state) {
  if (state == RunState::completed) return Colour::green;
  return state == RunState::failed ? Colour::red : Colour::yellow;
}

// Equal notices of many pages are one line.
void print_notices(Terminal& terminal, const RunProblems& problems) {
  std::vector<std::pair<const RunError*, std::size_t>> notices;
  for (const RunError& error : problems.notices) {
    const auto same = std::ranges::find_if(notices, [&error](const auto& each) {
      return each.first->kind == error.kind && each.first->message == error.message;
    });
    if (same == notices.end())
      notices.emplace_back(&error, 1);
    else
      ++same->second;
  }
  if (notices.size() > kShownErrors) notices.resize(kShownErrors);
  for (const auto& [notice, pages] : notices) {
    const std::string more =
        pages > 1 ? fmt::format(" and {}", counted(pages - 1, "more page")) : "";
    const bool is_warning = notice->kind == ErrorKind::expectation;
    const std::string_view kind = is_warning ? "warning" : to_text(notice->kind);
    terminal.line("  " + terminal.paint(Colour::yellow, kind) + "  " +
                  terminal.fit(notice->url + more + ": " + notice->message, 400));
  }
}

void print_errors(Terminal& terminal, const Run& run) {
  std::size_t shown = 0;
  for (const RunError& error : problems_of(run).failures) {
    if (++shown > kShownErrors) break;
    const std::string where = error.url.empty() ? "" : error.url + ": ";
    terminal.line("  " + terminal.paint(Colour::red, to_text(error.kind)) + "  " +
                  terminal.fit(where + error.message, 400));
  }
  const std::int64_t rest = run.pages.failed - static_cast<std::int64_t>(kShownErrors);
  if (rest > 0) terminal.line(fmt::format("  and {} more: heddle run-trace {}", rest, run.id.text));
}

void print_messages(CommandContext& context, const RunReport& report) {
  const store::OutboxCounts& messages = report.messages;
  if (messages.waiting > 0)
    context.out.line(fmt::format("  {} not sent; the next run or the daemon tries again:",
                                 counted(messages.waiting, "message")));
  for (const std::string& error : report.message_errors) context.out.line("    " + error);
}

void print_changed_pages(CommandContext& context, const Job& job, const Run& run) {
  context.out.line(fmt::format("  text   changed on {}", counted(run.changes, "page")));
  if (run.changes > 0)
    context.out.line(
        context.out.paint(Colour::grey, fmt::format("  see it: heddle diff {}", job.id.text)));
}

void print_report(CommandContext& context, const Job& job, const RunReport& report) {
  const Run& run = report.run;
  const auto duration =
      run.ended_at ? *run.ended_at - run.started_at : std::chrono::milliseconds(0);
  context.out.line(fmt::format("{}: {} in {}", job.name,
                               context.out.paint(colour_of(run.state), to_text(run.state)),
                               duration_text(duration)));
  print_errors(context.out, run);
  print_notices(context.out, problems_of(run));
  print_messages(context, report);
  if (job.kind != JobKind::web) return;
  std::string pages = fmt::format("{} done", run.pages.done);
  if (run.pages.failed > 0) pages += fmt::format(", {} failed", run.pages.failed);
  if (run.pages.skipped > 0) pages += fmt::format(", {} skipped", run.pages.skipped);
  const auto left = run.pages.total - run.pages.done - run.pages.failed - run.pages.skipped;
  if (left > 0) pages += fmt::format(", {} not started", left);
  context.out.line(
      fmt::format("  pages  {} of {}, {}", pages, run.pages.total, size_text(run.bytes)));
  if (job.watch == WatchKind::text) return print_changed_pages(context, job, run);
  std::string items = fmt::format("  items  {} seen, {} new", run.items.seen, run.items.fresh);
  if (run.items.changed > 0) items += fmt::format(", {} changed", run.items.changed);
  if (run.items.gone > 0) items += fmt::format(", {} gone", run.items.gone);
  context.out.line(items);
  if (run.items.fresh > 0)
    context.out.line(
        context.out.paint(Colour::grey, fmt::format("  see them: heddle records {}", job.id.text)));
}

// Of `run --quiet`: on standard error, as the messages of other failures.
void print_failure(CommandContext& context, const Job& job, const RunReport& report) {
  context.err.line(fmt::format("heddle: {}: {}", job.name, to_text(report.run.state)));
  print_errors(context.err, report.run);
}

ProgressStyle progress_style(CommandContext& context, const RunArguments& arguments) {
  if (arguments.only_errors) return ProgressStyle::quiet;
  return arguments.every_page ? ProgressStyle::every_page
                              : default_progress_style(context.json, context.err);
}

// The exit status of the first failed process in its last attempt, as a shell gives it; `otherwise`
// when no process has an exit status, because none was started.
ExitCode program_exit_code(CommandContext& context, const Run& run, ExitCode otherwise) {
  constexpr int kSignalled = 128;
  if (auto opened = open_reader(context); !opened) return context.fail(opened.error().message);
  const auto programs = context.reader->program_history(run.id);
  if (!programs) return context.fail(programs.error().message);
  std::map<int, ProgramExit> last_exits;  // by index
  for (const ProcessRecord& process : programs->processes) last_exits[process.index] = process.exit;
  for (const auto& [index, exit] : last_exits) {
    if (exit.signal) return static_cast<ExitCode>(kSignalled + *exit.signal);
    if (exit.code.value_or(0) != 0) return static_cast<ExitCode>(*exit.code);
  }
  return otherwise;
}

void print_costs(CommandContext& context, const RunReport& report) {
  if (report.cycles == 0) return;
  std::chrono::microseconds sum{0};
  for (const StageCost& cost : report.costs) sum += cost.total;
  TextTable table({"STAGE", "TOTAL MS", "PER PAGE US", "SHARE"});
  for (const StageCost& cost : report.costs) {
    const double share =
        sum.count() > 0 ? static_cast<double>(cost.total.count()) / static_cast<double>(sum.count())
                        : 0;
    const std::string bar = context.err.bar(std::lround(share * kRunBarWidth));
    table.add({cost.name, fmt::format("{:.1f}", static_cast<double>(cost.total.count()) / 1e3),
               fmt::format("{}", cost.total.count() / report.cycles), bar});
  }
  table.print(context.err);
}

void write_report(JsonWriter& json, const RunReport& report) {
  json.begin_object();
  views::write_run_fields(json, report.run);
  json.key("messages").begin_object().field("sent", report.messages.sent);
  json.field("waiting", report.messages.waiting).field("dead", report.messages.dead).end_object();
  json.key("stage_us").begin_object();
  for (const StageCost& cost : report.costs) json.field(cost.name, cost.total.count());
  json.end_object().end_object();
}

void print_traced_page(CommandContext& context, const store::TaskTrace& page) {
  const std::string depth =
      page.task.is_discovered ? fmt::format(", found at depth {}", page.task.depth) : "";
  context.out.line(fmt::format(
      "{}  {} (attempt {}{}){}", context.out.paint(Colour::bold, page.task.url),
      to_text(page.state), page.task.attempt, depth, page.error.empty() ? "" : ": " + page.error));
  print_trace(context, page.trace);
}

// Why the run itself did not complete: its pages and programs say the rest.
void print_run_reasons(CommandContext& context, const views::RunTrace& trace) {
  const auto& stage = trace.programs.stage_record;
  const std::string shown = stage && stage->outcome ? stage->outcome->message : "";
  for (const RunError& error : trace.run.errors)
    if (error.url.empty() && !is_notice(error.kind) && error.message != shown)
      context.out.line("  " + context.out.paint(Colour::red, to_text(error.kind)) + "  " +
                       context.out.fit(error.message, 400));
}

Status print_run_trace(CommandContext& context, const views::RunTrace& trace, bool is_unfinished) {
  const Run& run = trace.run;
  context.out.line(
      fmt::format("run {} of {}: {}, {} of {} pages ({} with a new version), items: {} new, {} "
                  "changed, {} gone",
                  run.id.text, run.job.text, to_text(run.state), run.pages.done, run.pages.total,
                  run.changes, run.items.fresh, run.items.changed, run.items.gone));
  if (const std::string usage = usage_text(run); !usage.empty()) context.out.line(usage);
  print_run_reasons(context, trace);
  print_programs(context, trace.programs, run.state, is_unfinished);
  return context.reader->for_each_trace(run.id, [&context](const store::TaskTrace& page) {
    print_traced_page(context, page);
    return true;
  });
}

Status print_run_trace_json(CommandContext& context, const views::RunTrace& trace) {
  JsonWriter json;
  views::begin_run_trace(json, trace);
  auto read = context.reader->for_each_trace(trace.run.id, [&](const store::TaskTrace& page) {
    views::write_traced_page(json, page);
    context.out.print(json.take_part());
    return true;
  });
  views::end_run_trace(json);
  if (read) context.out.print(json.take_part() + "\n");
  return read;
}

ExitCode print_runs_json(CommandContext& context, const JobId& job, std::size_t limit) {
  JsonArrayPrinter array(context.out);
  std::size_t printed = 0;
  auto read = context.reader->for_each_run(job, [&](const Run& run) {
    array.add(run, views::write_run);
    return ++printed != limit;
  });
  return read ? array.finish() : context.fail(read.error().message);
}

}  // namespace

ExitCode run_job(CommandContext& context, const RunArguments& arguments) {
  context.only_errors = arguments.only_errors;
  const Job* job = find_job(context, arguments.job);
  if (job == nullptr) return ExitCode::failed;
  if (arguments.passes_exit_code && job->kind != JobKind::command)
    return context.fail(
        fmt::format("--exit-code is for jobs of kind \"command\": '{}' has no program whose exit "
                    "status could be passed on",
                    job->id.text),
        ExitCode::wrong_usage);
  if (!job->enabled)
    return context.fail(
        fmt::format("job '{}' is disabled: set `enabled = true`, or try it with `heddle debug {}`",
                    job->name, job->id.text));

  ProgressPrinter progress(context.err, progress_style(context, arguments));
  OutputTail output(context.loaded.project.job_data_dir(*job) / "output.log",
                    arguments.only_errors ? nullptr : &context.out, context.err);
  const bool has_programs = job->kind != JobKind::web || !job->hooks.empty();
  if (has_programs && !context.json)
    progress.on_run_started([&output](const Run& run) { output.follow(run.id); });
  auto report = context.backend.run_job(context.loaded.project, {*job}, progress);
  progress.finish();
  output.finish();
  if (!report) return context.fail(report.error().message);
  const RunState state = report->run.state;
  const bool is_good = state == RunState::completed || state == RunState::limited;
  if (context.json)
    context.print_json(write_report, *report);
  else if (!arguments.only_errors)
    print_report(context, *job, *report);
  else if (!is_good || !report->run.errors.empty())
    print_failure(context, *job, *report);
  if (arguments.show_stages) print_costs(context, *report);
  if (state == RunState::limited && !arguments.only_errors)
    context.err.line("warning: the run reached a limit; its other pages were not fetched");
  const ExitCode code = is_good ? ExitCode::done : ExitCode::failed;
  return arguments.passes_exit_code ? program_exit_code(context, report->run, code) : code;
}

ExitCode show_runs(CommandContext& context, const ListArguments& arguments) {
  auto job = find_job_id(context, arguments.job);
  if (!job) return context.fail(job.error().message);
  if (context.json) return print_runs_json(context, *job, arguments.limit);
  TextTable table = table_of_runs(context);
  table.stream_to(context.out);
  std::size_t printed = 0;
  auto read = context.reader->for_each_run(*job, [&](const Run& run) {
    add_run(context, table, run);
    return ++printed != arguments.limit;
  });
  if (!read) return context.fail(read.error().message);
  if (table.is_empty())
    context.out.line(fmt::format("no runs yet; start one: heddle run {}", job->text));
  else
    table.print(context.out);
  return ExitCode::done;
}

ExitCode show_run_trace(CommandContext& context, const std::string& run) {
  auto id = find_run_id(context, run);
  if (!id) return context.fail(id.error().message);
  auto trace = views::read_run_trace(*context.reader, *id);
  if (!trace) return context.fail(trace.error().message);
  if (!*trace)
    return context.fail(
        fmt::format("there is no run '{}'; `heddle runs JOB` lists a job's runs", run));
  const bool is_unfinished = is_left(context, (*trace)->run.state);
  if (is_unfinished) (*trace)->programs = without_daemon(std::move((*trace)->programs));
  auto printed = context.json ? print_run_trace_json(context, **trace)
                              : print_run_trace(context, **trace, is_unfinished);
  return printed ? ExitCode::done : context.fail(printed.error().message);
}

}  // namespace heddle::cli
