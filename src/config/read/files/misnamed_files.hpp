// Finds files and folders that look like those of a project but have another name, so that nothing
// reads them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::config {

struct MisnamedFile {
  std::string name;
  std::string message;  // why it is not read, and what to do
};

enum class JobFolderKind {
  jobs,  // the folder "jobs" itself
  job,   // a folder below it
};

// Looks at the names in a folder of jobs. A folder without a job's file may belong to shared
// modules: only names that resemble those of a job's files are reported.
std::vector<MisnamedFile> misnamed_job_files(const std::vector<std::string>& names,
                                             JobFolderKind kind);

// Looks at the names in the project's folder.
std::vector<MisnamedFile> misnamed_project_files(const std::vector<std::string>& names);

}  // namespace heddle::config
