// LuauEdits collects changes of a text, token by token, and applies them. What is between the
// tokens stays as it is, and every change keeps the line breaks of what it replaces.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "script/luau/luau_lexer.hpp"

namespace heddle::script {

// Only the line breaks of a text, with spaces between those that would otherwise become one.
std::string line_breaks_of(std::string_view text);

class LuauEdits {
 public:
  // Both must outlive this.
  LuauEdits(std::string_view text, const std::vector<LuauToken>& tokens)
      : text_(text), tokens_(tokens) {}

  // A later call is about a construct around the earlier one: it puts its text further outside.
  void put_before(std::size_t token, std::string_view text);
  void put_after(std::size_t token, std::string_view text);
  // The line breaks of the token are added.
  void replace(std::size_t token, std::string text);
  // Removes the tokens and all changes of them.
  void erase(std::size_t first, std::size_t last);

  [[nodiscard]] bool empty() const { return edits_.empty(); }
  [[nodiscard]] bool has(std::size_t token) const { return edits_.contains(token); }
  [[nodiscard]] std::string apply() const;

 private:
  struct Edit {
    std::string before;
    std::string replacement;
    std::string after;
    bool is_replaced = false;
  };

  [[nodiscard]] std::string_view text_of(std::size_t token) const {
    return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
  }

  std::string_view text_;
  const std::vector<LuauToken>& tokens_;
  std::unordered_map<std::size_t, Edit> edits_;  // by token
};

}  // namespace heddle::script
