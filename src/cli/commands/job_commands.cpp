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
#include "cli/run_tables.hpp"
#include "views/job_view.hpp"

namespace heddle::cli {

namespace {

using std::chrono::milliseconds;
using views::JobView;

constexpr std::string_view kWeb = "web";  // the kind of job that has pages
constexpr std::int64_t kDaysBack = 29;    // and today

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
  return SystemClock().now() - time;
}

std::string next_run_text(const JobStatus& status) {
  if (status.queued_run) return "waits, " + duration_text(since(status.queued_run->since));
  if (!status.next_run_at) return status.state == JobState::scheduled ? "on demand" : "-";
  const milliseconds left = -since(*status.next_run_at);
  return left > milliseconds(0) ? "in " + duration_text(left) : "now";
}

std::string run_text(const JobView& job) {
  if (job.current && job.kind != kWeb) return "running";
  if (job.current)
    return fmt::format("{} of {} pages", job.current->pages.done, job.current->pages.total);
  if (!job.last) return "never";
  return fmt::format("{}, {} ago", to_text(job.last->state),
                     duration_text(since(*job.last->ended_at)));
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
    text += fmt::format(", {}, {}", counted(run.pages.done, "page"),
                        counted(run.items.fresh, "new item"));
  return text + ", run " + run.id.text;
}

std::string progress_text(const Run& run, bool has_pages) {
  if (!has_pages)
    return fmt::format("since {}, run {}", duration_text(since(run.started_at)), run.id.text);
  return fmt::format("{} of {} pages done, {} failed, run {}", run.pages.done, run.pages.total,
                     run.pages.failed, run.id.text);
}

void print_last_run(CommandContext& context, const JobView& job, const PrintLine& line) {
  const Run& run = *job.last;
  line("last run", last_run_text(run, job.kind == kWeb));
  if (run.changes + run.items.gone > 0)
    line("", fmt::format("{}, {} gone", counted(run.changes, "changed page"),
                         counted(run.items.gone, "item")));
  if (const std::string usage = usage_text(run); !usage.empty()) line("", usage);
  for (const RunError& error : run.errors) line("", context.out.paint(Colour::red, error.message));
}

void print_job(CommandContext& context, const JobView& job) {
  const PrintLine line = [&context](std::string_view name, const std::string& value) {
    context.out.line(fmt::format("  {:<11}{}", name, value));
  };
  context.out.line(context.out.paint(Colour::bold, job.name) + fmt::format(" ({})", job.id.text));
  line("kind", job.kind);
  if (!job.group.empty()) line("group", job.group);
  if (!job.tags.empty()) line("tags", fmt::format("{}", fmt::join(job.tags, ", ")));
  line("state", context.out.paint(colour_of(job.status.state), state_text(job.status)));
  line("check", context.out.paint(colour_of(job.status.check), to_text(job.status.check)));
  if (!job.mistake.empty())
    line("mistakes", context.out.paint(Colour::red, job.mistake) +
                         (job.is_stored ? "; what it said before counts until they are mended"
                                        : "; it was never taken up"));
  line("next run", next_run_text(job.status));
  if (job.status.queued_run)
    line("waiting",
         fmt::format("for a place since {} ({})", to_iso8601(job.status.queued_run->since),
                     to_text(job.status.queued_run->trigger)));
  if (job.current) line("running", progress_text(*job.current, job.kind == kWeb));
  if (job.last) print_last_run(context, job, line);
  if (job.stats.runs > 0) print_stats(job.stats, line);
}

void print_table(CommandContext& context, const std::vector<JobView>& jobs) {
  if (jobs.empty()) return context.out.line("no such jobs");
  TextTable table({"JOB", "STATE", "CHECK", "NEXT RUN", "LAST RUN", "SUCCEEDED"});
  for (const JobView& job : jobs)
    table.add({job.id.text, context.out.paint(colour_of(job.status.state), state_text(job.status)),
               context.out.paint(colour_of(job.status.check), to_text(job.status.check)),
               next_run_text(job.status), run_text(job), success_text(job.stats)});
  table.print(context.out);
}

void print_answers(CommandContext& context, const std::vector<control::JobActionResult>& answers) {
  if (context.json) {
    context.print_json(
        [&answers](JsonWriter& json) { json.array(answers, views::write_action_result); });
    return;
  }
  for (const control::JobActionResult& answer : answers)
    if (answer.error.empty())
      context.out.line(fmt::format("{}: {}{}{}", answer.job, answer.state,
                                   answer.remark.empty() ? "" : "; ", answer.remark));
    else
      context.err.line("heddle: " + answer.error);
}

// Errors in its file may be why an action failed or used the former version of a job.
void add_mistakes(CommandContext& context, const std::vector<JobView>& jobs,
                  std::vector<control::JobActionResult>& answers) {
  for (control::JobActionResult& answer : answers) {
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&answer](const JobView& each) {
      return each.id.text == answer.job;
    });
    if (job == jobs.end() || job->mistake.empty()) continue;
    if (answer.error.empty())
      context.err.line(fmt::format("{}: its file has mistakes, so what it said before counts: {}",
                                   answer.job, job->mistake));
    else if (job->is_stored)
      answer.error += "; its file has mistakes: " + job->mistake;
    else
      answer.error = fmt::format(
          "job '{}' has mistakes and was never taken up: {}; mend them first (`heddle check` shows "
          "all)",
          answer.job, job->mistake);
  }
}

bool has_failed(const std::vector<control::JobActionResult>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const auto& answer) { return !answer.error.empty(); });
}

