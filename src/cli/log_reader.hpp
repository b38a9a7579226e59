// LogReader merges the logs of one job, or of the daemon and all jobs, by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "cli/log_lines.hpp"
#include "store/reader.hpp"

namespace heddle::cli {

// Not thread-safe. The reader outlives it.
class LogReader {
 public:
  // An empty job: the daemon and all jobs. The first read returns the last `max` lines.
  LogReader(store::Reader& reader, JobId job, std::filesystem::path data_dir, std::size_t max);

  // Reads events from this reader from now on; it outlives this object, too.
  void set_reader(store::Reader& reader) { reader_ = &reader; }

  // Returns the lines that were added since the last call, by time.
  Result<std::vector<LogLine>> read_new();

 private:
  struct JobFiles {
    LogFileTail scripts;
    LogFileTail programs;
  };

  void find_jobs();
  void add_job(const std::string& job);

  store::Reader* reader_;
  JobId job_;
  std::filesystem::path data_dir_;
  std::size_t max_;
  std::map<std::string, JobFiles> jobs_;
  LogFileTail daemon_;
  std::int64_t last_event_ = 0;
};

}  // namespace heddle::cli
