// Names of the users of this machine.
#pragma once

#include <string>

#include <sys/types.h>

namespace heddle {

// From /etc/passwd alone: a directory service could block the caller. "uid 1000" for others.
std::string user_name(uid_t user);

}  // namespace heddle
