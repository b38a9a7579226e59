// FileProgressLine shows the progress of long file operations: a rewritten line on a terminal, a
// line at intervals elsewhere, nothing for short operations. The terminal outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/database_maintenance.hpp"
#include "cli/terminal.hpp"

namespace heddle::cli {

// "1.5 MB".
std::string bytes_text(std::int64_t bytes);

class FileProgressLine {
 public:
  explicit FileProgressLine(Terminal& terminal) : terminal_(terminal) {}
  ~FileProgressLine() { clear(); }
  FileProgressLine(const FileProgressLine&) = delete;
  FileProgressLine& operator=(const FileProgressLine&) = delete;

  // The callback must not outlive this object.
  FileProgress callback() {
    return [this](std::string_view what, std::int64_t done, std::int64_t all) {
      show(what, done, all);
    };
  }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::string_view what, std::int64_t done, std::int64_t all);

  Terminal& terminal_;
  bool is_shown_ = false;
  Clock::time_point shown_ = Clock::now();
};

}  // namespace heddle::cli
