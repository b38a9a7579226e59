#include "base/files/private_files.hpp"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/file_descriptor.hpp"
#include "base/shell_word.hpp"

namespace heddle {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

}  // namespace

std::error_code make_private_folders(const fs::path& folder) {
  fs::path so_far;
  for (const fs::path& part : folder) {
    so_far /= part;
    if (part.empty() || mkdir(so_far.c_str(), kPrivateFolder) == 0 || errno == EEXIST) continue;
    // Existing parents may not be writable, or be on a disk that is not.
    const int failure = errno;
    std::error_code unknown;
    if (!fs::is_directory(so_far, unknown)) return {failure, std::generic_category()};
  }
  std::error_code unknown;
  return fs::is_directory(folder, unknown) ? std::error_code()
                                           : std::make_error_code(std::errc::not_a_directory);
}

void make_private_file(const fs::path& file, mode_t mode) {
  const FileDescriptor made(
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
}

std::optional<std::string> exposed_folder_warning(const fs::path& folder) {
  struct stat facts {};
  if (stat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) return std::nullopt;
  if ((facts.st_mode & kOthers) == 0) return std::nullopt;
  return fmt::format(
      "other users of this machine can look into {} (mode {:04o}), which holds pages, cookies and "
      "messages: `chmod 700 {}`",
      folder.string(), facts.st_mode & 07777, shell_word(folder.string()));
}

}  // namespace heddle
