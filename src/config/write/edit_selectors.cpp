#include "config/write/edit_selectors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/toml_value.hpp"
#include "config/write/field_text.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kEnd = std::string_view::npos;

// A part of the text.
struct TomlRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct TomlReplacement {
  TomlRange where;
  std::string text;
};

// Finds values in a text that the loader has accepted: mistakes are not reported again.
class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text) : text_(text) {}

  // The value of `key = …` on a line of its own.
  [[nodiscard]] std::optional<TomlRange> value_at(int line, std::string_view key) const {
    std::size_t at = 0;
    for (int each = 1; each < line; ++each) {
      at = text_.find('\n', at);
      if (at == kEnd) return std::nullopt;
      ++at;
    }
    at = after_blanks(at);
    if (text_.substr(at, key.size()) != key) return std::nullopt;
    at = after_blanks(at + key.size());
    if (at >= text_.size() || text_[at] != '=') return std::nullopt;
    at = after_blanks(at + 1);
    const std::size_t end = value_end(at);
    if (end == kEnd) return std::nullopt;
    return TomlRange{at, end};
  }

  // The values of a list; nullopt when it is none.
  [[nodiscard]] std::optional<std::vector<TomlRange>> elements(TomlRange list) const {
    if (list.begin >= text_.size() || text_[list.begin] != '[') return std::nullopt;
    std::vector<TomlRange> found;
    std::size_t at = list.begin + 1;
    while (true) {
      at = after_comments(at);
      if (at >= list.end || text_[at] == ']') return found;
      if (text_[at] == ',') {
        ++at;
        continue;
      }
      const std::size_t end = value_end(at);
      if (end == kEnd || end == at) return std::nullopt;
      found.push_back({at, end});
      at = end;
    }
  }

 private:
  [[nodiscard]] std::size_t after_blanks(std::size_t at) const {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    return at;
  }

  [[nodiscard]] std::size_t after_comments(std::size_t at) const {
    while (at < text_.size()) {
      if (text_[at] == '#')
        at = std::min(text_.find('\n', at), text_.size());
      else if (text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\n' || text_[at] == '\r')
        ++at;
      else
        break;
    }
    return at;
  }

  [[nodiscard]] std::size_t value_end(std::size_t at) const {
    if (at >= text_.size()) return kEnd;
    const char first = text_[at];
    if (first == '"' || first == '\'') return string_end(at);
    if (first == '[' || first == '{') return brackets_end(at);
    const std::size_t end = text_.find_first_of(",]}#\r\n", at);
    return end == kEnd ? text_.size() : end;
  }

  [[nodiscard]] std::size_t string_end(std::size_t at) const {
    const char quote = text_[at];
    const std::string three(3, quote);
    const bool is_long = text_.substr(at, 3) == three;
    std::size_t end = at + (is_long ? 3 : 1);
    while (end < text_.size()) {
      if (quote == '"' && text_[end] == '\\') {
        end += 2;
      } else if (is_long ? text_.substr(end, 3) == three : text_[end] == quote) {
        end += is_long ? 3 : 1;
        while (is_long && end < text_.size() && text_[end] == quote) ++end;  // quotes at the end
        return end;
      } else {
        ++end;
      }
    }
    return kEnd;
  }

  // Brackets of both kinds nest.
  [[nodiscard]] std::size_t brackets_end(std::size_t at) const {
    int depth = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '"' || c == '\'') {
        at = string_end(at);
        if (at == kEnd) return kEnd;
        continue;
      }
      if (c == '#') {
        at = std::min(text_.find('\n', at), text_.size());
        continue;
      }
      depth += c == '[' || c == '{' ? 1 : 0;
      depth -= c == ']' || c == '}' ? 1 : 0;
      ++at;
      if (depth == 0) return at;
    }
    return kEnd;
  }

  std::string_view text_;
};

Error unusual(std::string_view key, int line) {
  return {ErrorCode::bad_input,
          fmt::format("`{}` in line {} is not written as `{} = …` on a line of its own: change it "
                      "by hand",
                      key, line, key)};
}

Status add_fields(const TomlScanner& scanner, const SelectorEdit& edit,
                  std::vector<TomlReplacement>& out) {
  const auto list = scanner.value_at(edit.fields_line, "fields");
  const auto elements = list ? scanner.elements(*list) : std::nullopt;
  if (!elements || elements->size() != edit.fields.size())
    return unusual("fields", edit.fields_line);
  for (std::size_t i = 0; i < elements->size(); ++i)
    if (edit.fields[i]) out.push_back({(*elements)[i], field_text(*edit.fields[i])});
  return Done{};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

Result<std::string> edit_selectors(std::string_view text, const SelectorEdit& edit) {
  const TomlScanner scanner(text);
  std::vector<TomlReplacement> replacements;
  if (edit.selector_line > 0) {
    const auto value = scanner.value_at(edit.selector_line, "selector");
    if (!value) return unusual("selector", edit.selector_line);
    replacements.push_back({*value, in_quotes(edit.selector)});
  }
  if (edit.fields_line > 0)
    if (auto added = add_fields(scanner, edit, replacements); !added)
      return std::move(added).error();
  std::sort(replacements.begin(), replacements.end(),
            [](const auto& a, const auto& b) { return a.where.begin > b.where.begin; });
  std::string out(text);
  for (const TomlReplacement& each : replacements)
    out.replace(each.where.begin, each.where.end - each.where.begin, each.text);
  return out;
}

std::vector<ChangedLine> changed_lines(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  std::vector<ChangedLine> changes;
  const auto add = [&](std::size_t i, bool is_removed) {
    const auto& lines = is_removed ? old_lines : new_lines;
    changes.push_back({static_cast<int>(i) + 1, is_removed, std::string(lines[i])});
  };
  if (old_lines.size() == new_lines.size()) {
    for (std::size_t i = 0; i < old_lines.size(); ++i) {
      if (old_lines[i] == new_lines[i]) continue;
      add(i, true);
      add(i, false);
    }
    return changes;
  }
  // A value of several lines was replaced.
  std::size_t begin = 0;
  while (begin < std::min(old_lines.size(), new_lines.size()) &&
         old_lines[begin] == new_lines[begin])
    ++begin;
  std::size_t end = 0;
  while (end < std::min(old_lines.size(), new_lines.size()) - begin &&
         old_lines[old_lines.size() - 1 - end] == new_lines[new_lines.size() - 1 - end])
    ++end;
  for (std::size_t i = begin; i < old_lines.size() - end; ++i) add(i, true);
  for (std::size_t i = begin; i < new_lines.size() - end; ++i) add(i, false);
  return changes;
}

}  // namespace heddle::config
