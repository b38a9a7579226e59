// The commands that list and show jobs and act on them.
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/day_table.hpp"
#include "cli/job_summary.hpp"
#include "cli/program_view.hpp"
#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view kWeb = "web";  // the kind of job that has pages

Colour colour_of(JobState state) {
  switch (state) {
    case JobState::running:
    case JobState::starting:
      return Colour::green;
    case JobState::failed:
      return Colour::red;
    case JobState::paused:
    case JobState::stopping:
      return Colour::yellow;
    case JobState::stopped:
    case JobState::archived:
    case JobState::created:
      return Colour::grey;
    default:
      return Colour::none;
  }
}

Colour colour_of(CheckState check) {
  if (check == CheckState::ok) return Colour::green;
  if (check == CheckState::pending) return Colour::grey;
  return check == CheckState::limited ? Colour::yellow : Colour::red;
}

std::string state_text(const JobStatus& status) {
  std::string text(to_text(status.state));
  if (status.pause_reason) text += fmt::format(" ({})", to_text(*status.pause_reason));
  return text;
}

milliseconds since(WallTime time) {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now() - time);
}

std::string next_run_text(const JobStatus& status) {
  if (status.queued_run) return "waits, " + duration_text(since(status.queued_run->since));
  if (!status.next_run_at) return status.state == JobState::scheduled ? "on demand" : "-";
  const milliseconds left = -since(*status.next_run_at);
  return left > milliseconds(0) ? "in " + duration_text(left) : "now";
}

std::string run_text(const JobSummary& summary) {
  if (summary.current && summary.kind != kWeb) return "running";
  if (summary.current)
    return fmt::format("{} of {} pages", summary.current->pages.done, summary.current->pages.total);
  if (!summary.last) return "never";
  return fmt::format("{}, {} ago", to_text(summary.last->state),
                     duration_text(since(*summary.last->ended_at)));
}

// Cancelled and stopped runs count as neither success nor failure.
std::string success_text(const JobStats& stats) {
  const std::size_t rated = stats.succeeded + stats.failed;
  return rated == 0 ? "-" : fmt::format("{} of {}", stats.succeeded, rated);
}

using PrintLine = std::function<void(std::string_view, const std::string&)>;

void print_stats(const JobStats& stats, const PrintLine& line) {
  const std::size_t rated = stats.succeeded + stats.failed;
  std::string succeeded = fmt::format("{} of {} succeeded", stats.succeeded, rated);
  if (stats.runs > rated) succeeded += fmt::format(", {} ended early", stats.runs - rated);
  line("last runs", fmt::format("{}; {} on average, 95 % within {}", succeeded,
                                duration_text(stats.average), duration_text(stats.p95)));
  line("pages", fmt::format("{}, {} failed ({:.1f} %)", stats.pages, stats.failed_pages,
                            stats.error_rate() * 100));
  line("changes",
       fmt::format("something new in {} of {} runs{}", stats.runs_with_changes, stats.runs,
                   stats.last_change
                       ? fmt::format(", last {} ago", duration_text(since(*stats.last_change)))
                       : ""));
}

std::string last_run_text(const Run& run, bool has_pages) {
  std::string text =
      fmt::format("{}, {} ago", to_text(run.state), duration_text(since(*run.ended_at)));
  if (has_pages)
    text +=
        fmt::format(", {} page{}, {} new item{}", run.pages.done, run.pages.done == 1 ? "" : "s",
                    run.items.fresh, run.items.fresh == 1 ? "" : "s");
  return text + ", run " + run.id.text;
}

std::string progress_text(const Run& run, bool has_pages) {
  if (!has_pages)
    return fmt::format("since {}, run {}", duration_text(since(run.started_at)), run.id.text);
  return fmt::format("{} of {} pages done, {} failed, run {}", run.pages.done, run.pages.total,
                     run.pages.failed, run.id.text);
}

void print_last_run(CommandContext& context, const JobSummary& summary, const PrintLine& line) {
  const Run& run = *summary.last;
  line("last run", last_run_text(run, summary.kind == kWeb));
  if (run.changes + run.items.gone > 0)
    line("",
         fmt::format("{} changed page{}, {} item{} gone", run.changes, run.changes == 1 ? "" : "s",
                     run.items.gone, run.items.gone == 1 ? "" : "s"));
  if (const std::string usage = usage_text(run); !usage.empty()) line("", usage);
  for (const RunError& error : run.errors) line("", context.out.paint(Colour::red, error.message));
}

