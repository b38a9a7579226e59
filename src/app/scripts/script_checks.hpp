// Checks the syntax of a project's scripts and runs their tests, without running a job.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

struct ScriptTestOptions {
  const std::string& pattern;  // only tests whose name contains it
  const std::function<void(const cli::ScriptTest&)>& done;
  Log& log;
};

// Every test gets a new VM and a new temporary database.
Status run_script_tests(const Project& project, const Job& job, const ScriptTestOptions& options);

std::vector<cli::ScriptProblem> check_scripts(const Project& project);

}  // namespace heddle::app
