#include "cli/progress_printer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr int kBarWidth = 24;

}  // namespace

void ProgressPrinter::run_started(const Run& run) {
  total_ = run.pages.total;
  started_ = Clock::now();
  line_.restart();
  if (on_run_started_) on_run_started_(run);
}

void ProgressPrinter::page(const PageReport& page) {
  total_ += page.found_pages;
  if (style_ == ProgressStyle::every_page) return print_page(page);
  if (page.state == TaskState::retry)
    return notice(fmt::format("{}: {}; next attempt in {}", page.task.url, page.error.message,
                              duration_text(page.wait)));
  ++done_;
  failed_ += page.state == TaskState::dead ? 1 : 0;
  new_items_ += page.items.fresh;
  if (style_ == ProgressStyle::quiet || total_ < 2) return;
  if (line_.is_due()) line_.show(status_text());
}

void ProgressPrinter::print_page(const PageReport& page) {
  std::string line = fmt::format("{:<6} {}", to_text(page.state), page.task.url);
  if (page.state == TaskState::retry)
    line += fmt::format("  in {}: {}", duration_text(page.wait), page.error.message);
  else if (page.state == TaskState::dead)
    line += fmt::format("  {}: {}", to_text(page.error.kind), page.error.message);
  else
    line += fmt::format("  {}, {} new", counted(page.items.seen, "item"), page.items.fresh);
  if (page.found_pages > 0) line += fmt::format(", {} found", counted(page.found_pages, "page"));
  terminal_.line(line);
}

void ProgressPrinter::notice(const std::string& text) {
  if (style_ == ProgressStyle::quiet) return;
  line_.clear();
  terminal_.line(text);
}

std::string ProgressPrinter::status_text() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  const std::int64_t filled = kBarWidth * done_ / std::max<std::int64_t>(total_, 1);
  const std::string bar = terminal_.bar(filled, kBarWidth - filled);
  std::string text = fmt::format("{} {}/{} pages, {:.0f}/s, {}", bar, done_, total_, rate,
                                 counted(new_items_, "new item"));
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  if (rate > 0 && done_ < total_) {
    const auto left =
        std::chrono::seconds(static_cast<long>(static_cast<double>(total_ - done_) / rate) + 1);
    text += fmt::format(", {} left", duration_text(left));
  }
  return text;
}

}  // namespace heddle::cli
