// What every command gets: where the project is, how to print, and who does the work.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "cli/upkeep.hpp"
#include "cli/work.hpp"
#include "config/environment.hpp"
#include "config/load_project.hpp"

namespace heddle::cli {

struct Context {
  std::filesystem::path project_dir = ".";
  bool json = false;
  const config::Environment& environment;
  Work& work;
  Upkeep& upkeep;
  Terminal out{stdout};
  Terminal err{stderr};

  // "heddle: message" on standard error.
  ExitCode fail(std::string_view message, ExitCode code = ExitCode::failed);
};

// The project, when it can be used at all; its mistakes are printed otherwise.
Result<config::Loaded> load(Context& context);

// For commands that only read history: mistakes of heddle.toml are printed as warnings, and what
// can be made out of it counts, else its defaults.
Result<config::Loaded> load_for_reading(Context& context);

// What was stored; an empty history when nothing ever was.
Result<std::unique_ptr<store::Reader>> open_history(Context& context, const Project& project);

// The job a person named. Prints what is to be said about it, with suggestions, and returns nullptr
// when there is no such job or it cannot run.
const Job* find_job(Context& context, const config::Loaded& loaded, const std::string& name);

// The first mistake of a job that has some, with its place.
std::string first_mistake(const config::LoadedJob& job);

// What can be seen to be wrong with the scripts of one job, or of all; nothing is run.
std::vector<config::Problem> script_problems(Context& context, const config::Loaded& loaded,
                                             std::string_view only);
// One line each, on standard error.
void print_problems(Context& context, const std::vector<config::Problem>& problems);

// The JobId for history: also of jobs whose configuration is broken or gone.
Result<JobId> find_job_id(const config::Loaded& loaded, store::Reader& reader,
                          const std::string& name);

}  // namespace heddle::cli
