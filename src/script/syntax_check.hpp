// Checks whether a script compiles without running it. Pure.
#pragma once

#include <optional>
#include <string>

#include "script/vm_host.hpp"

namespace heddle::script {

struct ScriptSyntaxError {
  int line = 0;
  std::string message;  // without file and line
};

std::optional<ScriptSyntaxError> check_syntax(const ScriptSource& source);

}  // namespace heddle::script
