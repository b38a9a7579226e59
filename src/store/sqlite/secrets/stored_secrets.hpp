// Replaces secrets that an earlier version of the program has stored with the URLs of jobs. Blocks
// on the disk; no other process or connection uses the database meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::store {

// For each job whose pages are stored under a URL with the value of a secret: the same pages,
// tasks, items and messages have ${…} instead afterwards, and items keep their identity. Bodies of
// stored versions stay as they are. Returns how many jobs were changed; nothing else costs more
// than a look at their URLs.
Result<std::int64_t> replace_stored_secrets(const std::filesystem::path& file,
                                            const std::vector<Job>& jobs);

}  // namespace heddle::store
