// Looking at jobs and acting on them.
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
#include "cli/job_rows.hpp"
#include "cli/program_view.hpp"
#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view kWeb = "web";  // the kind of jobs that have pages

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

std::string state_text(const JobLife& life) {
  std::string text(to_text(life.state));
  if (life.pause_reason) text += fmt::format(" ({})", to_text(*life.pause_reason));
  return text;
}

milliseconds since(WallTime time) {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now() - time);
}

std::string next_run_text(const JobLife& life) {
  if (life.waiting) return "waits, " + duration_text(since(life.waiting->since));
  if (!life.next_run_at) return life.state == JobState::scheduled ? "on demand" : "-";
  const milliseconds left = -since(*life.next_run_at);
  return left > milliseconds(0) ? "in " + duration_text(left) : "now";
}

std::string run_text(const JobRow& row) {
  if (row.current && row.kind != kWeb) return "running";
  if (row.current)
    return fmt::format("{} of {} pages", row.current->pages.done, row.current->pages.total);
  if (!row.last) return "never";
  return fmt::format("{}, {} ago", to_text(row.last->state),
                     duration_text(since(*row.last->ended_at)));
}

// What somebody cancelled or stopped counts for neither.
std::string success_text(const JobStats& stats) {
  const std::size_t judged = stats.succeeded + stats.failed;
  return judged == 0 ? "-" : fmt::format("{} of {}", stats.succeeded, judged);
}

using PrintLine = std::function<void(std::string_view, const std::string&)>;

void print_stats(const JobStats& stats, const PrintLine& line) {
  const std::size_t judged = stats.succeeded + stats.failed;
  std::string succeeded = fmt::format("{} of {} succeeded", stats.succeeded, judged);
  if (stats.runs > judged) succeeded += fmt::format(", {} ended early", stats.runs - judged);
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

void print_last_run(Context& context, const JobRow& row, const PrintLine& line) {
  const Run& run = *row.last;
  line("last run", last_run_text(run, row.kind == kWeb));
  if (run.changes + run.items.gone > 0)
    line("",
         fmt::format("{} changed page{}, {} item{} gone", run.changes, run.changes == 1 ? "" : "s",
                     run.items.gone, run.items.gone == 1 ? "" : "s"));
  if (const std::string effort = effort_text(run); !effort.empty()) line("", effort);
  for (const RunError& error : run.errors) line("", context.out.paint(Colour::red, error.message));
}

void print_row(Context& context, const JobRow& row) {
  const PrintLine line = [&context](std::string_view name, const std::string& value) {
    context.out.line(fmt::format("  {:<11}{}", name, value));
  };
  context.out.line(context.out.paint(Colour::bold, row.name) + fmt::format(" ({})", row.id.text));
  line("kind", row.kind);
  if (!row.group.empty()) line("group", row.group);
  if (!row.tags.empty()) line("tags", fmt::format("{}", fmt::join(row.tags, ", ")));
  line("state", context.out.paint(colour_of(row.life.state), state_text(row.life)));
  line("check", context.out.paint(colour_of(row.life.check), to_text(row.life.check)));
  if (!row.mistake.empty())
    line("mistakes", context.out.paint(Colour::red, row.mistake) +
                         (row.is_stored ? "; what it said before counts until they are mended"
                                        : "; it was never taken up"));
  line("next run", next_run_text(row.life));
  if (row.life.waiting)
    line("waiting", fmt::format("for a place since {} ({})", to_iso8601(row.life.waiting->since),
                                row.life.waiting->trigger));
  if (row.current) line("running", progress_text(*row.current, row.kind == kWeb));
  if (row.last) print_last_run(context, row, line);
  if (row.stats.runs > 0) print_stats(row.stats, line);
}

void print_table(Context& context, const std::vector<JobRow>& rows) {
  if (rows.empty()) return context.out.line("no such jobs");
  Table table({"JOB", "STATE", "CHECK", "NEXT RUN", "LAST RUN", "SUCCEEDED"});
  for (const JobRow& row : rows)
    table.add({row.id.text, context.out.paint(colour_of(row.life.state), state_text(row.life)),
               context.out.paint(colour_of(row.life.check), to_text(row.life.check)),
               next_run_text(row.life), run_text(row), success_text(row.stats)});
  table.print(context.out);
}

std::string answers_json(const std::vector<ipc::JobAnswer>& answers) {
  JsonWriter json;
  json.begin_array();
  for (const ipc::JobAnswer& answer : answers) {
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

void print_answers(Context& context, const std::vector<ipc::JobAnswer>& answers) {
  if (context.json) return context.out.line(answers_json(answers));
  for (const ipc::JobAnswer& answer : answers)
    if (answer.error.empty())
      context.out.line(fmt::format("{}: {}{}{}", answer.job, answer.state,
                                   answer.remark.empty() ? "" : "; ", answer.remark));
    else
      context.err.line("heddle: " + answer.error);
}

// What is not possible with a job, or only with its former version, may be so because of them.
void add_mistakes(Context& context, const std::vector<JobRow>& rows,
                  std::vector<ipc::JobAnswer>& answers) {
  for (ipc::JobAnswer& answer : answers) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&answer](const JobRow& each) {
      return each.id.text == answer.job;
    });
    if (row == rows.end() || row->mistake.empty()) continue;
    if (answer.error.empty())
      context.err.line(fmt::format("{}: its file has mistakes, so what it said before counts: {}",
                                   answer.job, row->mistake));
    else if (row->is_stored)
      answer.error += "; its file has mistakes: " + row->mistake;
    else
      answer.error = fmt::format(
          "job '{}' has mistakes and was never taken up: {}; mend them first (`heddle check` shows "
          "all)",
          answer.job, row->mistake);
  }
}

