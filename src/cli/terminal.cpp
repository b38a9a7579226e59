#include "cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/environment_variable.hpp"
#include "base/log/printable.hpp"
#include "base/log/redact.hpp"
#include "base/text.hpp"
#include "cli/wrap_text.hpp"

namespace heddle::cli {

namespace {

constexpr int kWidthOfAPipe = 100;
constexpr int kWidestLine = 10'000;
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowestColumn = 8;

int terminal_width(int descriptor) {
  const int wanted = std::atoi(environment_variable("COLUMNS").value_or("").c_str());
  if (wanted > 0) return std::min(wanted, kWidestLine);
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kWidthOfAPipe;
}

bool is_dumb() {
  return environment_variable("TERM") == "dumb";
}

// Of the first of these variables that is set, as setlocale() does.
bool has_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = to_lower_ascii(environment_variable(name).value_or(""));
    if (!locale.empty())
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

// In the order of Colour.
constexpr std::array<std::string_view, 6> kColourCodes{kPlain,     "\x1b[32m", "\x1b[31m",
                                                       "\x1b[33m", "\x1b[90m", "\x1b[1m"};

// Stands before the number of a colour in painted text until it is printed. Random, so that no
// page or log can contain it: text from outside never colours the terminal.
const std::string& colour_mark() {
  static const std::string mark = [] {
    std::random_device random;
    return fmt::format("\x01{:08x}{:08x}", random(), random());
  }();
  return mark;
}

std::string colour_text(Colour colour) {
  return colour_mark() + static_cast<char>('0' + static_cast<int>(colour));
}

// Ends of lines in the terminal's way, other control characters as escapes.
std::string harmless(std::string_view text) {
  std::string lines(text);
  for (auto end = lines.find("\r\n"); end != std::string::npos; end = lines.find("\r\n", end))
    lines.erase(end, 1);
  return printable(lines);
}

std::string with_colour_codes(std::string_view text) {
  const std::string& mark = colour_mark();
  std::string out;
  while (true) {
    const std::size_t painted = text.find(mark);
    if (painted == std::string_view::npos || painted + mark.size() >= text.size()) break;
    const auto colour = static_cast<std::size_t>(text[painted + mark.size()] - '0');
    out += harmless(text.substr(0, painted));
    out += kColourCodes[std::min(colour, kColourCodes.size() - 1)];
    text.remove_prefix(painted + mark.size() + 1);
  }
  return out + harmless(text);
}

// Ranges that terminals draw two columns wide: CJK, Hangul, full-width forms, emoji.
bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

bool is_combining(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F);
}

std::size_t columns_of(std::string_view sequence) {
  char32_t code = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return 1;
  code &= 0x7Fu >> sequence.size();
  for (const char c : sequence.substr(1))
    code = (code << 6) | (static_cast<unsigned char>(c) & 63u);
  if (is_combining(code)) return 0;
  return is_wide(code) ? 2 : 1;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool gap = false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += ' ';
    gap = false;
    out += c;
  }
  return to_valid_utf8(std::move(out));
}

// The longest prefix that fits into `columns`.
std::string_view prefix_of_width(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  std::size_t used = 0;
  while (end < text.size()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence_length(text.substr(end)));
    used += columns_of(text.substr(end, length));
    if (used > columns) break;
    end += length;
  }
  return text.substr(0, end);
}

}  // namespace

Terminal::Terminal(std::FILE* file)
    : file_(file),
      is_interactive_(isatty(fileno(file)) == 1),
      can_rewrite_(is_interactive_ && !is_dumb()),
      has_colour_(can_rewrite_ && !environment_variable("NO_COLOR")),
      has_utf8_(has_utf8_locale()) {}

int Terminal::width() const {
  return terminal_width(fileno(file_));
}

std::string Terminal::bar(std::int64_t filled, std::int64_t empty) const {
  std::string text;
  for (std::int64_t i = 0; i < filled; ++i) text += has_utf8_ ? "█" : "#";
  for (std::int64_t i = 0; i < empty; ++i) text += has_utf8_ ? "░" : "-";
  return text;
}

std::string Terminal::fit(std::string_view text, std::size_t columns) const {
  return cli::fit(text, columns, has_utf8_ ? "…" : "...");
}

std::string Terminal::paint(Colour colour, std::string_view text) const {
  if (!has_colour_ || colour == Colour::none) return std::string(text);
  return colour_text(colour) + std::string(text) + colour_text(Colour::none);
}

std::string Terminal::shown(std::string_view text) const {
  return redact(text, secrets_);
}

void Terminal::print(std::string_view text) {
  const std::string printed = shown(text);
  write(is_interactive_ ? with_colour_codes(printed) : printed);
}

void Terminal::erase_line() {
  if (can_rewrite_) write("\r\x1b[K");
}

void Terminal::write(const std::string& text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), file_);
  if (written < text.size() && write_error_ == 0) write_error_ = errno;
}

