// What a program of a job sees: its environment, its folder, its arguments. Pure.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/program.hpp"

namespace heddle::commands {

using Variables = std::map<std::string, std::string>;

// `${NAME}` becomes the variable's value, or nothing when there is none; what comes in that way is
// not looked at again. "$${NAME}" stands for "${NAME}".
std::string expand_variables(std::string_view text, const Variables& variables);

struct ProgramSurroundings {
  Variables variables;
  std::filesystem::path folder;
};

// Of the daemon's environment only PATH, HOME, LANG, TZ and what `env_pass` names; over them the
// job's file and `env`, over those the hook's.
ProgramSurroundings surroundings_of(const ProgramRule& rule, const HookRule* hook,
                                    const Variables& daemon);

// What to execute; a program without "/" is looked up in the PATH it will see.
Result<std::vector<std::string>> arguments_of(const ProgramLine& line, const Variables& variables);

// "NAME=value"
std::vector<std::string> to_environment(const Variables& variables);

}  // namespace heddle::commands
