// DiskUsage measures and removes folders on its own thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/maintenance/temp_file_sweep.hpp"
#include "base/async.hpp"
#include "base/result.hpp"

namespace heddle::app {

// Blocks. Tolerates files that appear or vanish meanwhile. Does not follow links; a file with
// several names counts once per name.
Result<std::int64_t> measure_folder(const std::filesystem::path& folder);

// Of the file system that holds the folder.
Result<std::int64_t> disk_size(const std::filesystem::path& folder);
Result<std::int64_t> disk_free(const std::filesystem::path& folder);  // for users other than root

class DiskUsage {
 public:
  explicit DiskUsage(std::filesystem::path folder);
  ~DiskUsage();  // waits for pending operations
  DiskUsage(const DiskUsage&) = delete;
  DiskUsage& operator=(const DiskUsage&) = delete;

  Async<Result<std::int64_t>> measure();
  // Deletes a folder with its content, on the same thread.
  Async<Status> remove(std::filesystem::path folder);
  // See temp_file_sweep.hpp; on the same thread.
  Async<std::vector<std::filesystem::path>> sweep_temp_files(ProjectFolders project);

 private:
  struct Thread;
  std::filesystem::path folder_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::app
