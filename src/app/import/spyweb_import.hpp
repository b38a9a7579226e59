// Imports a SpyWeb project: its jobs, and the items that it has reported, so that they are not
// reported again. Blocks.
#pragma once

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/spyweb_import.hpp"
#include "config/environment.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Stores the items first and then moves the folders of the jobs into place, so that no job can run
// without its items: a second import completes an interrupted one. `conflict` when a job's name is
// taken, and then nothing has changed. Needs the project's lock.
Result<cli::SpywebImport> import_spyweb(const Project& project,
                                        const cli::SpywebImportRequest& request,
                                        const config::Environment& environment, Log& log);

}  // namespace heddle::app
