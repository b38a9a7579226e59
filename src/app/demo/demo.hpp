// Runs `heddle demo`: a shop, a project that monitors it, and a live view of the results.
#pragma once

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "config/environment.hpp"

namespace heddle::app::demo {

// Returns after options.rounds rounds, or after Ctrl-C.
Status run_demo(const cli::DemoOptions& options, const config::Environment& environment, Log& log);

}  // namespace heddle::app::demo
