// Makes files and folders that only their owner can access, whatever the umask of the process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include <sys/types.h>

namespace heddle {

inline constexpr mode_t kPrivateFile = 0600;
inline constexpr mode_t kPrivateFolder = 0700;

// Makes the folder and its missing parents. Existing ones keep their permissions.
std::error_code make_private_folders(const std::filesystem::path& folder);

// Makes an empty file before a library that cannot set a mode opens it. An existing file keeps its
// content and permissions. A failure shows when the file is opened.
void make_private_file(const std::filesystem::path& file, mode_t mode = kPrivateFile);

// "data can be read by other users …: `chmod 700 data`"; nullopt: it cannot, or is not there.
std::optional<std::string> exposed_folder_warning(const std::filesystem::path& folder);

}  // namespace heddle
