// Reads the small parts of CSS: names, quoted texts, escapes, space and comments.
// Views nothing longer than its input; any bytes are safe. Not thread-safe.
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
  // NUL stands for "past the end" and is itself no part of any token.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < css_.size() ? css_[at_ + ahead] : '\0';
  }
  void advance(std::size_t count = 1) { at_ += count; }
  bool take(char expected);
  bool take(std::string_view expected);

  // Skips white space and comments. True when there was any.
  bool skip_space();

  [[nodiscard]] bool starts_name() const;
  std::optional<std::string> name();    // nullopt when none starts here
  std::optional<std::string> quoted();  // nullopt when none starts here or it has no end

  // What stands here up to the next space or bracket, for error messages.
  [[nodiscard]] std::string_view word(std::size_t from) const;

 private:
  [[nodiscard]] bool is_escape(std::size_t ahead) const;
  void take_escape(std::string& out);

  std::string_view css_;
  std::size_t at_ = 0;
};

}  // namespace heddle::html
