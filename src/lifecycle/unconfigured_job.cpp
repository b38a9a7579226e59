#include "lifecycle/unconfigured_job.hpp"

#include <fmt/format.h>

namespace heddle::lifecycle {

Error not_configured(const JobId& job) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' is not in the configuration, or has mistakes there: it cannot run "
                      "until that is mended; possible: pause, stop, archive, delete, show",
                      job.text)};
}

}  // namespace heddle::lifecycle