bool has_failed(const std::vector<ipc::JobAnswer>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const auto& answer) { return !answer.error.empty(); });
}

// From the terminal; nothing else is taken for an answer.
bool is_confirmed(Context& context, const std::vector<JobRow>& rows) {
  std::string names;
  for (const JobRow& row : rows) names += (names.empty() ? "'" : ", '") + row.id.text + "'";
  context.err.line(fmt::format("{} job{} will be deleted with all items, versions and runs: {}",
                               rows.size(), rows.size() == 1 ? "" : "s", names));
  context.err.line("type yes to go on:");
  std::string answer;
  return std::getline(std::cin, answer) && trim(answer) == "yes";
}

// Those that a reload will find again.
void warn_of_comeback(Context& context, const Project& project,
                      const std::vector<ipc::JobAnswer>& answers) {
  for (const ipc::JobAnswer& answer : answers)
    if (answer.error.empty() && project.find_job(answer.job) != nullptr)
      context.err.line(fmt::format(
          "{}: it is still configured, so it comes back as a new job when the files are next read "
          "(`heddle reload`, or the next start); remove its files to be rid of it",
          answer.job));
}

// For the emergency brake: nothing of the job runs, or will by itself, until somebody says so.
bool is_at_rest(const JobRow& row, std::string_view action) {
  using enum JobState;
  const JobLife& life = row.life;
  if (!row.is_stored) return false;
  if (life.state == stopped || life.state == archived) return true;
  if (action != "pause") return false;
  if (life.state == paused) return life.pause_reason == PauseReason::user;
  return !row.is_enabled && (life.state == created || life.state == completed);
}

std::optional<std::string> what_is_unclear(const JobSelection& jobs) {
  if (jobs.is_empty()) return "say which jobs: names, --tag, --group, --state or --all";
  if (jobs.all && !jobs.names.empty()) return "say names or --all, not both";
  return std::nullopt;
}

}  // namespace

