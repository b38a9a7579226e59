// Shows on standard error how a run goes on: a line that rewrites itself on a terminal, a line now
// and then elsewhere, nothing at all for a run of one page.
#pragma once

#include <chrono>
#include <functional>

#include "cli/terminal.hpp"
#include "cli/work.hpp"

namespace heddle::cli {

enum class ProgressStyle {
  quiet,
  summary,     // one line for the whole run
  every_page,  // a line per page, written when its outcome is stored
};

class Progress final : public RunWatcher {
 public:
  Progress(Terminal& terminal, ProgressStyle style) : terminal_(terminal), style_(style) {}
  ~Progress() override { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called besides, when the run has begun.
  void on_begun(std::function<void(const Run&)> tell) { on_begun_ = std::move(tell); }

  void begun(const Run& run) override;
  void page(const PageNews& news) override;
  [[nodiscard]] bool wants_pages() const override { return style_ != ProgressStyle::quiet; }
  void remark(const std::string& text) override;

 private:
  using Clock = std::chrono::steady_clock;

  void clear();
  void print_page(const PageNews& news);
  void show(Clock::time_point now);
  [[nodiscard]] std::string status_text(Clock::time_point now) const;

  Terminal& terminal_;
  ProgressStyle style_;
  std::function<void(const Run&)> on_begun_;
  bool is_line_shown_ = false;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t new_items_ = 0;
  Clock::time_point started_{};
  Clock::time_point shown_{};
};

}  // namespace heddle::cli
