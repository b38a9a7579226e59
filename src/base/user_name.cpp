#include "base/user_name.hpp"

#include <cstdio>
#include <memory>

#include <pwd.h>

#include "base/free_with.hpp"

namespace heddle {

std::string user_name(uid_t user) {
  const std::unique_ptr<std::FILE, FreeWith<std::fclose>> file(std::fopen("/etc/passwd", "re"));
  passwd entry{};
  passwd* found = nullptr;
  char text[4096];
  while (file && fgetpwent_r(file.get(), &entry, text, sizeof text, &found) == 0)
    if (found->pw_uid == user) return found->pw_name;
  return "uid " + std::to_string(user);
}

}  // namespace heddle
