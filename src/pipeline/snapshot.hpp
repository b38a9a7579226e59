// Hashes and compresses a page body to be stored as a version.
#pragma once

#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/page_result.hpp"

namespace heddle::pipeline {

// Equal bodies of one job share one stored copy. Jobs do not share, so that a forged hash cannot
// replace the page of another job.
Hash128 content_hash(const JobId& job, std::string_view body);

// Compresses with zstd. Costs about as much as parsing: only for content the store lacks.
Result<std::string> compress(std::string_view body);

}  // namespace heddle::pipeline
