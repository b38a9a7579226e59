// The commands that list and show jobs and act on them.
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/no_such_job.hpp"
#include "cli/run_tables.hpp"
#include "control/client.hpp"
#include "model/job/program_status.hpp"
#include "model/run/run_problems.hpp"
#include "views/job_view.hpp"

namespace heddle::cli {

namespace {

using std::chrono::milliseconds;
using views::JobView;

constexpr std::string_view kWeb = "web";  // the kind of job that has pages
constexpr std::int64_t kDaysBack = 29;    // and today

Colour colour_of(JobState state) {
  using enum JobState;
  if (state == running || state == starting) return Colour::green;
  if (state == failed) return Colour::red;
  if (state == paused || state == stopping) return Colour::yellow;
  const bool is_at_rest = state == stopped || state == archived || state == created;
  return is_at_rest ? Colour::grey : Colour::none;
}

Colour colour_of(CheckState check) {
  if (check == CheckState::ok) return Colour::green;
  if (check == CheckState::pending) return Colour::grey;
  const bool is_mild = check == CheckState::limited || check == CheckState::warning;
  return is_mild ? Colour::yellow : Colour::red;
}

std::string state_text(const JobStatus& status) {
  std::string text(to_text(status.state));
  if (status.pause_reason) text += fmt::format(" ({})", to_text(*status.pause_reason));
  return text;
}

milliseconds since(WallTime time) {
  return SystemClock().now() - time;
}

constexpr std::string_view kNoDaemon = "no daemon";

bool has_daemon(CommandContext& context) {
  const auto daemon = context.backend.connect(context.loaded.project);
  return daemon || daemon.error().code != ErrorCode::not_found;
}

// Without a daemon no job starts by itself, whatever was planned.
std::string next_run_text(const JobStatus& status, bool is_daemon_up) {
  if (!is_daemon_up && (status.queued_run || status.next_run_at)) return std::string(kNoDaemon);
  if (status.queued_run) return "waiting for " + duration_text(since(status.queued_run->since));
  if (!status.next_run_at) return status.state == JobState::scheduled ? "on demand" : "-";
  const milliseconds left = -since(*status.next_run_at);
  return left > milliseconds(0) ? "in " + duration_text(left) : "now";
}

std::string run_text(const JobView& job, bool is_daemon_up) {
  if (job.current && !is_daemon_up) return "unfinished";
  if (job.current && job.kind != kWeb)
    return job.current->state == RunState::in_progress ? "running"
                                                       : std::string(to_text(job.current->state));
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

void print_stats(const JobStats& stats, bool has_pages, const PrintLine& line) {
  const std::size_t rated = stats.succeeded + stats.failed;
  std::string succeeded = fmt::format("{} of {} succeeded", stats.succeeded, rated);
  if (stats.runs > rated) succeeded += fmt::format(", {} ended early", stats.runs - rated);
  line("last runs", fmt::format("{}; {} on average, 95 % within {}", succeeded,
                                duration_text(stats.average), duration_text(stats.p95)));
  if (!has_pages) return;
  line("pages", fmt::format("{} processed, {} failed ({:.1f} %)", stats.pages, stats.failed_pages,
                            stats.error_rate() * 100));
  line("changes",
       fmt::format("new or changed items in {} of {}{}", stats.runs_with_changes,
                   counted(stats.runs, "run"),
                   stats.last_change
                       ? fmt::format(", last {} ago", duration_text(since(*stats.last_change)))
                       : ""));
}

std::string last_run_text(const Run& run, bool has_pages) {
  std::string text =
      fmt::format("{}, {} ago", to_text(run.state), duration_text(since(*run.ended_at)));
  if (has_pages)
    text += fmt::format(", {}, {}, {} changed", counted(run.pages.done, "page"),
                        counted(run.items.fresh, "new item"), run.items.changed);
  return text + ", run " + run.id.text;
}

std::string progress_text(const Run& run, bool has_pages) {
  if (!has_pages)
    return fmt::format("for {}, run {}", duration_text(since(run.started_at)), run.id.text);
  return fmt::format("{} of {} pages done, {} failed, run {}", run.pages.done, run.pages.total,
                     run.pages.failed, run.id.text);
}

// Of a run on which nothing works.
std::string unfinished_text(const Run& run, bool has_pages) {
  std::string text = has_pages ? progress_text(run, true) : "run " + run.id.text;
  text += "; no daemon is running";
  if (run.state != RunState::paused) text += ": `heddle up` continues it";
  return text;
}

void print_last_run(CommandContext& context, const JobView& job, const PrintLine& line) {
  const Run& run = *job.last;
  line("last run", last_run_text(run, job.kind == kWeb));
  if (run.changes + run.items.changed + run.items.gone > 0)
    line("", fmt::format("{} with a new version; items: {} changed, {} gone",
                         counted(run.changes, "page"), run.items.changed, run.items.gone));
  if (const std::string usage = usage_text(run); !usage.empty()) line("", usage);
  const RunProblems problems = problems_of(run);
  std::set<std::string_view> shown;  // many pages may have the same
  const auto print = [&](const std::vector<RunError>& errors, Colour colour) {
    for (const RunError& error : errors)
      if (shown.insert(error.message).second) line("", context.out.paint(colour, error.message));
  };
  print(problems.failures, Colour::red);
  print(problems.notices, Colour::yellow);
}

// What the queued run of the job waits for.
std::string_view awaited_by_queue(const JobView& job) {
  const bool is_pausing =
      job.status.state == JobState::paused && job.current && job.current->state != RunState::paused;
  if (is_pausing) return "for what is in progress to finish";
  return job.current ? "for the end of the current run"
                     : "for a free run slot (limits.runs_in_parallel)";
}

// Of errors in the job's file.
std::string_view consequence_of(const JobView& job, bool is_daemon_up) {
  if (!job.is_stored) return "it was never loaded";
  return is_daemon_up ? "a version that the daemon read before is used until they are fixed"
                      : "it does not run until they are fixed";
}

// `is_unfinished`: nothing works on its current run.
void print_job(CommandContext& context, const JobView& job, bool is_unfinished) {
  const bool is_daemon_up = has_daemon(context);
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
    line("errors", context.out.paint(Colour::red, job.mistake) + "; " +
                       std::string(consequence_of(job, is_daemon_up)));
  std::string next_run = next_run_text(job.status, is_daemon_up);
  if (next_run == kNoDaemon) next_run = "not before `heddle up`: no daemon is running";
  line("next run", next_run);
  if (job.status.queued_run)
    line("waiting", fmt::format("{}, since {} ({})", awaited_by_queue(job),
                                context.times().full_text(job.status.queued_run->since),
                                to_text(job.status.queued_run->trigger)));
  if (job.current && is_unfinished)
    line("unfinished", unfinished_text(*job.current, job.kind == kWeb));
  else if (job.current)
    line("running", progress_text(*job.current, job.kind == kWeb));
  if (job.last) print_last_run(context, job, line);
  if (job.stats.runs > 0) print_stats(job.stats, job.kind == kWeb, line);
}

// Jobs that a person would look for in the list.
void print_unlisted_jobs(CommandContext& context) {
  for (const std::string& reason : unlisted_jobs(context.loaded))
    context.err.line("not listed: " + reason);
}

// The reasons of the check state `warning`, which the table has no room for.
class WarningList {
 public:
  void add(const JobView& job) {
    if (job.status.check != CheckState::warning || !job.last) return;
    const RunProblems problems = problems_of(*job.last);
    const RunError* warning = warning_of(problems);
    if (warning == nullptr) return;
    if (++count_ <= kShown) lines_.push_back(job.id.text + ": warning: " + warning->message);
  }
  void print(Terminal& terminal) const {
    for (const std::string& line : lines_) terminal.line(terminal.paint(Colour::yellow, line));
    if (count_ > kShown)
      terminal.line(fmt::format("and {}: heddle jobs --state warning",
                                counted(count_ - kShown, "more warning")));
  }

 private:
  static constexpr std::size_t kShown = 20;
  std::vector<std::string> lines_;
  std::size_t count_ = 0;
};

// A job's runs are read when it is printed, and forgotten.
Status print_table(CommandContext& context, std::vector<JobView>& jobs) {
  const bool is_daemon_up = has_daemon(context);
  TextTable table({"JOB", "STATE", "CHECK", "NEXT RUN", "LAST RUN", "SUCCEEDED"}, 1);
  table.stream_to(context.out);
  WarningList warnings;
  for (JobView& job : jobs) {
    if (auto read = views::read_runs(*context.reader, job); !read) return read;
    table.add({job.id.text,
               {state_text(job.status), colour_of(job.status.state)},
               {to_text(job.status.check), colour_of(job.status.check)},
               next_run_text(job.status, is_daemon_up),
               run_text(job, is_daemon_up),
               success_text(job.stats)});
    warnings.add(job);
    job = JobView{};
  }
  if (table.is_empty())
    context.out.line(context.loaded.jobs.empty()
                         ? "the project has no jobs yet: `heddle add URL` writes one"
                         : "no such jobs");
  else
    table.print(context.out);
  warnings.print(context.out);
  if (!table.is_empty() && !is_daemon_up)
    context.out.line(context.out.paint(
        Colour::grey, "no daemon is running, so no job starts by itself: `heddle up` starts one"));
  return Done{};
}

Status print_jobs_json(CommandContext& context, std::vector<JobView>& jobs) {
  JsonArrayPrinter array(context.out);
  for (JobView& job : jobs) {
    if (auto read = views::read_runs(*context.reader, job); !read) return read;
    array.add(job, views::write_job);
    job = JobView{};
  }
  array.finish();
  return Done{};
}

void print_answers(CommandContext& context, const std::vector<control::JobActionResult>& answers) {
  if (context.json) {
    context.print_json_array(answers, views::write_action_result);
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
void add_mistakes(CommandContext& context, const std::string& action,
                  const std::vector<JobView>& jobs,
                  std::vector<control::JobActionResult>& answers) {
  const bool needs_version = action == "trigger" || action == "resume";
  for (control::JobActionResult& answer : answers) {
    const auto job = std::ranges::find(jobs, JobId{answer.job}, &JobView::id);
    if (job == jobs.end() || job->mistake.empty()) continue;
    if (answer.error.empty())
      context.err.line(fmt::format("{}: its file has errors{}: {}", answer.job,
                                   needs_version ? ", so its previous version is used" : "",
                                   job->mistake));
    else if (job->is_stored)
      answer.error += "; its file has errors: " + job->mistake;
    else
      answer.error = fmt::format(
          "job '{}' has errors and was never loaded: {}; fix them first (`heddle check` lists all)",
          answer.job, job->mistake);
  }
}

// Only an explicit "yes" confirms.
bool is_confirmed(CommandContext& context, const std::vector<JobView>& jobs,
                  std::string_view what_happens) {
  std::string names;
  for (const JobView& job : jobs) names += (names.empty() ? "'" : ", '") + job.id.text + "'";
  context.err.line(
      fmt::format("{} will be {}: {}", counted(jobs.size(), "job"), what_happens, names));
  context.err.line("type yes to continue:");
  std::string answer;
  return std::getline(std::cin, answer) && trim(answer) == "yes";
}

// A reload creates configured jobs again.
void warn_of_configured_jobs(CommandContext& context,
                             const std::vector<control::JobActionResult>& answers) {
  for (const control::JobActionResult& answer : answers)
    if (answer.error.empty() && context.loaded.project.find_job(answer.job) != nullptr)
      context.err.line(
          fmt::format("{}: its files still exist, so the next `heddle reload` or start of the "
                      "daemon creates it again as a new job; delete its files to prevent that",
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

std::vector<views::InvalidJob> invalid_jobs(const config::Loaded& loaded) {
  std::vector<views::InvalidJob> invalid;
  for (const config::LoadedJob& job : loaded.jobs)
    if (!job.usable)
      invalid.push_back({job.id, job.name, job.directory.filename().string(), first_error(job)});
  return invalid;
}

bool matches(const JobView& job, const JobSelection& selection) {
  if (!selection.tag.empty() && std::ranges::count(job.tags, selection.tag) == 0) return false;
  if (!selection.group.empty() && job.group != selection.group) return false;
  return selection.state.empty() || to_text(job.status.state) == selection.state ||
         to_text(job.status.check) == selection.state;
}

// A list of all jobs is no help for a wrong id of a run.
Error no_job_or_run(CommandContext& context, const std::vector<JobView>& jobs,
                    const std::string& name, Error no_job) {
  std::vector<std::string_view> ids;
  for (const JobView& job : jobs) ids.push_back(job.id.text);
  if (ids.empty() || nearest_name(name, ids) || !unlisted_jobs(context.loaded).empty())
    return no_job;
  return {no_job.code,
          fmt::format("there is no job or unfinished run '{}'; `heddle jobs` lists the "
                      "jobs, `heddle runs JOB` their runs",
                      name)};
}

// The job whose active run has this id; the error `no_job` when there is no such run. The run is
// read first: the status of a job may name a run for a moment after its end.
Result<JobId> job_of_run(CommandContext& context, const std::vector<JobView>& jobs,
                         const std::string& name, Error no_job) {
  const auto id = find_run_id(context, name);
  if (!id && id.error().code != ErrorCode::not_found) return id.error();
  auto run = id ? context.reader->run(*id) : std::optional<Run>();
  if (!run) return std::move(run).error();
  if (*run && (*run)->ended_at)
    return Error{ErrorCode::conflict,
                 fmt::format("run {} of job '{}' has ended: {} at {}", id->text, (*run)->job.text,
                             to_text((*run)->state), context.times().full_text(*(*run)->ended_at))};
  if (*run) return (*run)->job;
  for (const JobView& job : jobs)
    if (job.status.run && job.status.run->text == name) return job.id;
  return no_job_or_run(context, jobs, name, std::move(no_job));
}

// Returns configured jobs and jobs that exist only in the history, by id, without their runs. Fails
// for an unknown name; a name may be the id of an active run if `may_name_runs`.
Result<std::vector<JobView>> select_jobs(CommandContext& context, const JobSelection& selection,
                                         bool may_name_runs = false) {
  store::Reader& reader = *context.reader;
  auto jobs = views::read_jobs(reader, context.loaded.project.jobs, invalid_jobs(context.loaded));
  if (!jobs) return jobs;
  std::set<JobId> named;
  for (const std::string& name : selection.names) {
    auto id = find_job_id(context, name);
    if (!id && may_name_runs && id.error().code == ErrorCode::not_found)
      id = job_of_run(context, *jobs, name, id.error());
    if (!id) return std::move(id).error();
    named.insert(std::move(*id));
  }
  std::erase_if(*jobs, [&named, &selection](const JobView& job) {
    return (!named.empty() && !named.contains(job.id)) || !matches(job, selection);
  });
  return jobs;
}

// The jobs that an action is about; the store is closed again.
Result<std::vector<JobView>> open_selected(CommandContext& context,
                                           const ActionArguments& arguments) {
  if (auto opened = open_history(context); !opened) return std::move(opened).error();
  auto jobs = select_jobs(context, arguments.jobs, arguments.action == "cancel");
  context.reader.reset();
  if (jobs && jobs->empty()) return Error{ErrorCode::not_found, "no job matches"};
  return jobs;
}

std::optional<std::string> selection_error(const JobSelection& jobs) {
  const bool is_empty = jobs.names.empty() && jobs.tag.empty() && jobs.group.empty() &&
                        jobs.state.empty() && !jobs.all;
  if (is_empty) return "no jobs selected: give names, --tag, --group, --state or --all";
  if (jobs.all && !jobs.names.empty()) return "give either names or --all, not both";
  return std::nullopt;
}

// Applies the action to each job and prints the results.
ExitCode act(CommandContext& context, const std::vector<JobView>& jobs,
             control::ActOnJobs request) {
  for (const JobView& job : jobs) request.jobs.push_back(job.id.text);
  auto answers = context.backend.act_on_jobs(context.loaded.project, request);
  if (!answers) return context.fail(answers.error().message);
  add_mistakes(context, request.action, jobs, *answers);
  print_answers(context, *answers);
  if (request.action == "delete") warn_of_configured_jobs(context, *answers);
  const bool has_succeeded = std::ranges::all_of(
      *answers, [](const control::JobActionResult& answer) { return answer.error.empty(); });
  return has_succeeded ? ExitCode::done : ExitCode::failed;
}

}  // namespace

ExitCode list_jobs(CommandContext& context, const JobSelection& selection) {
  auto jobs = select_jobs(context, selection);
  if (!jobs) return context.fail(jobs.error().message);
  print_unlisted_jobs(context);
  auto printed = context.json ? print_jobs_json(context, *jobs) : print_table(context, *jobs);
  return printed ? ExitCode::done : context.fail(printed.error().message);
}

ExitCode show_job(CommandContext& context, const std::string& job) {
  auto jobs = select_jobs(context, {.names = {job}});
  if (!jobs) return context.fail(jobs.error().message);
  if (jobs->empty()) return context.fail("there is no job '" + job + "'");
  if (auto read = views::read_runs(*context.reader, jobs->front()); !read)
    return context.fail(read.error().message);
  store::DayRange range;
  range.day_of = context.backend.local_days(context.loaded.project);
  range.first = range.day_of(SystemClock().now()) - kDaysBack;
  auto details = views::read_job_details(*context.reader, std::move(jobs->front()), range);
  if (!details) return context.fail(details.error().message);
  const bool is_unfinished = details->job.current && is_left(context, details->run_state);
  if (is_unfinished) details->programs = without_daemon(std::move(details->programs));
  if (context.json) return context.print_json(views::write_job_details, *details);
  print_job(context, details->job, is_unfinished);
  print_programs(context, details->programs, details->run_state, is_unfinished);
  print_run_days(context, details->days);
  print_price_days(context, details->price_days);
  return ExitCode::done;
}

ExitCode act_on_jobs(CommandContext& context, const ActionArguments& arguments) {
  if (const auto wrong_selection = selection_error(arguments.jobs))
    return context.fail(*wrong_selection, ExitCode::wrong_usage);
  auto jobs = open_selected(context, arguments);
  if (!jobs) return context.fail(jobs.error().message);
  const std::string& action = arguments.action;
  if (action == "delete" && !arguments.assume_yes) {
    if (isatty(STDIN_FILENO) != 1)
      return context.fail(
          "deleting needs a confirmation: there is no terminal to ask, so add --yes",
          ExitCode::wrong_usage);
    if (!is_confirmed(context, *jobs, "deleted with all items, versions and runs"))
      return context.fail("nothing was deleted");
  }
  const bool is_brake = arguments.jobs.all && (action == "pause" || action == "stop");
  if (is_brake)
    std::erase_if(*jobs, [&action](const JobView& job) { return is_inactive(job, action); });
  if (jobs->empty()) {
    const char* unchanged =
        action == "pause"
            ? "no job was changed: all are already paused, stopped, archived or disabled"
            : "no job was changed: all are already stopped or archived";
    context.out.line(context.json ? "[]" : unchanged);
    return ExitCode::done;
  }
  // Without a terminal it is a script, which means what it says.
  const bool asks = is_brake && action == "stop" && !arguments.assume_yes &&
                    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
  if (asks &&
      !is_confirmed(context, *jobs,
                    "stopped: their runs end, and they do not run again until `heddle start` "
                    "(`heddle pause --all` lets them continue later)"))
    return context.fail("nothing was stopped");
  return act(context, *jobs, {action, {}, arguments.force});
}

}  // namespace heddle::cli
