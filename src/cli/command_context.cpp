#include "cli/command_context.hpp"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/no_such_job.hpp"
#include "config/load_for_reading.hpp"
#include "store/empty_reader.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kListedCandidates = 10;

using LoadProject = config::Loaded (*)(const std::filesystem::path&, const config::Environment&);

Status read_project(CommandContext& context, LoadProject load_project = config::load_project) {
  std::error_code unreadable;
  if (!std::filesystem::is_directory(context.project_dir, unreadable))
    return Error{ErrorCode::not_found,
                 fmt::format("there is no folder '{}'", context.project_dir.string())};
  context.loaded = load_project(context.project_dir, context.environment);
  Project& project = context.loaded.project;
  if (auto in_use = context.backend.other_data_dir_in_use(project)) {
    context.err.line(
        fmt::format("heddle.toml: data_dir = {} takes effect at the daemon's next start; the "
                    "running daemon keeps its data in {}, and this command uses that folder",
                    project.data_dir.string(), in_use->string()));
    project.data_dir = std::move(*in_use);
  }
  context.out.hide(project.secrets);
  context.err.hide(project.secrets);
  return check_data_folder(context.project_dir, project.data_dir);
}

// The ids of the configured jobs.
std::vector<std::string> configured_ids(const config::Loaded& loaded) {
  std::vector<std::string> ids;
  for (const config::LoadedJob& job : loaded.jobs)
    if (!job.id.text.empty()) ids.push_back(job.id.text);
  return ids;
}

// The ids that begin so, each once, in order; only one that is written so. Ids have no capital
// letters, so they may be typed with them.
std::vector<std::string> with_prefix(const std::vector<std::string>& ids,
                                     const std::string& written) {
  const std::string prefix = to_lower_ascii(written);
  std::set<std::string> found;
  for (const std::string& id : ids) {
    if (!prefix.empty() && id == prefix) return {id};
    if (!prefix.empty() && id.starts_with(prefix)) found.insert(id);
  }
  return {found.begin(), found.end()};
}

}  // namespace

Error ambiguous_prefix(std::string_view things, const std::string& prefix,
                       const std::vector<std::string>& candidates) {
  const auto shown = std::span(candidates).first(std::min(candidates.size(), kListedCandidates));
  return {ErrorCode::bad_input,
          fmt::format("several ids of {} begin with '{}': {}{}; give more characters", things,
                      prefix, join(shown, ", "), candidates.size() > shown.size() ? ", ..." : "")};
}

const LocalTimes& CommandContext::times() {
  if (!local_times) local_times = backend.local_times(loaded.project);
  return *local_times;
}

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
  return Error{ErrorCode::bad_input, "heddle.toml has errors (listed above): nothing was done"};
}

namespace {

Status load_leniently(CommandContext& context, LoadProject load_project) {
  if (auto read = read_project(context, load_project); !read) return read;
  for (config::Problem problem : context.loaded.project_problems) {
    if (problem.severity != config::ProblemSeverity::error) continue;
    problem.severity = config::ProblemSeverity::warning;
    context.err.line(config::to_text(problem));
  }
  return Done{};
}

}  // namespace

Status load_for_reading(CommandContext& context) {
  return load_leniently(context, config::load_project);
}

Status load_for_listing(CommandContext& context) {
  return load_leniently(context, config::load_for_reading);
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

Status open_listing(CommandContext& context) {
  auto loaded = load_for_listing(context);
  return loaded ? open_reader(context) : loaded;
}

const config::LoadedJob* find_written_job(CommandContext& context, const std::string& name) {
  if (const config::LoadedJob* written = context.loaded.find_job(name)) return written;
  const std::vector<std::string> known = configured_ids(context.loaded);
  const std::vector<std::string> found = with_prefix(known, name);
  if (found.size() == 1) return context.loaded.find_job(found.front());
  context.fail(found.empty() ? no_such_job(name, known, context.loaded)
                             : ambiguous_prefix("jobs", name, found).message);
  return nullptr;
}

const Job* find_job(CommandContext& context, const std::string& name) {
  const config::LoadedJob* written = find_written_job(context, name);
  if (written == nullptr) return nullptr;
  print_problems(context, written->problems);
  if (written->usable) return context.loaded.project.find_job(written->id.text);
  context.fail(fmt::format("job '{}' has errors (listed above): nothing was done", name));
  return nullptr;
}

void set_place(config::Problem& problem, const config::LoadedJob& job) {
  const auto setting = job.settings.find(problem.key);
  const config::Origin& origin =
      setting == job.settings.end() ? job.origin : setting->second.origin;
  problem.file = origin.file;
  problem.line = origin.line;
}

std::vector<config::Problem> script_problems(CommandContext& context, std::string_view only) {
  std::vector<config::Problem> problems;
  for (const ScriptProblem& found : context.backend.check_scripts(context.loaded.project)) {
    if (!only.empty() && found.job != only) continue;
    config::Problem problem{found.file, found.line, found.key, found.message};
    if (found.is_warning) problem.severity = config::ProblemSeverity::warning;
    if (const auto* job = context.loaded.find_job(found.job);
        problem.file.empty() && job != nullptr)
      set_place(problem, *job);
    problems.push_back(std::move(problem));
  }
  return problems;
}

void print_problems(CommandContext& context, const std::vector<config::Problem>& problems) {
  for (const config::Problem& problem : problems)
    if (!context.only_errors || problem.severity == config::ProblemSeverity::error)
      context.err.line(config::to_text(problem));
}

Result<JobId> find_job_id(const CommandContext& context, const std::string& name) {
  const config::LoadedJob* written = context.loaded.find_job(name);
  if (written != nullptr && !written->id.text.empty()) return written->id;
  auto stored = context.reader->jobs();
  if (!stored) return std::move(stored.error());
  std::vector<std::string> known = configured_ids(context.loaded);
  for (const store::JobName& job : *stored) {
    if (job.id.text == name || job.name == name) return job.id;
    known.push_back(job.id.text);
  }
  for (const std::string& id : configured_ids(context.loaded)) known.push_back(id);
  if (written == nullptr) {
    const std::vector<std::string> found = with_prefix(known, name);
    if (found.size() == 1) return JobId{found.front()};
    if (found.size() > 1) return ambiguous_prefix("jobs", name, found);
  }
  if (written != nullptr)
    return Error{ErrorCode::bad_input, fmt::format("job '{}' has errors and was never loaded: {}; "
                                                   "fix them first (`heddle check` lists all)",
                                                   name, first_error(*written))};
  // A job may be both configured and stored.
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return Error{ErrorCode::not_found, no_such_job(name, known, context.loaded)};
}

Result<RunId> find_run_id(const CommandContext& context, const std::string& written) {
  const std::string name = to_lower_ascii(written);
  auto found =
      name.empty() ? std::vector<RunId>() : context.reader->run_ids(name, kListedCandidates + 1);
  if (!found) return std::move(found).error();
  if (found->empty())
    return Error{
        ErrorCode::not_found,
        fmt::format("there is no run '{}'; `heddle runs JOB` lists a job's runs", written)};
  if (found->size() == 1 || found->front().text == name) return std::move(found->front());
  std::vector<std::string> ids;
  for (const RunId& id : *found) ids.push_back(id.text);
  return ambiguous_prefix("runs", name, ids);
}

}  // namespace heddle::cli
