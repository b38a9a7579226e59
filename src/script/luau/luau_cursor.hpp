// LuauCursor reads the tokens of a text one after the other. After the first failure it stands at
// the end of the text, so that everything that reads from it returns.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "script/luau/luau_lexer.hpp"

namespace heddle::script {

class LuauCursor {
 public:
  // Both must outlive this.
  LuauCursor(std::string_view text, const std::vector<LuauToken>& tokens)
      : text_(text), tokens_(tokens) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t last() const { return at_ - 1; }  // the token that was read last
  [[nodiscard]] LuauTokenKind kind(std::size_t ahead = 0) const {
    return tokens_[find(ahead)].kind;
  }
  [[nodiscard]] std::string_view text(std::size_t token) const {
    return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
  }
  [[nodiscard]] const LuauToken& token(std::size_t index) const { return tokens_[index]; }
  [[nodiscard]] bool is_at_end() const { return kind() == LuauTokenKind::end_of_text; }
  // Whether a keyword or symbol stands here.
  [[nodiscard]] bool is(std::string_view word, std::size_t ahead = 0) const;
  [[nodiscard]] bool is_name(std::size_t ahead = 0) const {
    return kind(ahead) == LuauTokenKind::name;
  }
  // Whether this name stands here; names of Luau's own syntax are ordinary names.
  [[nodiscard]] bool is_name(std::string_view name, std::size_t ahead = 0) const {
    return is_name(ahead) && text(find(ahead)) == name;
  }
  // Whether no space is before the token here.
  [[nodiscard]] bool touches_previous() const { return tokens_[at_].begin == tokens_[at_ - 1].end; }

  void advance() {
    if (!is_at_end()) ++at_;
  }
  bool accept(std::string_view word);
  void expect(std::string_view word);
  // Expects what closes the word of an earlier token.
  void expect_closing(std::string_view word, std::size_t opening);
  void expect_name();

  // Syntax of Luau stands here: Lua does not know what comes after it.
  void note_luau() { has_luau_ = true; }
  [[nodiscard]] bool has_luau() const { return has_luau_; }

  [[nodiscard]] bool has_failed() const { return problem_.has_value(); }
  [[nodiscard]] const std::optional<LuauProblem>& problem() const { return problem_; }
  void fail(std::string message) { fail_at(at_, std::move(message), false); }
  void fail_near(const std::string& message);
  void fail_at(std::size_t token, std::string message, bool is_certain);

 private:
  [[nodiscard]] std::size_t find(std::size_t ahead) const {
    return std::min(at_ + ahead, tokens_.size() - 1);
  }

  std::string_view text_;
  const std::vector<LuauToken>& tokens_;
  std::size_t at_ = 0;
  bool has_luau_ = false;
  std::optional<LuauProblem> problem_;
};

}  // namespace heddle::script
