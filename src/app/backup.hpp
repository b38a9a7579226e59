// A project's databases, copied into a folder and brought back from there. Blocks.
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/upkeep.hpp"
#include "model/job.hpp"

namespace heddle::app {

// A folder with heddle.db, and scripts.db when there is one, each as it was at one moment. It has
// its name only when it is complete and checked.
Result<cli::BackupReport> back_up_project(const Project& project, const cli::BackupOrder& order,
                                          const cli::Meter& meter);

// Puts the databases of a backup in the place of the project's, after they were checked; those stay
// beside them under another name. All of them or none, also when it is cut short: see RestorePlan.
// `conflict` while another heddle works on the project.
Result<cli::RestoreReport> restore_project(const Project& project,
                                           const std::filesystem::path& folder, WallTime now,
                                           const cli::Meter& meter);

// Gives the place of a damaged database to a new one; the old one stays as `file` + `suffix`, with
// its log beside it as it is: nobody knows what can be made of it. At no moment is there none.
// False: there was none before.
Result<bool> put_in_place(const std::filesystem::path& fresh, const std::filesystem::path& file,
                          const std::string& suffix);

// ".replaced-20261116T112233Z"
std::string suffix_of(std::string_view why, WallTime now);

}  // namespace heddle::app
