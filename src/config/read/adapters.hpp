// `store` and `queue` of heddle.toml: which of them this version can work with.
#pragma once

#include "config/settings.hpp"

namespace heddle::config {

// Marks a server that is not available yet as preventing all jobs from running, and complains about
// anything that is no server at all.
void check_adapters(Settings& project);

}  // namespace heddle::config
