// Lines of a job's log: its events, and what its scripts and programs wrote.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "store/reader.hpp"

namespace heddle::cli {

struct JobLogLine {
  WallTime at{};
  std::string text;
};

// "run 01m7… ended: failed", "paused (user)", …
std::string event_text(const store::StoredEvent& event);

// LogFileTail returns the lines appended to a file since the last call, across rotations (NAME
// becomes NAME.1, and so on). The first call returns the last `max` lines. Not thread-safe.
class LogFileTail {
 public:
  LogFileTail(std::filesystem::path file, std::size_t max) : file_(std::move(file)), max_(max) {}
  std::vector<JobLogLine> read_new();

 private:
  void read_end(std::vector<JobLogLine>& lines);
  void read_rest(std::vector<JobLogLine>& lines);
  void add_lines(std::string_view text, std::vector<JobLogLine>& lines);
  // Files that replaced the open one.
  struct Newer {
    std::vector<FileDescriptor> files{};  // oldest first
    bool is_complete = false;             // false: rotation may have deleted some in between
  };
  [[nodiscard]] Newer find_newer() const;

  std::filesystem::path file_;
  std::size_t max_;
  bool has_started_ = false;
  FileDescriptor open_;  // read to its end, even after it was renamed
  std::uintmax_t offset_ = 0;
  std::string rest_;  // of an incomplete line
  WallTime last_{};   // used for lines without a time
};

// A line of a job's log: "[2026-11-15T21:23:07.412Z] text" or "2026-11-15T21:23:07.412Z text".
JobLogLine split_time(std::string_view line, WallTime otherwise);

}  // namespace heddle::cli
