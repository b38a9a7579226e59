// Scans the tokens of CSS: names, quoted strings, escapes, white space and comments.
// The input must outlive the scanner; any bytes are safe. Not thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::html {

class CssScanner {
 public:
  explicit CssScanner(std::string_view css) : css_(css) {}

  [[nodiscard]] bool at_end() const { return at_ >= css_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }
  // Returns NUL past the end; NUL is part of no token.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < css_.size() ? css_[at_ + ahead] : '\0';
  }
  void advance(std::size_t count = 1) { at_ += count; }
  bool take(char expected);
  bool take(std::string_view expected);

  // Skips white space and comments; returns whether there were any.
  bool skip_space();

  [[nodiscard]] bool starts_name() const;
  std::optional<std::string> name();    // nullopt when none starts here
  std::optional<std::string> quoted();  // nullopt when none starts here or it has no end

  // The text from here to the next space or bracket, for error messages.
  [[nodiscard]] std::string_view word(std::size_t from) const;

 private:
  [[nodiscard]] bool is_escape(std::size_t ahead) const;
  void take_escape(std::string& out);

  std::string_view css_;
  std::size_t at_ = 0;
};

}  // namespace heddle::html
