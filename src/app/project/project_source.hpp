// ProjectSource reads the project's files on its own thread, so that the event loop never waits for
// the disk.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/daemon/background_thread.hpp"
#include "base/async.hpp"
#include "base/result.hpp"
#include "config/environment.hpp"
#include "config/load_project.hpp"
#include "config/settings_change.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// nullptr: there are only warnings.
const config::Problem* first_error(const std::vector<config::Problem>& problems);

// nullptr: no job has this id. Names do not count, unlike in Project::find_job().
const Job* job_with_id(const Project& project, const JobId& id);

struct BrokenJob {
  JobId id;                         // empty: its file is too broken to tell
  std::filesystem::path directory;  // empty: a job of jobs.toml
  std::string mistake;              // the first error
};

struct ReadProject {
  Project project;  // with its valid jobs
  std::vector<BrokenJob> broken;
  std::vector<std::string> misnamed;  // files that look like those of a job but are not read
  std::vector<config::SettingChange> changes;  // compared to the active settings
  config::Settings settings;                   // active once they are applied
};

// Knows the active settings, initially those the daemon was started with. The environment outlives
// it. One event loop.
class ProjectSource {
 public:
  ProjectSource(std::filesystem::path root, std::string settings_text,
                const config::Environment& environment);

  // One call at a time. Fails when heddle.toml has errors or its changes make a job invalid.
  Async<Result<ReadProject>> read() {
    return thread_.run([this] { return read_within_memory(); });
  }

  // Marks these settings as active.
  void set_active(std::string settings_text, config::Settings settings);

 private:
  Result<ReadProject> read_within_memory();
  Result<ReadProject> read_files();
  [[nodiscard]] std::optional<Error> job_broken_by(const ReadProject& read) const;

  std::filesystem::path root_;
  const config::Environment& environment_;
  std::string active_text_;
  std::optional<config::Settings> active_settings_;  // absent until the text is parsed
  BackgroundThread thread_;                          // ends before the rest is destroyed
};

}  // namespace heddle::app
