// Reads a whole project: every file, every mistake at once. Blocks on the disk; no shared state.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/environment.hpp"
#include "config/problem.hpp"
#include "config/settings.hpp"
#include "model/job.hpp"

namespace heddle::config {

// A job as it stands in the files, also when it is wrong.
struct LoadedJob {
  JobId id;                         // empty when it could not be made out
  std::string name;                 // likewise
  Origin origin;                    // its file and line
  std::filesystem::path directory;  // empty for a job of jobs.toml
  Settings settings;                // all layers laid over each other
  std::vector<Problem> problems;    // of its own and of the defaults it uses
  bool usable = false;              // it stands in project.jobs
};

struct Loaded {
  Project project;                        // jobs: only the usable ones, ordered by id
  std::vector<LoadedJob> jobs;            // all, in the order of the files
  Settings project_settings;              // heddle.toml without defaults and groups
  Settings layers;                        // those: "defaults.timeout", "groups.shops.timeout"
  std::vector<Problem> project_problems;  // heddle.toml: with errors nothing should be run
  std::vector<Problem> problems;          // everything, ordered by file and line, each once

  // By id, name or folder; nullptr when there is none.
  [[nodiscard]] const LoadedJob* find_job(std::string_view name) const;
};

Loaded load_project(const std::filesystem::path& root, const Environment& environment);
// With the text of a heddle.toml that was read before, whatever the file says now.
Loaded load_project(const std::filesystem::path& root, const Environment& environment,
                    std::string settings_text);
// Only what such a text says about the whole project: no job is read.
Loaded load_settings(const std::filesystem::path& root, const Environment& environment,
                     std::string settings_text);

}  // namespace heddle::config
