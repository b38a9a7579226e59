// The start claims of a run's programs: which of them were executed before a daemon died. A claim
// exists from the start of a program until the journal has recorded it as running.
#pragma once

#include <filesystem>

#include "base/async.hpp"
#include "commands/output_log.hpp"

namespace heddle::commands {

struct LaunchContext;

// The tag of one process of a command or service.
OutputTag process_tag(const JobId& job, const RunId& run, int index, int attempt);

// Empty when the context keeps no claims.
std::filesystem::path start_claim_file(const LaunchContext& context, const OutputTag& tag);

// For a program whose start was intended and not recorded. True without claims: it may have run.
Async<bool> was_executed(LaunchContext& context, OutputTag tag);

Async<void> remove_start_claim(LaunchContext& context, OutputTag tag);

// All that are left of a run whose programs have ended: a daemon may have died after it had
// recorded the end of a program and before it removed the claim.
Async<void> remove_start_claims(LaunchContext& context, RunId run);

}  // namespace heddle::commands
