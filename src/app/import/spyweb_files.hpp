// Copies the files of a SpyWeb project: its jobs and what their scripts share. Blocks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace heddle::app {

inline constexpr const char* kImportStaging = ".heddle-import";  // in the project's folder
inline constexpr const char* kSpywebJobsFile = "jobs.toml";

// Why no folder of `jobs` was copied, though it has jobs; empty: some were, or there is none.
std::string why_no_folder(const std::filesystem::path& source,
                          const std::filesystem::path& staging);

// Fails unless `source` has jobs and neither folder lies where the import writes or copies from.
Status check_import_folders(const std::filesystem::path& source,
                            const std::filesystem::path& project);

// What an entry of the project's folder is: links that stay inside the folder are followed.
// nullopt: there is none, or it leads out.
std::optional<std::filesystem::path> resolve_entry(const std::filesystem::path& source,
                                                   const std::string& name);
// Whether the entry is a symbolic link that resolve_entry() does not follow.
bool leads_out(const std::filesystem::path& source, const std::string& name);

// Copies jobs/, jobs.toml, shared/ and the Lua modules of the top folder into `staging`, and
// returns the paths of the latter two, relative to it. What is left out is added to `skipped`, with
// the reason.
Result<std::vector<std::filesystem::path>> stage_spyweb_files(const std::filesystem::path& source,
                                                              const std::filesystem::path& staging,
                                                              std::vector<std::string>& skipped);

}  // namespace heddle::app
