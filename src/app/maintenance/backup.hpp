// Backs up a project's databases into a folder and restores them. Blocks.
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/database_maintenance.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Writes a folder with consistent copies of heddle.db and, if it exists, scripts.db. The folder
// gets its name after it is complete and checked.
Result<cli::BackupReport> back_up_project(const Project& project, const cli::BackupRequest& request,
                                          const cli::FileProgress& progress);

// Checks the databases of a backup and replaces the project's, which stay beside them under another
// name. All or nothing, even when it is interrupted: see RestorePlan. Returns `conflict` while
// another heddle process holds the project.
Result<cli::RestoreReport> restore_project(const Project& project,
                                           const std::filesystem::path& folder, WallTime now,
                                           const cli::FileProgress& progress);

// Replaces a damaged database by `fresh` and keeps the old one as `file` + `suffix` with its WAL,
// which may still hold data. A database exists at `file` at any moment.
Status install_database(const std::filesystem::path& fresh, const std::filesystem::path& file,
                        const std::string& suffix);

// ".replaced-20261116T112233Z"
std::string suffix_of(std::string_view why, WallTime now);

}  // namespace heddle::app
