// Actions on a job that has a status but no valid configuration. Pure.
#pragma once

#include "base/ids.hpp"
#include "base/result.hpp"
#include "lifecycle/job_transitions.hpp"

namespace heddle::lifecycle {

// Whether the action needs a valid configuration.
constexpr bool needs_configuration(JobAction action) {
  return action == JobAction::trigger || action == JobAction::resume;
}

// Why the action is refused, and which ones are possible.
Error not_configured(const JobId& job);

}  // namespace heddle::lifecycle
