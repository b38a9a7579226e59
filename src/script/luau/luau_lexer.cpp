#include "script/luau/luau_lexer.hpp"

#include <algorithm>
#include <array>

namespace heddle::script {
namespace {

constexpr std::array<std::string_view, 22> kKeywords{
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

// Longer ones first.
constexpr std::array<std::string_view, 17> kSymbols{
    "...", "..=", "//=", "..", "//", "+=", "-=", "*=", "/=",
    "%=",  "^=",  "::",  "==", "~=", "<=", ">=", "->"};
constexpr std::string_view kSingleSymbols = "+-*/%^#&~|<>=()[]{};:,.?@";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}

bool is_break(char c) {
  return c == '\n' || c == '\r';
}

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class LuauLexer {
 public:
  explicit LuauLexer(std::string_view text) : text_(text) {}

  LuauTokens run() {
    while (!problem_) {
      skip_space();
      begin_ = at_;
      begin_line_ = line_;
      if (problem_ || at_ == text_.size()) break;
      read_token();
    }
    begin_ = at_;
    begin_line_ = line_;
    add(LuauTokenKind::end_of_text);
    return {std::move(tokens_), std::move(problem_)};
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool is_at_end() const { return at_ >= text_.size(); }

  void add(LuauTokenKind kind) {
    tokens_.push_back({static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(at_),
                       static_cast<std::uint32_t>(begin_line_), kind});
  }

  void fail(std::string message, bool is_certain = false) {
    if (!problem_) problem_ = LuauProblem{line_, std::move(message), is_certain};
  }

  // Lua counts "\r\n" and "\n\r" as one line break.
  void skip_break() {
    const char first = text_[at_++];
    if (!is_at_end() && is_break(peek()) && peek() != first) ++at_;
    ++line_;
  }

  void skip_space() {
    while (!problem_ && !is_at_end()) {
      if (is_break(peek()))
        skip_break();
      else if (is_space(peek()))
        ++at_;
      else if (peek() == '-' && peek(1) == '-')
        skip_comment();
      else
        return;
    }
  }

  void skip_comment() {
    at_ += 2;
    if (const auto level = long_bracket()) return skip_long_bracket(*level, "unfinished comment");
    while (!is_at_end() && !is_break(peek())) ++at_;
  }

  // The number of `=` in `[==[`, when one begins here.
  [[nodiscard]] std::optional<std::size_t> long_bracket() const {
    if (peek() != '[') return std::nullopt;
    std::size_t level = 0;
    while (peek(1 + level) == '=') ++level;
    if (peek(1 + level) != '[') return std::nullopt;
    return level;
  }

  [[nodiscard]] bool closes(std::size_t level) const {
    for (std::size_t i = 1; i <= level; ++i)
      if (peek(i) != '=') return false;
    return peek(level + 1) == ']';
  }

  // A `]` whose `=` do not fit is looked at once, because the scan goes on behind them.
  void skip_long_bracket(std::size_t level, const char* unfinished) {
    at_ += level + 2;
    while (!is_at_end()) {
      if (peek() == ']' && closes(level)) {
        at_ += level + 2;
        return;
      }
      if (is_break(peek())) {
        skip_break();
        continue;
      }
      ++at_;
    }
    fail(unfinished);
  }

  void read_token() {
    const char c = peek();
    if (is_letter(c)) return read_word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number();
    if (c == '"' || c == '\'') return read_string(c);
    if (c == '`') return read_interpolated(true);
    if (const auto level = long_bracket()) {
      skip_long_bracket(*level, "unfinished long string");
      return add(LuauTokenKind::string);
    }
    if (c == '{') braces_.push_back(false);
    if (c == '}' && !braces_.empty()) {
      const bool is_value = braces_.back();
      braces_.pop_back();
      if (is_value) return read_interpolated(false);
    }
    read_symbol();
  }

  void read_word() {
    while (is_word(peek())) ++at_;
    const std::string_view word = text_.substr(begin_, at_ - begin_);
    const bool is_keyword = std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
    add(is_keyword ? LuauTokenKind::keyword : LuauTokenKind::name);
  }

  void skip_sign_of_exponent(char exponent) {
    if ((peek() | 0x20) == exponent && (peek(1) == '+' || peek(1) == '-')) ++at_;
  }

  void read_number() {
    const bool is_hexadecimal = peek() == '0' && (peek(1) | 0x20) == 'x';
    if (is_hexadecimal) {
      for (; is_word(peek()) || peek() == '.'; ++at_) skip_sign_of_exponent('p');
    } else {
      while (is_digit(peek()) || peek() == '.' || peek() == '_') ++at_;
      for (; is_word(peek()); ++at_) skip_sign_of_exponent('e');
    }
    add(LuauTokenKind::number);
  }

  void skip_escape() {
    ++at_;
    const bool skips_space = peek() == 'z';
    if (is_at_end()) return;
    if (is_break(peek())) return skip_break();
    ++at_;
    while (skips_space && !is_at_end() && is_space(peek())) {
      if (is_break(peek()))
        skip_break();
      else
        ++at_;
    }
  }

  void read_string(char quote) {
    ++at_;
    while (!is_at_end() && peek() != quote && !is_break(peek())) {
      if (peek() == '\\')
        skip_escape();
      else
        ++at_;
    }
    if (peek() != quote || is_at_end()) return fail("unfinished string");
    ++at_;
    add(LuauTokenKind::string);
  }

  void skip_interpolated_text() {
    while (!is_at_end() && peek() != '`' && peek() != '{' && !is_break(peek())) {
      if (peek() == '\\' && peek(1) == 'u' && peek(2) == '{')
        at_ += 3;
      else if (peek() == '\\')
        skip_escape();
      else
        ++at_;
    }
  }

  // From "`" or the "}" of a value to the "{" of the next value or the last "`".
  void read_interpolated(bool is_first) {
    ++at_;
    skip_interpolated_text();
    if (is_at_end() || is_break(peek())) return fail("unfinished string with backticks", true);
    const bool is_last = text_[at_++] == '`';
    if (is_last)
      return add(is_first ? LuauTokenKind::interpolated : LuauTokenKind::interpolated_end);
    if (peek() == '{') return fail("a { in a string with backticks must be written \\{", true);
    braces_.push_back(true);
    add(is_first ? LuauTokenKind::interpolated_begin : LuauTokenKind::interpolated_middle);
  }

  void read_symbol() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view symbol : kSymbols) {
      if (!rest.starts_with(symbol)) continue;
      at_ += symbol.size();
      return add(LuauTokenKind::symbol);
    }
    if (kSingleSymbols.find(peek()) == std::string_view::npos)
      return fail("unexpected symbol near '" + std::string(1, peek()) + "'");
    ++at_;
    add(LuauTokenKind::symbol);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t begin_ = 0;
  std::size_t begin_line_ = 1;
  std::vector<bool> braces_;  // open ones; true: of a value in a string with backticks
  std::vector<LuauToken> tokens_;
  std::optional<LuauProblem> problem_;
};

}  // namespace

LuauTokens lex_luau(std::string_view text) {
  return LuauLexer(text).run();
}

}  // namespace heddle::script
