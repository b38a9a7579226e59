#include "html/xpath/xpath_lexer.hpp"

#include <array>

#include <fmt/format.h>

namespace heddle::html {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c) || c == '-' || c == '.';
}

// Longer ones first.
constexpr auto kSymbols =
    std::to_array<std::string_view>({"//", "::", "..", "!=", "<=", ">=", "(", ")", "[", "]", ",",
                                     "@",  ".",  "/",  "|",  "+",  "-",  "=", "<", ">", "*", "$"});
constexpr auto kOperators =
    std::to_array<std::string_view>({"//", "/", "|", "+", "-", "=", "!=", "<", "<=", ">", ">="});

class XPathLexer {
 public:
  explicit XPathLexer(std::string_view text) : text_(text) {}

  Result<std::vector<XPathToken>> run() {
    while (true) {
      while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != kNone) ++at_;
      if (at_ == text_.size()) break;
      if (auto status = read_token(); !status) return std::move(status.error());
    }
    tokens_.push_back({XPathTokenKind::end, {}, at_});
    return std::move(tokens_);
  }

 private:
  static constexpr auto kNone = std::string_view::npos;

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(XPathTokenKind kind, std::size_t begin) {
    tokens_.push_back({kind, text_.substr(begin, at_ - begin), begin});
  }

  // An operator can only follow an operand.
  [[nodiscard]] bool expects_operator() const {
    if (tokens_.empty()) return false;
    const XPathToken& last = tokens_.back();
    if (last.kind == XPathTokenKind::operation) return false;
    for (const std::string_view symbol : {"@", "::", "(", "[", ","})
      if (last.is(symbol)) return false;
    return true;
  }

  Status read_token() {
    const std::size_t begin = at_;
    const char c = peek();
    if (c == '"' || c == '\'') return read_literal();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      while (is_digit(peek())) ++at_;
      if (peek() == '.') ++at_;
      while (is_digit(peek())) ++at_;
      add(XPathTokenKind::number, begin);
      return Done{};
    }
    if (is_name_start(c)) return read_name();
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      const bool is_times = symbol == "*" && expects_operator();
      at_ += symbol.size();
      bool is_operator = is_times;
      for (const std::string_view each : kOperators) is_operator = is_operator || each == symbol;
      const bool is_star = symbol == "*" && !is_times;
      add(is_star       ? XPathTokenKind::name
          : is_operator ? XPathTokenKind::operation
                        : XPathTokenKind::symbol,
          begin);
      return Done{};
    }
    return xpath_error(at_, fmt::format("unexpected \"{}\"", c));
  }

  Status read_literal() {
    const std::size_t begin = at_ + 1;
    const std::size_t end = text_.find(text_[at_], begin);
    if (end == kNone) return xpath_error(at_, "the closing quote is missing");
    tokens_.push_back({XPathTokenKind::literal, text_.substr(begin, end - begin), at_});
    at_ = end + 1;
    return Done{};
  }

  Status read_name() {
    const std::size_t begin = at_;
    while (is_name_char(peek())) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    const bool is_word = name == "and" || name == "or" || name == "div" || name == "mod";
    if (is_word && expects_operator()) {
      add(XPathTokenKind::operation, begin);
      return Done{};
    }
    if (peek() == ':' && (is_name_start(peek(1)) || peek(1) == '*')) {
      ++at_;
      if (peek() == '*')
        ++at_;
      else
        while (is_name_char(peek())) ++at_;
    }
    add(XPathTokenKind::name, begin);
    return Done{};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<XPathToken> tokens_;
};

}  // namespace

Error xpath_error(std::size_t position, std::string_view message) {
  return {ErrorCode::bad_input, fmt::format("XPath: position {}: {}", position + 1, message)};
}

Result<std::vector<XPathToken>> xpath_tokens(std::string_view text) {
  return XPathLexer(text).run();
}

}  // namespace heddle::html
