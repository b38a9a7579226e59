// File operations for atomic replacement. Errors name the operation and the path. Blocks.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.hpp"

namespace heddle::app {

Error cannot(std::string_view what, const std::filesystem::path& path, int error);

bool path_exists(const std::filesystem::path& path);  // true for a dangling link, too
std::filesystem::path with_suffix(const std::filesystem::path& path, std::string_view suffix);

Status rename_to(const std::filesystem::path& from, const std::filesystem::path& to);
// Creates a hard link.
Status link_to(const std::filesystem::path& from, const std::filesystem::path& to);
Status remove_file(const std::filesystem::path& file);
// Writes and syncs the file, but not its folder.
Status write_durably(const std::filesystem::path& file, std::string_view text);
// Makes renames, links and removals in the folder durable.
Status sync_folder(const std::filesystem::path& folder);

}  // namespace heddle::app
