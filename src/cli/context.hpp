// What every command gets: where the project is, how to print, and who does the work.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "cli/work.hpp"
#include "config/environment.hpp"
#include "config/load_project.hpp"

namespace heddle::cli {

struct Context {
  std::filesystem::path project_dir = ".";
  bool json = false;
  const config::Environment& environment;
  Work& work;
  Terminal out{stdout};
  Terminal err{stderr};

  // "heddle: message" on standard error.
  ExitCode fail(std::string_view message, ExitCode code = ExitCode::failed);
};

// The project, when it can be used at all; its mistakes are printed otherwise.
Result<config::Loaded> load(Context& context);

// The job a person named. Prints what is wrong, with suggestions, and returns nullptr when there is
// no such job or it has mistakes.
const Job* find_job(Context& context, const config::Loaded& loaded, const std::string& name);

// The JobId for history: also of jobs whose configuration is broken or gone.
Result<JobId> find_job_id(const config::Loaded& loaded, store::Reader& reader,
                          const std::string& name);

}  // namespace heddle::cli
