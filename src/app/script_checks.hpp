// Looks at the scripts of a project without running a job: do they compile, do their tests pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "cli/work.hpp"
#include "model/job.hpp"

namespace heddle::app {

struct ScriptTestOrder {
  const std::string& pattern;  // only tests whose name contains it
  const std::function<void(const cli::ScriptTest&)>& done;
  Log& log;
};

// Every test gets a fresh VM and a fresh, temporary database.
Status run_script_tests(const Project& project, const Job& job, const ScriptTestOrder& order);

std::vector<cli::ScriptProblem> check_scripts(const Project& project);

}  // namespace heddle::app
