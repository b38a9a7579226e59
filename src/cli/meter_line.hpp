// Shows on standard error how far long work on files has come: a line that rewrites itself on a
// terminal, a line now and then elsewhere, nothing at all for what is done in a moment.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/terminal.hpp"
#include "cli/upkeep.hpp"

namespace heddle::cli {

// "1.5 MB".
std::string bytes_text(std::int64_t bytes);

class MeterLine {
 public:
  explicit MeterLine(Terminal& terminal) : terminal_(terminal) {}
  ~MeterLine() { clear(); }
  MeterLine(const MeterLine&) = delete;
  MeterLine& operator=(const MeterLine&) = delete;

  // Valid as long as this lives.
  Meter meter() {
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
