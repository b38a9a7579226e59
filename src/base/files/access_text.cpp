#include "base/files/access_text.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include "base/user_name.hpp"

namespace heddle {

namespace {

std::string owner_and_mode(const struct stat& facts) {
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(facts.st_mode & 07777U));
  return "owner " + user_name(facts.st_uid) + ", mode " + mode + "; you are user " +
         user_name(geteuid());
}

}  // namespace

std::string access_text(const std::filesystem::path& file, int error) {
  if (error != EACCES && error != EPERM) return std::generic_category().message(error);
  std::filesystem::path where = file.empty() ? "." : file;
  struct stat facts {};
  // A folder that this user must not enter also hides what is in it.
  while (stat(where.c_str(), &facts) != 0) {
    const auto parent = where.has_parent_path() ? where.parent_path() : ".";
    if (parent == where) return "permission denied";
    where = parent;
  }
  const std::string folder = where == file || file.empty() ? "" : " by " + where.string();
  return "permission denied" + folder + " (" + owner_and_mode(facts) + ")";
}

}  // namespace heddle
