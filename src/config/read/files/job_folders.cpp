#include "config/read/files/job_folders.hpp"

#include <map>

#include <fmt/format.h>

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

using FileOfFolder = std::map<fs::path, std::string>;

// The file of the job whose folder contains this one; nullptr: none.
const std::string* find_outer_job(const FileOfFolder& files, const fs::path& folder,
                                  const fs::path& root) {
  for (fs::path above = folder.parent_path(); above.has_relative_path() && above != root;
       above = above.parent_path())
    if (const auto outer = files.find(above); outer != files.end()) return &outer->second;
  return nullptr;
}

}  // namespace

void refuse_nested_folders(std::vector<LoadedJob>& jobs, const fs::path& root) {
  FileOfFolder files;
  for (const LoadedJob& job : jobs)
    if (!job.directory.empty()) files.emplace(job.directory, job.origin.file);
  for (LoadedJob& job : jobs) {
    const std::string* outer = find_outer_job(files, job.directory, root);
    if (outer == nullptr) continue;
    job.problems.push_back({job.origin.file,
                            0,
                            {},
                            fmt::format("lies inside the folder of the job in {}, whose scripts "
                                        "could read and change this job's files: move it out",
                                        *outer)});
  }
}

}  // namespace heddle::config
