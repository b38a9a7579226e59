#include "config/read/values/nesting.hpp"

#include <algorithm>

namespace heddle::config {

namespace {

class Scanner {
 public:
  Scanner(std::string_view text, NestingLimits limits) : text_(text), limits_(limits) {}

  int line_of_excess() {
    while (at_ < text_.size()) {
      step();
      if (depth_ > limits_.depth || dots_ > limits_.dots || values_ > limits_.values) return line_;
    }
    return 0;
  }

 private:
  void step() {
    switch (text_[at_]) {
      case '"':
      case '\'':
        return skip_string(text_[at_]);
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '\n':
        ++line_;
        dots_ = 0;
        break;
      case '=':
      case ',':
        ++values_;
        dots_ = 0;
        break;
      case '[':
      case '{':
        ++depth_;
        ++values_;
        dots_ = 0;
        break;
      case ']':
      case '}':
        depth_ = std::max(0, depth_ - 1);
        dots_ = 0;
        break;
      case '.':
        ++dots_;
        break;
      default:
        break;
    }
    ++at_;
  }

  void skip_string(char quote) {
    const bool is_long =
        at_ + 2 < text_.size() && text_[at_ + 1] == quote && text_[at_ + 2] == quote;
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !is_long) return;  // not closed: the parser reports the syntax error
      if (c == '\n') ++line_;
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      if (c == quote && ends_here(quote, is_long)) return;
      ++at_;
    }
  }

  // Skips the closing quotes; up to two more may belong to the text of a long string.
  bool ends_here(char quote, bool is_long) {
    std::size_t quotes = 1;
    while (is_long && quotes < 5 && at_ + quotes < text_.size() && text_[at_ + quotes] == quote)
      ++quotes;
    if (is_long && quotes < 3) return false;
    at_ += quotes;
    return true;
  }

  std::string_view text_;
  NestingLimits limits_;
  std::size_t at_ = 0;
  int line_ = 1;
  int depth_ = 0;
  int dots_ = 0;
  int values_ = 0;
};

}  // namespace

int line_of_excess(std::string_view text, NestingLimits limits) {
  return Scanner(text, limits).line_of_excess();
}

}  // namespace heddle::config
