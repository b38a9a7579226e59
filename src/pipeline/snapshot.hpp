// A page body made ready to be kept as a version.
#pragma once

#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/page_result.hpp"

namespace heddle::pipeline {

// Equal bodies of one job share one stored copy; jobs do not share, so that no page can stand in
// for the page of another job by a forged hash.
Hash128 content_hash(const JobId& job, std::string_view body);

// Compresses with zstd; costs about as much as parsing, so only for content the store lacks.
Result<std::string> compress(std::string_view body);

}  // namespace heddle::pipeline
