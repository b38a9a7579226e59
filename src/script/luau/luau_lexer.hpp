// Splits the text of a script into tokens: those of Lua 5.4 and those of Luau. Pure; its time is
// linear in the size of the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::script {

enum class LuauTokenKind : std::uint8_t {
  name,
  keyword,  // of Lua 5.4; those of Luau are names
  number,
  string,  // also with long brackets
  symbol,
  // `text`, and the parts of `text {value} text {value} text`.
  interpolated,
  interpolated_begin,
  interpolated_middle,
  interpolated_end,
  end_of_text,
};

struct LuauToken {
  std::uint32_t begin = 0;  // in the text
  std::uint32_t end = 0;
  std::uint32_t line = 1;  // where it begins
  LuauTokenKind kind = LuauTokenKind::end_of_text;
};

struct LuauProblem {
  std::size_t line = 1;
  std::string message;
  // It is about syntax of Luau, or behind some: it explains more than what Lua found.
  bool is_certain = false;
};

struct LuauTokens {
  std::vector<LuauToken> tokens;  // the last one is end_of_text
  std::optional<LuauProblem> problem;
};

// The text must be smaller than 4 GB. `>>` and `<<` are two tokens, because types end in `>>`.
LuauTokens lex_luau(std::string_view text);

}  // namespace heddle::script
