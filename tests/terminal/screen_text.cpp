#include "tests/terminal/screen_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace heddle::testing {

namespace {

// The length of a colour or an erasing code at the front, or 0.
std::size_t valid_code_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  if (end == std::string_view::npos) return 0;
  return text[end] == 'm' || text[end] == 'K' ? end + 1 : 0;
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
}

class Reader {
 public:
  Screen read(std::string_view output) {
    screen_.lines.emplace_back();
    while (!output.empty()) output.remove_prefix(take(output));
    return std::move(screen_);
  }

 private:
  // Returns the number of bytes that it has taken.
  std::size_t take(std::string_view output) {
    const char first = output.front();
    if (first == '\x1b') return take_code(output);
    if (is_control(first)) screen_.invalid.emplace_back(output.substr(0, 10));
    if (first == '\n') screen_.lines.emplace_back();
    if (first == '\n' || first == '\r') column_ = 0;
    if (first == '\n' || first == '\r' || is_control(first)) return 1;
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence_length(output));
    ScreenLine& line = screen_.lines.back();
    column_ += first == '\t' ? 8 - column_ % 8 : cli::display_width(output.substr(0, length));
    line.text += output.substr(0, length);
    line.columns = std::max(line.columns, column_);
    return length;
  }

  std::size_t take_code(std::string_view output) {
    screen_.has_codes = true;
    const std::size_t length = valid_code_length(output);
    if (length == 0) screen_.invalid.emplace_back(output.substr(0, 10));
    return std::max<std::size_t>(length, 1);
  }

  Screen screen_;
  std::size_t column_ = 0;
};

}  // namespace

Screen read_screen(std::string_view output) {
  return Reader().read(output);
}

}  // namespace heddle::testing
