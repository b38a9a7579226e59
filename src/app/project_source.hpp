// Reads the project's files on a thread of its own: the event loop never waits for the disk.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "config/environment.hpp"
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
  bool has_other_settings = false;  // heddle.toml has changed since it was first read
};

// Jobs are read with the settings the daemon and its workers have started with, whatever
// heddle.toml says meanwhile. The environment outlives it. One event loop.
class ProjectSource {
 public:
  ProjectSource(std::filesystem::path root, std::string settings_text,
                const config::Environment& environment);
  ~ProjectSource();

  Async<Result<ReadProject>> read();

 private:
  struct Thread;
  std::filesystem::path root_;
  std::string settings_text_;
  const config::Environment& environment_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::app
