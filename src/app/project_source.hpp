// Reads the project's files on a thread of its own: the event loop never waits for the disk.
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
#include "model/job.hpp"

namespace heddle::app {

struct BrokenJob {
  JobId id;                         // empty: its mistakes leave even that open
  std::filesystem::path directory;  // empty: in jobs.toml
  std::string mistake;              // the first one
};

struct ReadProject {
  Project project;  // with the jobs that are in order
  std::vector<BrokenJob> broken;
  std::vector<config::SettingChange> changes;  // against the settings in force
  config::Settings settings;                   // in force once they are taken up
};

// Knows the settings that are in force: at first those the daemon was started with. The environment
// outlives it. One event loop.
class ProjectSource {
 public:
  ProjectSource(std::filesystem::path root, std::string settings_text,
                const config::Environment& environment);
  ~ProjectSource();

  // One at a time. Fails when heddle.toml has mistakes, or when jobs have some because of what it
  // says now.
  Async<Result<ReadProject>> read();

  // From now on these are in force.
  void set_in_force(std::string settings_text, config::Settings settings);

 private:
  struct Thread;
  Result<ReadProject> read_files();
  [[nodiscard]] std::optional<Error> trouble_with(const ReadProject& read) const;

  std::filesystem::path root_;
  const config::Environment& environment_;
  std::string text_in_force_;
  std::optional<config::Settings> in_force_;  // absent until the text was read
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::app
