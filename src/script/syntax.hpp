// Whether a script compiles, without running any of it. Pure.
#pragma once

#include <optional>
#include <string>

#include "script/host.hpp"

namespace heddle::script {

struct SyntaxMistake {
  int line = 0;
  std::string message;  // without file and line
};

std::optional<SyntaxMistake> check_syntax(const Source& source);

}  // namespace heddle::script
