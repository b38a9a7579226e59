#include "script/luau/luau_edits.hpp"

namespace heddle::script {

std::string line_breaks_of(std::string_view text) {
  std::string breaks;
  bool is_after_break = false;
  for (const char c : text) {
    const bool is_break = c == '\n' || c == '\r';
    if (is_break)
      breaks += c;
    else if (is_after_break)
      breaks += ' ';
    is_after_break = is_break;
  }
  return breaks;
}

void LuauEdits::put_before(std::size_t token, std::string_view text) {
  edits_[token].before.insert(0, text);
}

void LuauEdits::put_after(std::size_t token, std::string_view text) {
  edits_[token].after += text;
}

void LuauEdits::replace(std::size_t token, std::string text) {
  Edit& edit = edits_[token];
  edit.replacement = std::move(text) + line_breaks_of(text_of(token));
  edit.is_replaced = true;
}

void LuauEdits::erase(std::size_t first, std::size_t last) {
  for (std::size_t token = first; token <= last; ++token) {
    edits_[token] = {};
    replace(token, " ");
  }
}

std::string LuauEdits::apply() const {
  std::string result;
  result.reserve(text_.size() + edits_.size() * 16);
  std::size_t copied = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const auto found = edits_.find(i);
    if (found == edits_.end()) continue;
    const Edit& edit = found->second;
    result += text_.substr(copied, tokens_[i].begin - copied);
    result += edit.before;
    result += edit.is_replaced ? std::string_view(edit.replacement) : text_of(i);
    result += edit.after;
    copied = tokens_[i].end;
  }
  result += text_.substr(copied);
  return result;
}

}  // namespace heddle::script
