// ProgressPrinter shows the progress of a run: a rewritten line on a terminal, a line at intervals
// elsewhere, nothing for a run of one page. The terminal outlives it.
#pragma once

#include <chrono>
#include <functional>

#include "cli/command_backend.hpp"
#include "cli/terminal.hpp"

namespace heddle::cli {

enum class ProgressStyle {
  quiet,
  summary,     // one line for the whole run
  every_page,  // a line per page, after its result is stored
};

// Quiet when another program reads what is printed.
inline ProgressStyle default_progress_style(bool json, const Terminal& terminal) {
  return json && !terminal.is_interactive() ? ProgressStyle::quiet : ProgressStyle::summary;
}

class ProgressPrinter final : public RunWatcher {
 public:
  ProgressPrinter(Terminal& terminal, ProgressStyle style)
      : terminal_(terminal), style_(style), line_(terminal, std::chrono::milliseconds(100)) {}

  // Calls `callback` when the run has started.
  void on_run_started(std::function<void(const Run&)> callback) {
    on_run_started_ = std::move(callback);
  }

  void run_started(const Run& run) override;
  void page(const PageReport& page) override;
  [[nodiscard]] bool wants_pages() const override { return style_ != ProgressStyle::quiet; }
  void notice(const std::string& text) override;
  // Erases the line about the run: its result follows.
  void finish() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  void print_page(const PageReport& page);
  [[nodiscard]] std::string status_text() const;

  Terminal& terminal_;
  ProgressStyle style_;
  ProgressLine line_;
  std::function<void(const Run&)> on_run_started_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t new_items_ = 0;
  Clock::time_point started_{};
};

}  // namespace heddle::cli
