#include "store/scripts/sql_format.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::store {

namespace {

constexpr std::string_view kFlags = "-+ !#0,";
// Conversions that take no argument.
constexpr std::string_view kWithout = "%n";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class FormatReader {
 public:
  FormatReader(std::string_view format, const std::function<std::int64_t(int)>& number_of)
      : rest_(format), number_of_(number_of) {}

  Result<PlainFormat> read() {
    while (!rest_.empty()) {
      const std::size_t percent = std::min(rest_.find('%'), rest_.size());
      take(percent);
      if (rest_.empty()) break;
      if (!read_conversion())
        return Error{ErrorCode::bad_input,
                     fmt::format("printf: a width or precision above {}", kMaxFormatWidth)};
    }
    return std::move(out_);
  }

 private:
  void take(std::size_t count) {
    out_.text += rest_.substr(0, count);
    rest_.remove_prefix(count);
  }

  bool read_conversion() {
    take(1);  // the '%'
    while (!rest_.empty() && kFlags.find(rest_.front()) != std::string_view::npos) take(1);
    if (!read_number(true)) return false;
    if (!rest_.empty() && rest_.front() == '.') {
      take(1);
      if (!read_number(false)) return false;
    }
    while (!rest_.empty() && rest_.front() == 'l') take(1);
    if (rest_.empty()) return true;
    if (kWithout.find(rest_.front()) == std::string_view::npos)
      out_.arguments.push_back(next_argument_++);
    take(1);
    return true;
  }

  bool read_number(bool may_be_negative) {
    if (rest_.empty()) return true;
    if (rest_.front() == '*') return read_star(may_be_negative);
    std::int64_t number = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && is_digit(rest_[digits]); ++digits) {
      number = number * 10 + (rest_[digits] - '0');
      if (number > kMaxFormatWidth) return false;
    }
    take(digits);
    return true;
  }

  bool read_star(bool may_be_negative) {
    rest_.remove_prefix(1);
    const std::int64_t number = number_of_(next_argument_++);
    if (number < -kMaxFormatWidth || number > kMaxFormatWidth) return false;
    if (number < 0 && may_be_negative) out_.text += '-';  // left-aligned
    out_.text += std::to_string(number < 0 ? -number : number);
    // No conversion begins with a digit, so SQLite's output ends here.
    if (!rest_.empty() && is_digit(rest_.front())) rest_ = {};
    return true;
  }

  std::string_view rest_;
  const std::function<std::int64_t(int)>& number_of_;
  int next_argument_ = 0;
  PlainFormat out_;
};

}  // namespace

Result<PlainFormat> plain_format(std::string_view format,
                                 const std::function<std::int64_t(int)>& number_of) {
  return FormatReader(format, number_of).read();
}

}  // namespace heddle::store
