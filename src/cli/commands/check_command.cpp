#include <algorithm>

#include <fmt/format.h>

#include "base/files/private_files.hpp"
#include "cli/commands.hpp"
#include "config/explain.hpp"
#include "config/show_config.hpp"
#include "model/run/key_matches.hpp"

namespace heddle::cli {

namespace {

using config::Problem;
using config::ProblemSeverity;

Colour colour_of(ProblemSeverity severity) {
  if (severity == ProblemSeverity::error) return Colour::red;
  return severity == ProblemSeverity::warning ? Colour::yellow : Colour::grey;
}

std::size_t count(const std::vector<Problem>& problems, ProblemSeverity severity) {
  return std::ranges::count(problems, severity, &Problem::severity);
}

void write_problem(JsonWriter& json, const Problem& problem) {
  json.begin_object().field("file", problem.file).field("line", problem.line);
  json.field("key", problem.key).field("message", problem.message);
  json.field("severity", config::to_text(problem.severity)).end_object();
}

void write_check(JsonWriter& json, const std::vector<Problem>& problems, std::size_t jobs) {
  json.begin_object().field("ok", !config::has_errors(problems)).field("jobs", jobs);
  json.key("problems").array(problems, write_problem).end_object();
}

void append(std::vector<Problem>& problems, const std::vector<Problem>& more) {
  problems.insert(problems.end(), more.begin(), more.end());
}

// Of keys that are written: a problem for one that has matched nothing so far, as far as runs of
// the present configuration know.
void add_unmatched_keys(CommandContext& context, const config::LoadedJob& written,
                        std::vector<Problem>& problems) {
  const Job* job = context.loaded.project.find_job(written.id.text);
  if (job == nullptr || job->kind != JobKind::web) return;
  const auto runs = context.reader->runs(job->id, 1);
  if (!runs || runs->empty() || runs->front().revision != job->revision) return;
  const auto pages = context.reader->key_matches(job->id);
  if (!pages) return;
  for (const std::string& key : never_matched(*pages)) {
    Problem problem;
    problem.key = key.substr(0, key.find('.'));
    if (!written.settings.contains(problem.key)) continue;
    problem.message =
        problem.key == key
            ? fmt::format("\"{}\" has matched nothing in any run so far", job->selector)
            : fmt::format("field \"{}\" has matched nothing in any run so far",
                          key.substr(kFieldKeys.size()));
    problem.severity = ProblemSeverity::warning;
    set_place(problem, written);
    problems.push_back(std::move(problem));
  }
}

// What earlier runs have shown. A history that cannot be read is no mistake of the project.
void add_experience(CommandContext& context, std::string_view only,
                    std::vector<Problem>& problems) {
  if (!open_reader(context)) return;
  for (const config::LoadedJob& job : context.loaded.jobs)
    if (only.empty() || job.id.text == only) add_unmatched_keys(context, job, problems);
  context.reader.reset();
}

void print_summary(CommandContext& context, const std::vector<Problem>& problems,
                   std::size_t jobs) {
  const std::size_t errors = count(problems, ProblemSeverity::error);
  const std::string counts =
      fmt::format("{}, {}, {}, {}", counted(jobs, "job"), counted(errors, "error"),
                  counted(count(problems, ProblemSeverity::warning), "warning"),
                  counted(count(problems, ProblemSeverity::notice), "notice"));
  context.out.line((errors > 0 ? context.out.paint(Colour::red, "failed: ")
                               : context.out.paint(Colour::green, "ok: ")) +
                   counts);
}

void write_explanation(JsonWriter& json, const config::Explanation& explanation) {
  json.begin_object().field("key", explanation.key).field("help", explanation.help);
  json.field("type", explanation.type).field("allowed", explanation.allowed);
  json.field("default", explanation.preset).field("keys", explanation.keys_below);
  json.field("where", explanation.where).field("available", explanation.available);
  json.field("example", explanation.example).end_object();
}

void write_config_value(JsonWriter& json, const config::ShownValue& shown) {
  json.begin_object().field("key", shown.key).field("value", shown.value);
  json.field("origin", shown.origin).field("available", shown.available).end_object();
}

}  // namespace

ExitCode check_project(CommandContext& context, const std::string& job) {
  std::error_code unreadable;
  if (!std::filesystem::is_directory(context.project_dir, unreadable))
    return context.fail(fmt::format("there is no folder '{}'", context.project_dir.string()));
  context.loaded = config::load_project(context.project_dir, context.environment);
  std::vector<Problem> problems = context.loaded.problems;
  std::size_t jobs = context.loaded.jobs.size();
  std::string_view only;
  if (!job.empty()) {
    const config::LoadedJob* chosen = find_written_job(context, job);
    if (chosen == nullptr) return ExitCode::failed;
    problems = context.loaded.project_problems;
    append(problems, chosen->problems);
    only = chosen->id.text;
    jobs = 1;
  }
  append(problems, script_problems(context, only));
  add_experience(context, only, problems);
  if (auto exposed = exposed_folder_warning(context.loaded.project.data_dir)) {
    Problem problem;
    problem.file = "heddle.toml";
    problem.key = "data_dir";
    problem.message = std::move(*exposed);
    problem.severity = ProblemSeverity::warning;
    problems.push_back(std::move(problem));
  }
  const auto& data_dir = context.loaded.project.data_dir;
  if (auto usable = check_data_folder(context.project_dir, data_dir); !usable) {
    Problem problem;
    problem.file = "heddle.toml";
    problem.key = "data_dir";
    problem.message = usable.error().message;
    problems.push_back(std::move(problem));
  }
  if (context.json) {
    context.print_json(write_check, problems, jobs);
  } else {
    for (const Problem& problem : problems)
      context.out.line(context.out.paint(colour_of(problem.severity), config::to_text(problem)));
    print_summary(context, problems, jobs);
  }
  return config::has_errors(problems) ? ExitCode::failed : ExitCode::done;
}

ExitCode explain_key(CommandContext& context, const std::string& key) {
  if (key.empty()) {
    if (context.json)
      return context.print_json_array(config::explain_every_key(), write_explanation);
    std::string text = config::list_keys();
    text.pop_back();
    context.out.line(text);
    return ExitCode::done;
  }
  if (context.json) {
    auto explanations = config::explain_all(key);
    if (!explanations) return context.fail(explanations.error().message);
    return context.print_json_array(*explanations, write_explanation);
  }
  auto text = config::explain(key);
  if (!text) return context.fail(text.error().message);
  if (text->ends_with('\n')) text->pop_back();
  context.out.line(*text);
  return ExitCode::done;
}

ExitCode show_job_config(CommandContext& context, const std::string& job) {
  const config::LoadedJob* chosen = find_written_job(context, job);
  if (chosen == nullptr) return ExitCode::failed;
  const auto values = config::show_config(*chosen);
  if (context.json) return context.print_json_array(values, write_config_value);
  TextTable table({"KEY", "VALUE", "FROM"});
  table.keep_whole_in_pipes();
  for (const config::ShownValue& shown : values)
    table.add({shown.key, shown.value,
               shown.available ? shown.origin : shown.origin + " (no effect yet)"});
  table.print(context.out);
  return ExitCode::done;
}

}  // namespace heddle::cli
