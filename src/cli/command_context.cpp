#include "cli/command_context.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "store/empty_reader.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kListedJobs = 10;

Status read_project(CommandContext& context) {
  std::error_code unreadable;
  if (!std::filesystem::is_directory(context.project_dir, unreadable))
    return Error{ErrorCode::not_found,
                 fmt::format("there is no folder '{}'", context.project_dir.string())};
  context.loaded = config::load_project(context.project_dir, context.environment);
  Project& project = context.loaded.project;
  if (auto in_use = context.backend.other_data_dir_in_use(project)) {
    context.err.line(fmt::format(
        "heddle.toml: data_dir = {} counts from the daemon's next start; the one that is up keeps "
        "its data in {}, and so does this command",
        project.data_dir.string(), in_use->string()));
    project.data_dir = std::move(*in_use);
  }
  context.out.hide(project.secrets);
  context.err.hide(project.secrets);
  return Done{};
}

std::string no_such_job(const std::string& name, const std::vector<std::string>& known) {
  if (known.empty())
    return fmt::format(
        "there is no job '{}': the project has no jobs yet; `heddle init` writes one", name);
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const auto nearest = nearest_name(name, candidates);
  if (nearest) return fmt::format("there is no job '{}'; did you mean '{}'?", name, *nearest);
  const auto shown = std::span(known).first(std::min(known.size(), kListedJobs));
  return fmt::format("there is no job '{}'; jobs are: {}{}", name, join(shown, ", "),
                     known.size() > kListedJobs ? ", ..." : "");
}

}  // namespace

ExitCode CommandContext::fail(std::string_view message, ExitCode code) {
  err.line(err.paint(Colour::red, "heddle: ") + std::string(message));
  return code;
}

ExitCode CommandContext::fail_without_daemon(const Error& error) {
  return fail(error.message,
              error.code == ErrorCode::not_found ? ExitCode::no_daemon : ExitCode::failed);
}

Status load(CommandContext& context) {
  if (auto read = read_project(context); !read) return read;
  std::vector<config::Problem>& problems = context.loaded.project_problems;
  if (!config::has_errors(problems)) return Done{};
  std::erase_if(problems, [](const config::Problem& problem) {
    return problem.severity == config::ProblemSeverity::notice;
  });
  print_problems(context, problems);
  return Error{ErrorCode::bad_input, "heddle.toml has mistakes, nothing was done"};
}

Status load_for_reading(CommandContext& context) {
  if (auto read = read_project(context); !read) return read;
  for (config::Problem problem : context.loaded.project_problems) {
    if (problem.severity != config::ProblemSeverity::error) continue;
    problem.severity = config::ProblemSeverity::warning;
    context.err.line(config::to_text(problem));
  }
  return Done{};
}

Status open_reader(CommandContext& context) {
  auto reader = context.backend.open_reader(context.loaded.project);
  if (!reader && reader.error().code != ErrorCode::not_found) return std::move(reader).error();
  context.reader = reader ? std::move(*reader) : std::make_unique<store::EmptyReader>();
  return Done{};
}

Status open_history(CommandContext& context) {
  auto loaded = load_for_reading(context);
  return loaded ? open_reader(context) : loaded;
}

const config::LoadedJob* find_written_job(CommandContext& context, const std::string& name) {
  if (const config::LoadedJob* written = context.loaded.find_job(name)) return written;
  std::vector<std::string> known;
  for (const config::LoadedJob& job : context.loaded.jobs) known.push_back(job.id.text);
  context.fail(no_such_job(name, known));
  return nullptr;
}

const Job* find_job(CommandContext& context, const std::string& name) {
  const config::LoadedJob* written = find_written_job(context, name);
  if (written == nullptr) return nullptr;
  print_problems(context, written->problems);
  if (written->usable) return context.loaded.project.find_job(written->id.text);
  context.fail(fmt::format("job '{}' has mistakes, nothing was done", name));
  return nullptr;
}

std::string first_error(const config::LoadedJob& job) {
  for (const config::Problem& problem : job.problems)
    if (problem.severity == config::ProblemSeverity::error) return config::to_text(problem);
  return job.origin.file;
}

std::vector<config::Problem> script_problems(CommandContext& context, std::string_view only) {
  std::vector<config::Problem> problems;
  for (const ScriptProblem& found : context.backend.check_scripts(context.loaded.project)) {
    if (!only.empty() && found.job != only) continue;
    config::Problem problem{found.file, found.line, found.key, found.message};
    if (const auto* job = context.loaded.find_job(found.job);
        problem.file.empty() && job != nullptr) {
      problem.file = job->origin.file;
      problem.line = job->origin.line;
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

void print_problems(CommandContext& context, const std::vector<config::Problem>& problems) {
  for (const config::Problem& problem : problems) context.err.line(config::to_text(problem));
}

Result<JobId> find_job_id(const CommandContext& context, const std::string& name) {
  const config::LoadedJob* written = context.loaded.find_job(name);
  if (written != nullptr && !written->id.text.empty()) return written->id;
  auto stored = context.reader->jobs();
  if (!stored) return std::move(stored.error());
  std::vector<std::string> known;
  for (const store::JobName& job : *stored) {
    if (job.id.text == name || job.name == name) return job.id;
    known.push_back(job.id.text);
  }
  if (written != nullptr)
    return Error{ErrorCode::bad_input,
                 fmt::format("job '{}' has mistakes and was never taken up: {}; mend them first "
                             "(`heddle check` shows all)",
                             name, first_error(*written))};
  for (const config::LoadedJob& job : context.loaded.jobs) known.push_back(job.id.text);
  // A job may be both configured and stored.
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return Error{ErrorCode::not_found, no_such_job(name, known)};
}

}  // namespace heddle::cli
