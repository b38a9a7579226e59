// Computes the environment, folder and arguments of a job's program. Pure.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/job/program.hpp"

namespace heddle::commands {

using Variables = std::map<std::string, std::string>;

// Replaces `${NAME}` by the variable's value, or by nothing when it is not set; inserted values are
// not expanded again. "$${NAME}" is an escaped "${NAME}".
std::string expand_variables(std::string_view text, const Variables& variables);

struct ProcessEnvironment {
  Variables variables;
  std::filesystem::path folder;
};

// Passes PATH, HOME, LANG, TZ and `env_pass` of the daemon's environment through, overridden by the
// job's file, its `env` and the hook's `env`, in this order.
ProcessEnvironment process_environment_of(const ProgramRule& rule, const HookRule* hook,
                                          const Variables& daemon_environment);

// Returns the argv; a program without "/" is searched in the PATH of `variables`.
Result<std::vector<std::string>> arguments_of(const ProgramLine& line, const Variables& variables);

// "NAME=value"
std::vector<std::string> to_environment(const Variables& variables);

}  // namespace heddle::commands
