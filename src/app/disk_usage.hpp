// How much disk space a folder takes, found out on a thread of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/leftovers.hpp"
#include "base/async.hpp"
#include "base/result.hpp"

namespace heddle::app {

// Blocks. Files that come and go meanwhile do not matter; links are not followed, and a file with
// several names counts once per name.
Result<std::int64_t> measure_folder(const std::filesystem::path& folder);

// Of the file system that holds the folder.
Result<std::int64_t> disk_size(const std::filesystem::path& folder);
Result<std::int64_t> disk_free(const std::filesystem::path& folder);  // for whoever is not root

class DiskUsage {
 public:
  explicit DiskUsage(std::filesystem::path folder);
  ~DiskUsage();  // waits for what is under way
  DiskUsage(const DiskUsage&) = delete;
  DiskUsage& operator=(const DiskUsage&) = delete;

  Async<Result<std::int64_t>> measure();
  // These on the same thread. Deletes a folder with all that is in it.
  Async<Status> remove(std::filesystem::path folder);
  // See leftovers.hpp.
  Async<std::vector<std::filesystem::path>> sweep_leftovers(ProjectFolders project);

 private:
  struct Thread;
  std::filesystem::path folder_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::app
