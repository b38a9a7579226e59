// Runs a job's cycles inside this process, for `heddle debug`, `heddle test` and `heddle add`.
// Blocks. Holds the project's lock unless another heddle process holds it; does not wait for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "model/job/job.hpp"
#include "model/web/fetch.hpp"

namespace heddle::app {

// Runs the job once without storing or sending anything.
Result<std::vector<cli::DebugPage>> debug_job(const Project& project, const Job& job,
                                              std::size_t max_pages, Log& log);

struct FirstPage {
  FetchResponse response;  // whatever its status; its body is in `body`
  std::string body;        // as UTF-8; the beginning of a binary file
};

// Fetches the job's first page as a run does, with its guard, robots.txt and limits. Uses no data
// of the project and stores nothing.
Result<FirstPage> fetch_first_page(const Project& project, const Job& job, Log& log);

// Runs the tests whose name contains `pattern` and passes each result to `done`. Every test gets a
// new VM and a new temporary database.
Status run_script_tests(const Project& project, const Job& job, const std::string& pattern,
                        const std::function<void(const cli::ScriptTest&)>& done, Log& log);

}  // namespace heddle::app
