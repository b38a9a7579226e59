// Runs one test function of a job's tests.lua, with whole cycles where the test asks for them.
#pragma once

#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "cli/work.hpp"
#include "pipeline/services.hpp"
#include "store/store.hpp"

namespace heddle::app {

Async<Result<cli::ScriptTest>> run_script_test(const pipeline::Services& services,
                                               store::Store& store, pipeline::JobState& state,
                                               std::string name);

}  // namespace heddle::app