void print_job_summary(CommandContext& context, const JobSummary& summary) {
  const PrintLine line = [&context](std::string_view name, const std::string& value) {
    context.out.line(fmt::format("  {:<11}{}", name, value));
  };
  context.out.line(context.out.paint(Colour::bold, summary.name) +
                   fmt::format(" ({})", summary.id.text));
  line("kind", summary.kind);
  if (!summary.group.empty()) line("group", summary.group);
  if (!summary.tags.empty()) line("tags", fmt::format("{}", fmt::join(summary.tags, ", ")));
  line("state", context.out.paint(colour_of(summary.status.state), state_text(summary.status)));
  line("check", context.out.paint(colour_of(summary.status.check), to_text(summary.status.check)));
  if (!summary.mistake.empty())
    line("mistakes", context.out.paint(Colour::red, summary.mistake) +
                         (summary.is_stored ? "; what it said before counts until they are mended"
                                            : "; it was never taken up"));
  line("next run", next_run_text(summary.status));
  if (summary.status.queued_run)
    line("waiting",
         fmt::format("for a place since {} ({})", to_iso8601(summary.status.queued_run->since),
                     summary.status.queued_run->trigger));
  if (summary.current) line("running", progress_text(*summary.current, summary.kind == kWeb));
  if (summary.last) print_last_run(context, summary, line);
  if (summary.stats.runs > 0) print_stats(summary.stats, line);
}

void print_table(CommandContext& context, const std::vector<JobSummary>& summaries) {
  if (summaries.empty()) return context.out.line("no such jobs");
  TextTable table({"JOB", "STATE", "CHECK", "NEXT RUN", "LAST RUN", "SUCCEEDED"});
  for (const JobSummary& summary : summaries)
    table.add({summary.id.text,
               context.out.paint(colour_of(summary.status.state), state_text(summary.status)),
               context.out.paint(colour_of(summary.status.check), to_text(summary.status.check)),
               next_run_text(summary.status), run_text(summary), success_text(summary.stats)});
  table.print(context.out);
}

std::string answers_json(const std::vector<ipc::JobActionResult>& answers) {
  JsonWriter json;
  json.begin_array();
  for (const ipc::JobActionResult& answer : answers) {
    json.begin_object().field("job", answer.job);
    if (answer.error.empty())
      json.field("state", answer.state);
    else
      json.field("error", answer.error);
    if (!answer.remark.empty()) json.field("remark", answer.remark);
    json.end_object();
  }
  json.end_array();
  return json.text();
}

void print_answers(CommandContext& context, const std::vector<ipc::JobActionResult>& answers) {
  if (context.json) return context.out.line(answers_json(answers));
  for (const ipc::JobActionResult& answer : answers)
    if (answer.error.empty())
      context.out.line(fmt::format("{}: {}{}{}", answer.job, answer.state,
                                   answer.remark.empty() ? "" : "; ", answer.remark));
    else
      context.err.line("heddle: " + answer.error);
}

// Errors in its file may be why an action failed or used the former version of a job.
void add_mistakes(CommandContext& context, const std::vector<JobSummary>& summaries,
                  std::vector<ipc::JobActionResult>& answers) {
  for (ipc::JobActionResult& answer : answers) {
    const auto summary =
        std::find_if(summaries.begin(), summaries.end(),
                     [&answer](const JobSummary& each) { return each.id.text == answer.job; });
    if (summary == summaries.end() || summary->mistake.empty()) continue;
    if (answer.error.empty())
      context.err.line(fmt::format("{}: its file has mistakes, so what it said before counts: {}",
                                   answer.job, summary->mistake));
    else if (summary->is_stored)
      answer.error += "; its file has mistakes: " + summary->mistake;
    else
      answer.error = fmt::format(
          "job '{}' has mistakes and was never taken up: {}; mend them first (`heddle check` shows "
          "all)",
          answer.job, summary->mistake);
  }
}

bool has_failed(const std::vector<ipc::JobActionResult>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const auto& answer) { return !answer.error.empty(); });
}

// Only an explicit "yes" confirms.
bool is_confirmed(CommandContext& context, const std::vector<JobSummary>& summaries) {
  std::string names;
  for (const JobSummary& summary : summaries)
    names += (names.empty() ? "'" : ", '") + summary.id.text + "'";
  context.err.line(fmt::format("{} job{} will be deleted with all items, versions and runs: {}",
                               summaries.size(), summaries.size() == 1 ? "" : "s", names));
  context.err.line("type yes to go on:");
  std::string answer;
  return std::getline(std::cin, answer) && trim(answer) == "yes";
}

// A reload creates configured jobs again.
void warn_of_configured_jobs(CommandContext& context, const Project& project,
                             const std::vector<ipc::JobActionResult>& answers) {
  for (const ipc::JobActionResult& answer : answers)
    if (answer.error.empty() && project.find_job(answer.job) != nullptr)
      context.err.line(fmt::format(
          "{}: it is still configured, so it comes back as a new job when the files are next read "
          "(`heddle reload`, or the next start); remove its files to be rid of it",
          answer.job));
}

// `pause --all` and `stop --all` skip such jobs: they neither run nor start without a user action.
bool is_inactive(const JobSummary& summary, std::string_view action) {
  using enum JobState;
  const JobStatus& status = summary.status;
  if (!summary.is_stored) return false;
  if (status.state == stopped || status.state == archived) return true;
  if (action != "pause") return false;
  if (status.state == paused) return status.pause_reason == PauseReason::user;
  return !summary.is_enabled && (status.state == created || status.state == completed);
}