ExitCode list_jobs(Context& context, const JobSelection& selection) {
  auto rows = select_jobs(context, selection);
  if (!rows) return context.fail(rows.error().message);
  if (!context.json) {
    print_table(context, *rows);
    return ExitCode::done;
  }
  JsonWriter json;
  json.begin_array();
  for (const JobRow& row : *rows) write_job_row(json, row);
  json.end_array();
  context.out.line(json.text());
  return ExitCode::done;
}

namespace {

Result<ProgramHistory> programs_of(Context& context, const RunId& run) {
  auto loaded = load_for_reading(context);
  if (!loaded) return std::move(loaded).error();
  auto reader = open_history(context, loaded->project);
  if (!reader) return std::move(reader).error();
  return (*reader)->program_history(run);
}

}  // namespace

ExitCode show_job(Context& context, const std::string& job) {
  JobSelection only;
  only.names = {job};
  auto rows = select_jobs(context, only);
  if (!rows) return context.fail(rows.error().message);
  if (rows->empty()) return context.fail("nothing is known of job '" + job + "'");
  const JobRow& row = rows->front();
  auto days = job_days(context, row.id);
  if (!days) return context.fail(days.error().message);
  const std::optional<Run>& run = row.current ? row.current : row.last;
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
    write_job_fields(json, row);
    write_days(json, *days);
    json.key("programs");
    write_programs(json, programs, state);
    json.end_object();
    context.out.line(json.text());
  } else {
    print_row(context, row);
    print_programs(context, programs, state);
    print_days(context, *days);
  }
  return ExitCode::done;
}

ExitCode act_on_jobs(Context& context, const ActionArguments& arguments) {
  if (const auto unclear = what_is_unclear(arguments.jobs))
    return context.fail(*unclear, ExitCode::wrong_usage);
  JobSelection jobs = arguments.jobs;
  jobs.may_name_runs = arguments.action == "cancel";
  auto rows = select_jobs(context, jobs);
  if (!rows) return context.fail(rows.error().message);
  if (rows->empty()) return context.fail("no job is meant by that");
  const bool is_brake = jobs.all && (arguments.action == "pause" || arguments.action == "stop");
  if (is_brake)
    std::erase_if(*rows,
                  [&arguments](const JobRow& row) { return is_at_rest(row, arguments.action); });
  if (rows->empty()) {
    context.out.line(context.json ? "[]" : "every job is at rest already");
    return ExitCode::done;
  }
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  ipc::ActOnJobs wanted;
  wanted.action = arguments.action;
  wanted.at_once = arguments.at_once;
  for (const JobRow& row : *rows) wanted.jobs.push_back(row.id.text);
  auto answers = context.work.act_on_jobs(loaded->project, wanted);
  if (!answers) return context.fail(answers.error().message);
  add_mistakes(context, *rows, *answers);
  print_answers(context, *answers);
  return has_failed(*answers) ? ExitCode::failed : ExitCode::done;
}

ExitCode delete_jobs(Context& context, const ActionArguments& arguments, bool is_sure) {
  if (const auto unclear = what_is_unclear(arguments.jobs))
    return context.fail(*unclear, ExitCode::wrong_usage);
  auto rows = select_jobs(context, arguments.jobs);
  if (!rows) return context.fail(rows.error().message);
  if (rows->empty()) return context.fail("no job is meant by that");
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  if (!is_sure && isatty(STDIN_FILENO) != 1)
    return context.fail("nobody is there to be asked: say --yes to delete", ExitCode::wrong_usage);
  if (!is_sure && !is_confirmed(context, *rows)) return context.fail("nothing was deleted");
  ipc::ActOnJobs wanted;
  wanted.action = "delete";
  for (const JobRow& row : *rows) wanted.jobs.push_back(row.id.text);
  auto answers = context.work.act_on_jobs(loaded->project, wanted);
  if (!answers) return context.fail(answers.error().message);
  add_mistakes(context, *rows, *answers);
  print_answers(context, *answers);
  warn_of_comeback(context, loaded->project, *answers);
  return has_failed(*answers) ? ExitCode::failed : ExitCode::done;
}

}  // namespace heddle::cli
