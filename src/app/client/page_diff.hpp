// Compares two kept bodies of a page for `heddle diff`.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"
#include "model/run/page_diff.hpp"

namespace heddle::app {

// The texts of both bodies as the job reads them: the part it selects, without what it ignores.
Result<std::vector<DiffLine>> diff_bodies(const Job& job, const std::string& before,
                                          const std::string& after);

}  // namespace heddle::app
