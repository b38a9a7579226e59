#include "app/project_source.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
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

bool has_other_text(const std::filesystem::path& file, const std::string& text) {
  std::ifstream now(file, std::ios::binary);
  const std::string found((std::istreambuf_iterator<char>(now)), std::istreambuf_iterator<char>());
  return found != text;
}

Result<ReadProject> read_files(const std::filesystem::path& root, const std::string& settings_text,
                               const config::Environment& environment) {
  config::Loaded loaded = config::load_project(root, environment, settings_text);
  if (const Problem* mistake = first_mistake(loaded.project_problems))
    return Error{ErrorCode::bad_input, config::to_text(*mistake) + " (`heddle check` shows all)"};
  ReadProject read;
  for (const config::LoadedJob& job : loaded.jobs) {
    if (job.usable) continue;
    const Problem* mistake = first_mistake(job.problems);
    read.broken.push_back(
        {job.id, job.directory, mistake == nullptr ? "" : config::to_text(*mistake)});
  }
  read.project = std::move(loaded.project);
  read.has_other_settings = has_other_text(root / "heddle.toml", settings_text);
  return read;
}

}  // namespace

struct ProjectSource::Thread {
  asio::thread_pool pool{1};
};

ProjectSource::ProjectSource(std::filesystem::path root, std::string settings_text,
                             const config::Environment& environment)
    : root_(std::move(root)),
      settings_text_(std::move(settings_text)),
      environment_(environment),
      thread_(std::make_unique<Thread>()) {}

ProjectSource::~ProjectSource() {
  thread_->pool.join();
}

Async<Result<ReadProject>> ProjectSource::read() {
  const auto reading = [](const ProjectSource& self) -> Async<Result<ReadProject>> {
    co_return read_files(self.root_, self.settings_text_, self.environment_);
  };
  auto done = asio::co_spawn(thread_->pool, reading(*this), asio::use_awaitable);
  co_return co_await std::move(done);
}

}  // namespace heddle::app
