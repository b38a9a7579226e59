#include "cli/file_progress_line.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::cli {

using namespace std::chrono_literals;

std::string bytes_text(std::int64_t bytes) {
  const auto number = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", number / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", number / 1e6);
  return fmt::format("{:.1f} GB", number / 1e9);
}

void FileProgressLine::clear() {
  if (is_shown_) terminal_.erase_line();
  is_shown_ = false;
}

void FileProgressLine::show(std::string_view what, std::int64_t done, std::int64_t all) {
  const auto now = Clock::now();
  if (now - shown_ < (terminal_.is_interactive() ? 200ms : 10s)) return;
  shown_ = now;
  const std::string text =
      fmt::format("{}: {} of {}, {} %", what, bytes_text(done), bytes_text(all),
                  done * 100 / std::max<std::int64_t>(all, 1));
  if (!terminal_.is_interactive()) return terminal_.line(text);
  is_shown_ = true;
  terminal_.erase_line();
  terminal_.print(fit(text, static_cast<std::size_t>(terminal_.width()) - 1));
}

}  // namespace heddle::cli
