#include "app/project_source.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "config/load_project.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

using config::Problem;

const Problem* first_mistake(const std::vector<Problem>& problems) {
  const auto found = std::find_if(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == config::Severity::error;
  });
  return found == problems.end() ? nullptr : &*found;
}

// Why no job could be run with these settings.
const Problem* first_obstacle(const config::Loaded& loaded) {
  if (const Problem* mistake = first_mistake(loaded.project_problems)) return mistake;
  for (const auto& [path, setting] : loaded.project_settings)
    if (setting.prevents_running && !setting.problems.empty()) return &setting.problems.front();
  return nullptr;
}

std::vector<BrokenJob> broken_jobs(const config::Loaded& loaded) {
  std::vector<BrokenJob> broken;
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable) continue;
    const Problem* mistake = first_mistake(job.problems);
    broken.push_back({job.id, job.directory, mistake == nullptr ? "" : config::to_text(*mistake)});
  }
  return broken;
}

}  // namespace

struct ProjectSource::Thread {
  asio::thread_pool pool{1};
};

ProjectSource::ProjectSource(std::filesystem::path root, std::string settings_text,
                             const config::Environment& environment)
    : root_(std::move(root)),
      environment_(environment),
      text_in_force_(std::move(settings_text)),
      thread_(std::make_unique<Thread>()) {}

ProjectSource::~ProjectSource() {
  thread_->pool.join();
}

Async<Result<ReadProject>> ProjectSource::read() {
  const auto reading = [](ProjectSource& self) -> Async<Result<ReadProject>> {
    co_return self.read_files();
  };
  auto done = asio::co_spawn(thread_->pool, reading(*this), asio::use_awaitable);
  co_return co_await std::move(done);
}

void ProjectSource::set_in_force(std::string settings_text, config::Settings settings) {
  text_in_force_ = std::move(settings_text);
  in_force_ = std::move(settings);
}

// On the thread; nothing else happens here meanwhile.
Result<ReadProject> ProjectSource::read_files() {
  if (!in_force_)
    in_force_ = config::settings_of(
        config::load_settings(root_, environment_, std::string(text_in_force_)));
  config::Loaded loaded = config::load_project(root_, environment_);
  if (const Problem* obstacle = first_obstacle(loaded))
    return Error{ErrorCode::bad_input, config::to_text(*obstacle) + " (`heddle check` shows all)"};
  ReadProject read;
  read.broken = broken_jobs(loaded);
  config::Settings settings = config::settings_of(loaded);
  read.changes = config::compare_settings(*in_force_, settings);
  read.settings = config::settings_in_force(*in_force_, std::move(settings));
  read.project = std::move(loaded.project);
  if (auto trouble = trouble_with(read)) return std::move(*trouble);
  return read;
}

// A job that was in order until heddle.toml changed: its former version cannot be kept, because
// workers with the new settings could not read it.
std::optional<Error> ProjectSource::trouble_with(const ReadProject& read) const {
  if (read.changes.empty() || read.broken.empty()) return std::nullopt;
  const config::Loaded before = config::load_project(root_, environment_, text_in_force_);
  std::set<std::pair<JobId, std::filesystem::path>> broken_before;
  for (const BrokenJob& job : broken_jobs(before)) broken_before.emplace(job.id, job.directory);
  for (const BrokenJob& job : read.broken)
    if (!broken_before.contains({job.id, job.directory}))
      return Error{
          ErrorCode::bad_input,
          job.mistake + " (because of what heddle.toml says now; `heddle check` shows all)"};
  return std::nullopt;
}

}  // namespace heddle::app
