// Loads a whole project and reports every problem in one pass. Blocks on the disk; no shared state.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/environment.hpp"
#include "config/problem.hpp"
#include "config/settings.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

// A job as read from its file, valid or not.
struct LoadedJob {
  JobId id;                         // empty when it could not be determined
  std::string name;                 // likewise
  Origin origin;                    // its file and line
  std::filesystem::path directory;  // empty for a job of jobs.toml
  Settings settings;                // all layers merged
  std::vector<Problem> problems;    // its own and those of the defaults it uses
  bool usable = false;              // it is in project.jobs
  bool exceeds_memory = false;      // then its settings are left out, but for id and name
};

struct Loaded {
  Project project;              // jobs: only the usable ones, ordered by id
  std::vector<LoadedJob> jobs;  // all jobs, in file order
  Settings project_settings;    // heddle.toml without defaults and groups
  Settings layers;              // defaults and groups: "defaults.timeout", "groups.shops.timeout"
  std::vector<Problem> project_problems;  // of heddle.toml; errors prevent every run
  std::vector<Problem> misnamed;          // files that look like those of a job but are not read
  std::vector<Problem> problems;          // all problems, by file and line, each once

  // Finds a job by id, name or folder; nullptr when there is none.
  [[nodiscard]] const LoadedJob* find_job(std::string_view name) const;
};

Loaded load_project(const std::filesystem::path& root, const Environment& environment);
// Uses a heddle.toml text that was read earlier instead of the file.
Loaded load_project(const std::filesystem::path& root, const Environment& environment,
                    std::string settings_text);
// A file of jobs as it would be: `name` as in problems, "jobs/shop/config.toml" or "jobs.toml".
struct DraftFile {
  std::string name;
  std::string text;
};
// Uses the draft instead of that file, which need not exist.
Loaded load_project(const std::filesystem::path& root, const Environment& environment,
                    DraftFile draft);
// Loads the project settings of such a text only; reads no job.
Loaded load_settings(const std::filesystem::path& root, const Environment& environment,
                     std::string settings_text);

}  // namespace heddle::config
