// Runs one test function of a job's tests.lua, including the cycles that the test starts.
#pragma once

#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "pipeline/services.hpp"
#include "store/store.hpp"

namespace heddle::app {

Async<Result<cli::ScriptTest>> run_script_test(const pipeline::CycleServices& services,
                                               store::Store& store, pipeline::JobSession& session,
                                               std::string name);

}  // namespace heddle::app
