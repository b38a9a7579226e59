// ProjectSource reads the project's files on its own thread, so that the event loop never waits for
// the disk.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "config/environment.hpp"
#include "config/settings_change.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

struct BrokenJob {
  JobId id;                         // empty: its file is too broken to tell
  std::filesystem::path directory;  // empty: a job of jobs.toml
  std::string mistake;              // the first error
};

struct ReadProject {
  Project project;  // with its valid jobs
  std::vector<BrokenJob> broken;
  std::vector<config::SettingChange> changes;  // compared to the active settings
  config::Settings settings;                   // active once they are applied
};

// Knows the active settings, initially those the daemon was started with. The environment outlives
// it. One event loop.
class ProjectSource {
 public:
  ProjectSource(std::filesystem::path root, std::string settings_text,
                const config::Environment& environment);
  ~ProjectSource();

  // One call at a time. Fails when heddle.toml has errors or its changes make a job invalid.
  Async<Result<ReadProject>> read();

  // Marks these settings as active.
  void set_active(std::string settings_text, config::Settings settings);

 private:
  struct Thread;
  Result<ReadProject> read_files();
  [[nodiscard]] std::optional<Error> job_broken_by(const ReadProject& read) const;

  std::filesystem::path root_;
  const config::Environment& environment_;
  std::string active_text_;
  std::optional<config::Settings> active_settings_;  // absent until the text is parsed
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::app
