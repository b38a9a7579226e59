// A job that has a life, but no configuration: its file is gone or has mistakes. Pure.
#pragma once

#include "base/ids.hpp"
#include "base/result.hpp"
#include "lifecycle/job_table.hpp"

namespace heddle::lifecycle {

// Whether it takes a configuration to do that.
constexpr bool needs_configuration(JobAction action) {
  return action == JobAction::trigger || action == JobAction::resume;
}

// Why that is refused, and what is not.
Error not_configured(const JobId& job);

}  // namespace heddle::lifecycle