// Only an explicit "yes" confirms.
bool is_confirmed(CommandContext& context, const std::vector<JobView>& jobs) {
  std::string names;
  for (const JobView& job : jobs) names += (names.empty() ? "'" : ", '") + job.id.text + "'";
  context.err.line(fmt::format("{} will be deleted with all items, versions and runs: {}",
                               counted(jobs.size(), "job"), names));
  context.err.line("type yes to go on:");
  std::string answer;
  return std::getline(std::cin, answer) && trim(answer) == "yes";
}

// A reload creates configured jobs again.
void warn_of_configured_jobs(CommandContext& context, const Project& project,
                             const std::vector<control::JobActionResult>& answers) {
  for (const control::JobActionResult& answer : answers)
    if (answer.error.empty() && project.find_job(answer.job) != nullptr)
      context.err.line(fmt::format(
          "{}: it is still configured, so it comes back as a new job when the files are next read "
          "(`heddle reload`, or the next start); remove its files to be rid of it",
          answer.job));
}

// `pause --all` and `stop --all` skip such jobs: they neither run nor start without a user action.
bool is_inactive(const JobView& job, std::string_view action) {
  using enum JobState;
  const JobStatus& status = job.status;
  if (!job.is_stored) return false;
  if (status.state == stopped || status.state == archived) return true;
  if (action != "pause") return false;
  if (status.state == paused) return status.pause_reason == PauseReason::user;
  return !job.is_enabled && (status.state == created || status.state == completed);
}

// The jobs that an action is about; the store is closed again.
struct SelectedJobs {
  config::Loaded loaded;
  std::vector<JobView> jobs;
};

Result<SelectedJobs> open_selected(CommandContext& context, const JobSelection& selection) {
  auto history = open_history(context);
  if (!history) return std::move(history).error();
  auto jobs = select_jobs(*history, selection);
  if (!jobs) return std::move(jobs).error();
  if (jobs->empty()) return Error{ErrorCode::not_found, "no job is meant by that"};
  return SelectedJobs{std::move(history->loaded), std::move(*jobs)};
}

std::optional<std::string> selection_error(const JobSelection& jobs) {
  if (jobs.is_empty()) return "say which jobs: names, --tag, --group, --state or --all";
  if (jobs.all && !jobs.names.empty()) return "say names or --all, not both";
  return std::nullopt;
}

// Applies the action to each job and prints the results.
ExitCode act(CommandContext& context, const SelectedJobs& selected, control::ActOnJobs request) {
  for (const JobView& job : selected.jobs) request.jobs.push_back(job.id.text);
  auto answers = context.backend.act_on_jobs(selected.loaded.project, request);
  if (!answers) return context.fail(answers.error().message);
  add_mistakes(context, selected.jobs, *answers);
  print_answers(context, *answers);
  if (request.action == "delete")
    warn_of_configured_jobs(context, selected.loaded.project, *answers);
  return has_failed(*answers) ? ExitCode::failed : ExitCode::done;
}

}  // namespace

ExitCode list_jobs(CommandContext& context, const JobSelection& selection) {
  auto history = open_history(context);
  if (!history) return context.fail(history.error().message);
  auto jobs = select_jobs(*history, selection);
  if (!jobs) return context.fail(jobs.error().message);
  if (context.json)
    return context.print_json([&jobs](JsonWriter& json) { json.array(*jobs, views::write_job); });
  print_table(context, *jobs);
  return ExitCode::done;
}

ExitCode show_job(CommandContext& context, const std::string& job) {
  auto history = open_history(context);
  if (!history) return context.fail(history.error().message);
  JobSelection only;
  only.names = {job};
  auto jobs = select_jobs(*history, only);
  if (!jobs) return context.fail(jobs.error().message);
  if (jobs->empty()) return context.fail("nothing is known of job '" + job + "'");
  store::DayRange range;
  range.day_of = context.backend.local_days(history->loaded.project);
  range.first = range.day_of(SystemClock().now()) - kDaysBack;
  auto details = views::read_job_details(*history->reader, std::move(jobs->front()), range);
  if (!details) return context.fail(details.error().message);
  if (context.json) return context.print_json(views::write_job_details, *details);
  print_job(context, details->job);
  print_programs(context, details->programs, details->run_state);
  print_days(context, details->days);
  return ExitCode::done;
}

ExitCode act_on_jobs(CommandContext& context, const ActionArguments& arguments) {
  if (const auto wrong_selection = selection_error(arguments.jobs))
    return context.fail(*wrong_selection, ExitCode::wrong_usage);
  JobSelection selection = arguments.jobs;
  selection.may_name_runs = arguments.action == "cancel";
  auto selected = open_selected(context, selection);
  if (!selected) return context.fail(selected.error().message);
  const bool is_brake =
      selection.all && (arguments.action == "pause" || arguments.action == "stop");
  if (is_brake)
    std::erase_if(selected->jobs,
                  [&arguments](const JobView& job) { return is_inactive(job, arguments.action); });
  if (selected->jobs.empty()) {
    context.out.line(context.json ? "[]" : "every job is at rest already");
    return ExitCode::done;
  }
  return act(context, *selected, {arguments.action, {}, arguments.force});
}

ExitCode delete_jobs(CommandContext& context, const ActionArguments& arguments, bool assume_yes) {
  if (const auto wrong_selection = selection_error(arguments.jobs))
    return context.fail(*wrong_selection, ExitCode::wrong_usage);
  auto selected = open_selected(context, arguments.jobs);
  if (!selected) return context.fail(selected.error().message);
  if (!assume_yes && isatty(STDIN_FILENO) != 1)
    return context.fail("nobody is there to be asked: say --yes to delete", ExitCode::wrong_usage);
  if (!assume_yes && !is_confirmed(context, selected->jobs))
    return context.fail("nothing was deleted");
  return act(context, *selected, {"delete", {}, false});
}

}  // namespace heddle::cli