std::optional<std::string> selection_error(const JobSelection& jobs) {
  if (jobs.is_empty()) return "say which jobs: names, --tag, --group, --state or --all";
  if (jobs.all && !jobs.names.empty()) return "say names or --all, not both";
  return std::nullopt;
}

}  // namespace

ExitCode list_jobs(CommandContext& context, const JobSelection& selection) {
  auto summaries = select_jobs(context, selection);
  if (!summaries) return context.fail(summaries.error().message);
  if (!context.json) {
    print_table(context, *summaries);
    return ExitCode::done;
  }
  JsonWriter json;
  json.begin_array();
  for (const JobSummary& summary : *summaries) write_job_summary(json, summary);
  json.end_array();
  context.out.line(json.text());
  return ExitCode::done;
}

namespace {

Result<ProgramHistory> programs_of(CommandContext& context, const RunId& run) {
  auto loaded = load_for_reading(context);
  if (!loaded) return std::move(loaded).error();
  auto reader = open_history(context, loaded->project);
  if (!reader) return std::move(reader).error();
  return (*reader)->program_history(run);
}

}  // namespace

ExitCode show_job(CommandContext& context, const std::string& job) {
  JobSelection only;
  only.names = {job};
  auto summaries = select_jobs(context, only);
  if (!summaries) return context.fail(summaries.error().message);
  if (summaries->empty()) return context.fail("nothing is known of job '" + job + "'");
  const JobSummary& summary = summaries->front();
  auto days = job_days(context, summary.id);
  if (!days) return context.fail(days.error().message);
  const std::optional<Run>& run = summary.current ? summary.current : summary.last;
  ProgramHistory programs;
  if (run) {
    auto found = programs_of(context, run->id);
    if (!found) return context.fail(found.error().message);
    programs = std::move(*found);
  }
  const RunState state = run ? run->state : RunState::queued;
  if (context.json) {
    JsonWriter json;
    json.begin_object();
    write_job_fields(json, summary);
    write_days(json, *days);
    json.key("programs");
    write_programs(json, programs, state);
    json.end_object();
    context.out.line(json.text());
  } else {
    print_job_summary(context, summary);
    print_programs(context, programs, state);
    print_days(context, *days);
  }
  return ExitCode::done;
}

ExitCode act_on_jobs(CommandContext& context, const ActionArguments& arguments) {
  if (const auto wrong_selection = selection_error(arguments.jobs))
    return context.fail(*wrong_selection, ExitCode::wrong_usage);
  JobSelection jobs = arguments.jobs;
  jobs.may_name_runs = arguments.action == "cancel";
  auto summaries = select_jobs(context, jobs);
  if (!summaries) return context.fail(summaries.error().message);
  if (summaries->empty()) return context.fail("no job is meant by that");
  const bool is_brake = jobs.all && (arguments.action == "pause" || arguments.action == "stop");
  if (is_brake)
    std::erase_if(*summaries, [&arguments](const JobSummary& summary) {
      return is_inactive(summary, arguments.action);
    });
  if (summaries->empty()) {
    context.out.line(context.json ? "[]" : "every job is at rest already");
    return ExitCode::done;
  }
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  ipc::ActOnJobs request;
  request.action = arguments.action;
  request.force = arguments.force;
  for (const JobSummary& summary : *summaries) request.jobs.push_back(summary.id.text);
  auto answers = context.backend.act_on_jobs(loaded->project, request);
  if (!answers) return context.fail(answers.error().message);
  add_mistakes(context, *summaries, *answers);
  print_answers(context, *answers);
  return has_failed(*answers) ? ExitCode::failed : ExitCode::done;
}

ExitCode delete_jobs(CommandContext& context, const ActionArguments& arguments, bool assume_yes) {
  if (const auto wrong_selection = selection_error(arguments.jobs))
    return context.fail(*wrong_selection, ExitCode::wrong_usage);
  auto summaries = select_jobs(context, arguments.jobs);
  if (!summaries) return context.fail(summaries.error().message);
  if (summaries->empty()) return context.fail("no job is meant by that");
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  if (!assume_yes && isatty(STDIN_FILENO) != 1)
    return context.fail("nobody is there to be asked: say --yes to delete", ExitCode::wrong_usage);
  if (!assume_yes && !is_confirmed(context, *summaries)) return context.fail("nothing was deleted");
  ipc::ActOnJobs request;
  request.action = "delete";
  for (const JobSummary& summary : *summaries) request.jobs.push_back(summary.id.text);
  auto answers = context.backend.act_on_jobs(loaded->project, request);
  if (!answers) return context.fail(answers.error().message);
  add_mistakes(context, *summaries, *answers);
  print_answers(context, *answers);
  warn_of_configured_jobs(context, loaded->project, *answers);
  return has_failed(*answers) ? ExitCode::failed : ExitCode::done;
}

}  // namespace heddle::cli