bool Terminal::is_unread() const {
  pollfd output{fileno(file_), 0, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

void Terminal::end_unread() const {
  (void)std::raise(SIGPIPE);
}

Status Terminal::finish() {
  if (std::fflush(file_) != 0 && write_error_ == 0) write_error_ = errno;
  if (write_error_ == 0 && std::ferror(file_) == 0) return Done{};
  return Error{
      ErrorCode::unavailable,
      fmt::format("the output could not be written: {}",
                  std::generic_category().message(write_error_ == 0 ? EIO : write_error_))};
}

void Terminal::line(std::string_view text) {
  std::string printed = shown(text);
  if (is_interactive_)
    printed = wrap_text(with_colour_codes(printed), static_cast<std::size_t>(width()));
  write(printed + '\n');
}

void ProgressLine::show(std::string_view text) {
  restart();
  if (!terminal_.can_rewrite()) return terminal_.line(text);
  terminal_.erase_line();
  terminal_.print(terminal_.fit(text, static_cast<std::size_t>(terminal_.width()) - 1));
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (is_shown_) terminal_.erase_line();
  is_shown_ = false;
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence_length(text));
    columns += columns_of(text.substr(0, length));
    text.remove_prefix(length);
  }
  return columns;
}

std::string fit(std::string_view text, std::size_t columns, std::string_view ellipsis) {
  std::string line = on_one_line(text);
  if (display_width(line) <= columns) return line;
  const std::size_t dots = display_width(ellipsis);
  if (columns < dots) return std::string(prefix_of_width(line, columns));
  return std::string(prefix_of_width(line, columns - dots)) + std::string(ellipsis);
}

std::string duration_text(std::chrono::microseconds duration) {
  const auto ms = duration.count() / 1000;
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (ms < 60'000) return fmt::format("{:.1f} s", static_cast<double>(ms) / 1000.0);
  if (ms < 3'600'000) return fmt::format("{} min {} s", ms / 60'000, ms / 1000 % 60);
  return fmt::format("{} h {} min", ms / 3'600'000, ms / 60'000 % 60);
}

std::vector<std::size_t> TextTable::column_widths(std::size_t available) const {
  std::vector<std::size_t> widths(header_.size());
  for (std::size_t i = 0; i < header_.size(); ++i) widths[i] = display_width(header_[i]);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < widths.size() && i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(on_one_line(row[i].text)));
  const auto total = [&widths] {
    return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
  };
  const std::size_t fewest = std::max<std::size_t>(whole_columns_, 1);
  while (drops_columns_ && widths.size() > fewest && total() > available) widths.pop_back();
  while (total() > available) {
    const auto first = widths.begin() + static_cast<std::ptrdiff_t>(whole_columns_);
    const auto widest = std::max_element(first, widths.end());
    if (widest != widths.end() && *widest > kNarrowestColumn)
      --*widest;
    else if (widths.size() > fewest)
      widths.pop_back();
    else
      break;
  }
  return widths;
}

void TextTable::add(Row row) {
  rows_.push_back(std::move(row));
  if (stream_ == nullptr || rows_.size() < kRowsForWidths) return;
  if (widths_.empty()) {
    widths_ = widths_for(*stream_);
    print_header(*stream_, widths_);
  }
  print_rows(*stream_, widths_);
  rows_.clear();
}

void TextTable::print(Terminal& terminal) const {
  if (!widths_.empty()) return print_rows(terminal, widths_);
  const auto widths = widths_for(terminal);
  print_header(terminal, widths);
  print_rows(terminal, widths);
}

bool TextTable::is_uncut(const Terminal& terminal) const {
  return is_whole_in_pipes_ && !terminal.is_interactive();
}

std::vector<std::size_t> TextTable::widths_for(const Terminal& terminal) const {
  return column_widths(is_uncut(terminal) ? std::numeric_limits<std::size_t>::max()
                                          : static_cast<std::size_t>(terminal.width()));
}

std::string TextTable::format(const Terminal& terminal, const Row& row,
                              const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < widths.size() && i < row.size(); ++i) {
    // Redacts before it cuts: a cut secret would not be recognized.
    const std::string shown = terminal.shown(row[i].text);
    // A later row may have a longer id than the rows that decided about the widths.
    const bool is_whole = is_uncut(terminal) || i < whole_columns_;
    const std::size_t most = is_whole ? std::numeric_limits<std::size_t>::max() : widths[i];
    const std::string cell = terminal.fit(shown, most);
    line += terminal.paint(row[i].colour, cell);
    const std::size_t used = std::min(display_width(cell), widths[i]);
    if (i + 1 < widths.size()) line.append(widths[i] - used + kGap, ' ');
  }
  return line;
}

// Not line(): an id that is wider than the terminal stays in its row.
void TextTable::print_header(Terminal& terminal, const std::vector<std::size_t>& widths) const {
  const std::string names = format(terminal, {header_.begin(), header_.end()}, widths);
  terminal.print(terminal.paint(Colour::bold, names) + '\n');
}

void TextTable::print_rows(Terminal& terminal, const std::vector<std::size_t>& widths) const {
  for (const Row& row : rows_) terminal.print(format(terminal, row, widths) + '\n');
}

}  // namespace heddle::cli
