// Makes an Error from a failed start of a program.
#pragma once

#include "base/result.hpp"
#include "process/spawn.hpp"
#include "process/start_child.hpp"

namespace heddle::process {

// `not_found` when there is no such program or folder.
Error start_error(const ChildStart& start, const SpawnSpec& spec);

}  // namespace heddle::process
