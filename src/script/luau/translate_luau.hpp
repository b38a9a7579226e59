// Translates the syntax of Luau into Lua 5.4: compound assignments, continue, type annotations,
// casts, if-expressions, strings with backticks and number literals. Pure; linear in the size of
// the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "script/luau/luau_lexer.hpp"

namespace heddle::script {

struct LuauTranslation {
  std::string text;  // with the same number of lines; valid Lua 5.4 comes back as it is
  bool is_changed = false;
  std::optional<LuauProblem> problem;  // then the text is empty
};

LuauTranslation translate_luau(std::string_view text);

}  // namespace heddle::script
