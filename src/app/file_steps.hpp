// Small steps on files that are on the disk when they return, or say why not. Blocks.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.hpp"

namespace heddle::app {

Error cannot(std::string_view what, const std::filesystem::path& path, int error);

bool is_there(const std::filesystem::path& path);  // a link counts, wherever it leads
std::filesystem::path with_suffix(const std::filesystem::path& path, std::string_view suffix);

Status rename_to(const std::filesystem::path& from, const std::filesystem::path& to);
// A second name for the same file.
Status link_to(const std::filesystem::path& from, const std::filesystem::path& to);
Status remove_file(const std::filesystem::path& file);
// The whole file, synced; only its folder is not.
Status write_durably(const std::filesystem::path& file, std::string_view text);
// What renames, links and removals have changed in it.
Status sync_folder(const std::filesystem::path& folder);

}  // namespace heddle::app
