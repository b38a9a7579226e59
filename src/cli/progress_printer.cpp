#include "cli/progress_printer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::cli {

using namespace std::chrono_literals;

namespace {

constexpr int kBarWidth = 24;

}  // namespace

void ProgressPrinter::run_started(const Run& run) {
  total_ = run.pages.total;
  started_ = Clock::now();
  shown_ = started_;
  if (on_run_started_) on_run_started_(run);
}

void ProgressPrinter::page(const PageProgress& progress) {
  if (style_ == ProgressStyle::every_page) return print_page(progress);
  if (progress.state == TaskState::retry)
    return notice(fmt::format("{}: {}; next try in {}", progress.url, progress.error.message,
                              duration_text(progress.wait)));
  ++done_;
  failed_ += progress.state == TaskState::dead ? 1 : 0;
  new_items_ += progress.items.fresh;
  if (style_ == ProgressStyle::quiet || total_ < 2) return;
  const auto now = Clock::now();
  if (now - shown_ >= (terminal_.is_interactive() ? 100ms : 10s)) show(now);
}

void ProgressPrinter::print_page(const PageProgress& progress) {
  std::string line = fmt::format("{:<6} {}", to_text(progress.state), progress.url);
  if (progress.state == TaskState::retry)
    line += fmt::format("  in {}: {}", duration_text(progress.wait), progress.error.message);
  else if (progress.state == TaskState::dead)
    line += fmt::format("  {}: {}", to_text(progress.error.kind), progress.error.message);
  else
    line += fmt::format("  {} items, {} new", progress.items.seen, progress.items.fresh);
  terminal_.line(line);
}

void ProgressPrinter::notice(const std::string& text) {
  if (style_ == ProgressStyle::quiet) return;
  clear();
  terminal_.line(text);
}

void ProgressPrinter::clear() {
  if (is_line_shown_) terminal_.erase_line();
  is_line_shown_ = false;
}

void ProgressPrinter::show(Clock::time_point now) {
  shown_ = now;
  if (!terminal_.is_interactive()) return terminal_.line(status_text(now));
  is_line_shown_ = true;
  terminal_.erase_line();
  terminal_.print(fit(status_text(now), static_cast<std::size_t>(terminal_.width()) - 1));
}

std::string ProgressPrinter::status_text(Clock::time_point now) const {
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  const std::int64_t filled = kBarWidth * done_ / std::max<std::int64_t>(total_, 1);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < filled ? "█" : "░";
  std::string text =
      fmt::format("{} {}/{} pages, {:.0f}/s, {} new items", bar, done_, total_, rate, new_items_);
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  if (rate > 0 && done_ < total_) {
    const auto left =
        std::chrono::seconds(static_cast<long>(static_cast<double>(total_ - done_) / rate) + 1);
    text += fmt::format(", {} left", duration_text(left));
  }
  return text;
}

}  // namespace heddle::cli
