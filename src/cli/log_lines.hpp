// Lines of the logs: events, what scripts and programs wrote, and the daemon's messages.
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

enum class LogSource { event, script, program, daemon };

struct LogLine {
  WallTime at{};
  std::string text;
  LogSource source = LogSource::script;
  std::string job{};    // empty: unknown or none
  std::string run{};    // the same
  std::string level{};  // of scripts and of the daemon: "info", "warning", …
};

std::string_view to_text(LogSource source);

// "run 01m7… failed", "job paused, reason: user", …
std::string event_text(const store::StoredEvent& event);

// LogFileTail returns the lines appended to a file since the last call, across rotations (NAME
// becomes NAME.1, and so on). The first call returns the last `max` lines. Not thread-safe.
class LogFileTail {
 public:
  LogFileTail(std::filesystem::path file, std::size_t max) : file_(std::move(file)), max_(max) {}
  std::vector<LogLine> read_new();

 private:
  void read_end(std::vector<LogLine>& lines);
  void read_rest(std::vector<LogLine>& lines);
  void add_lines(std::string_view text, std::vector<LogLine>& lines);
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

// Splits the time from a line of a file: "2026-11-15T21:23:07.412Z text".
LogLine split_time(std::string_view line, WallTime otherwise);

// Reads what the daemon has written in any format of `log.format`.
LogLine daemon_line(LogLine line);
// "warning: text" of a script's file.
LogLine script_line(LogLine line, const std::string& job);
// "RUN PROGRAM STREAM: text" of a file of programs.
LogLine program_line(LogLine line, const std::string& job);
LogLine event_line(const store::StoredEvent& event);

}  // namespace heddle::cli
