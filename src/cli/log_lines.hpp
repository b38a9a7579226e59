// What happened to a job, and what its scripts wrote, as lines in the order of time.
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

struct LogLine {
  WallTime at{};
  std::string text;
};

// "run 01m7… ended: failed", "paused (user)", …
std::string event_text(const store::StoredEvent& event);

// A file that grows and is now and then rotated (NAME becomes NAME.1, and so on): lines that have
// come since the last call, those of the rotated files included. The first call gives the last
// `max` lines of what is there.
class GrowingFile {
 public:
  GrowingFile(std::filesystem::path file, std::size_t max) : file_(std::move(file)), max_(max) {}
  std::vector<LogLine> read_new();

 private:
  void read_end(std::vector<LogLine>& lines);
  void read_rest(std::vector<LogLine>& lines);
  void take_lines(std::string_view text, std::vector<LogLine>& lines);
  // Files that took the name after the one that is open.
  struct Newer {
    std::vector<FileDescriptor> files{};  // oldest first
    bool are_all = false;                 // false: others may have been dropped in between
  };
  [[nodiscard]] Newer find_newer() const;

  std::filesystem::path file_;
  std::size_t max_;
  bool has_begun_ = false;
  FileDescriptor open_;  // read to its end, whatever it is called by now
  std::uintmax_t place_ = 0;
  std::string rest_;  // of a line that is not whole yet
  WallTime last_{};   // of lines without a time of their own
};

// A line of a job's log: "[2026-11-15T21:23:07.412Z] text" or "2026-11-15T21:23:07.412Z text".
LogLine split_time(std::string_view line, WallTime otherwise);

}  // namespace heddle::cli
