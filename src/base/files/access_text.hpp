// Explains why a file or folder cannot be used. Reads the file system, changes nothing.
#pragma once

#include <filesystem>
#include <string>

namespace heddle {

// The text of an error number. For a refused access it names owner, mode and user: "permission
// denied (owner root, mode 0600; you are user heddle)", and the folder if that is what refuses it.
std::string access_text(const std::filesystem::path& file, int error);

}  // namespace heddle
