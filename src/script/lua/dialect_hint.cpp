#include "script/lua/dialect_hint.hpp"

#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::script {
namespace {

// The last ":number:" of the message's first part: names may contain colons.
std::optional<std::size_t> line_number(std::string_view message) {
  for (std::size_t colon = message.find(':'); colon != std::string_view::npos;
       colon = message.find(':', colon + 1)) {
    std::size_t line = 0;
    const char* begin = message.data() + colon + 1;
    const auto [end, problem] = std::from_chars(begin, message.data() + message.size(), line);
    const bool is_closed = end != message.data() + message.size() && *end == ':';
    if (problem == std::errc() && is_closed && line > 0) return line;
  }
  return std::nullopt;
}

std::string_view line_at(std::string_view source, std::size_t number) {
  for (std::size_t line = 1; line < number; ++line) {
    const std::size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  return trim(source.substr(0, source.find('\n')));
}

bool is_name_part(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t find_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_part(line[at - 1])) &&
        (end == line.size() || !is_name_part(line[end])))
      return at;
  }
  return std::string_view::npos;
}

constexpr std::array<std::string_view, 7> kOperators{"..=", "//=", "+=", "-=", "*=", "/=", "%="};

std::string compound_assignment(std::string_view line) {
  for (const std::string_view op : kOperators) {
    const std::size_t at = line.find(op);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view left = trim(line.substr(0, at));
    const std::string_view right = trim(line.substr(at + op.size()));
    const std::string_view target = left.substr(left.find_last_of(" \t;") + 1);
    const std::string_view plain = op.substr(0, op.size() - 1);
    return fmt::format("Luau syntax '{} {} {}' is not Lua 5.4: write {} = {} {} {}", target, op,
                       right, target, target, plain, right);
  }
  return {};
}

// "local x: number", "function f(a: string)", "): number"; a method call also has a name
// before the colon, but no space after it.
bool has_type_annotation(std::string_view line) {
  if (find_word(line, "local") == std::string_view::npos &&
      find_word(line, "function") == std::string_view::npos)
    return false;
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    const bool is_label = line.substr(at, 2) == "::" || (at > 0 && line[at - 1] == ':');
    if (!is_label && at + 1 < line.size() && line[at + 1] == ' ') return true;
  }
  return false;
}

std::string hint_for_line(std::string_view line) {
  if (line.starts_with("--")) return {};
  if (std::string hint = compound_assignment(line); !hint.empty()) return hint;
  if (find_word(line, "continue") != std::string_view::npos)
    return "Luau syntax 'continue' is not Lua 5.4: write goto continue and put ::continue:: "
           "before the loop's end";
  if (line.find('`') != std::string_view::npos)
    return "Luau syntax `text {value}` is not Lua 5.4: write string.format or use ..";
  if (has_type_annotation(line))
    return "Luau type annotations (name: type) are not Lua 5.4: leave them out";
  if (line.starts_with("type ") || line.starts_with("export type "))
    return "Luau type declarations are not Lua 5.4: leave them out";
  return {};
}

}  // namespace

std::string dialect_hint(std::string_view source, std::string_view message) {
  const auto number = line_number(message);
  if (!number) return {};
  std::string hint = hint_for_line(line_at(source, *number));
  // Lua reports the word after the error, which may be on the next line.
  return hint.empty() && *number > 1 ? hint_for_line(line_at(source, *number - 1)) : hint;
}

}  // namespace heddle::script
