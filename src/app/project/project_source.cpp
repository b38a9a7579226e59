#include "app/project/project_source.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

namespace heddle::app {

using config::Problem;

const Problem* first_error(const std::vector<Problem>& problems) {
  const auto found = std::find_if(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == config::ProblemSeverity::error;
  });
  return found == problems.end() ? nullptr : &*found;
}

const Job* job_with_id(const Project& project, const JobId& id) {
  const auto found = std::find_if(project.jobs.begin(), project.jobs.end(),
                                  [&id](const Job& job) { return job.id == id; });
  return found == project.jobs.end() ? nullptr : &*found;
}

namespace {

// The first problem that prevents every run with these settings.
const Problem* first_blocking_problem(const config::Loaded& loaded) {
  if (const Problem* mistake = first_error(loaded.project_problems)) return mistake;
  for (const auto& [path, setting] : loaded.project_settings)
    if (setting.prevents_running && !setting.problems.empty()) return &setting.problems.front();
  return nullptr;
}

std::vector<BrokenJob> broken_jobs(const config::Loaded& loaded) {
  std::vector<BrokenJob> broken;
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable) continue;
    const Problem* mistake = first_error(job.problems);
    broken.push_back({job.id, job.directory, mistake == nullptr ? "" : config::to_text(*mistake)});
  }
  return broken;
}

}  // namespace

ProjectSource::ProjectSource(std::filesystem::path root, std::string settings_text,
                             const config::Environment& environment)
    : root_(std::move(root)), environment_(environment), active_text_(std::move(settings_text)) {}

void ProjectSource::set_active(std::string settings_text, config::Settings settings) {
  active_text_ = std::move(settings_text);
  active_settings_ = std::move(settings);
}

// A lack of memory must not end the daemon: the files that are in use stay.
Result<ReadProject> ProjectSource::read_within_memory() {
  try {
    return read_files();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::unavailable, "there is not enough memory to read the project's files"};
  }
}

// Runs on the thread; read() allows one call at a time.
Result<ReadProject> ProjectSource::read_files() {
  if (!active_settings_)
    active_settings_ =
        config::settings_of(config::load_settings(root_, environment_, std::string(active_text_)));
  config::Loaded loaded = config::load_project(root_, environment_);
  if (const Problem* blocking = first_blocking_problem(loaded))
    return Error{ErrorCode::bad_input,
                 config::to_text(*blocking) + " (`heddle check` lists all errors)"};
  ReadProject read;
  read.broken = broken_jobs(loaded);
  for (const Problem& file : loaded.misnamed) read.misnamed.push_back(config::to_text(file));
  config::Settings settings = config::settings_of(loaded);
  read.changes = config::compare_settings(*active_settings_, settings);
  read.settings = config::active_settings(*active_settings_, std::move(settings));
  read.project = std::move(loaded.project);
  if (auto failure = job_broken_by(read)) return std::move(*failure);
  return read;
}

// Returns an error for a job that the change of heddle.toml made invalid: its former version cannot
// be kept, because workers with the new settings could not read it.
std::optional<Error> ProjectSource::job_broken_by(const ReadProject& read) const {
  if (read.changes.empty() || read.broken.empty()) return std::nullopt;
  const config::Loaded before = config::load_project(root_, environment_, active_text_);
  std::set<std::pair<JobId, std::filesystem::path>> broken_before;
  for (const BrokenJob& job : broken_jobs(before)) broken_before.emplace(job.id, job.directory);
  for (const BrokenJob& job : read.broken)
    if (!broken_before.contains({job.id, job.directory}))
      return Error{
          ErrorCode::bad_input,
          job.mistake + " (caused by the changed heddle.toml; `heddle check` lists all errors)"};
  return std::nullopt;
}

}  // namespace heddle::app
