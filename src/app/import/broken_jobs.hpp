// Tells which jobs of a SpyWeb project cannot be imported because of errors in their files.
#pragma once

#include <string>
#include <vector>

#include "cli/spyweb_import.hpp"
#include "config/load_project.hpp"

namespace heddle::app {

// "jobs/tea", or "jobs.toml".
std::string place_of(const config::LoadedJob& job);

// Jobs whose records cannot be told from those of others, each with its first error. They are left
// out as a whole, so that a later import brings them in together with their records.
std::vector<cli::UnreadableJob> broken_jobs(const config::Loaded& staged);

}  // namespace heddle::app
