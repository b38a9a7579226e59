// Finds jobs that fetch the same page, so that they can share downloads. Pure.
#pragma once

#include <vector>

#include "model/job/job.hpp"

namespace heddle::config {

// Sets Job::shared_page_group of every job of the project.
void find_shared_pages(std::vector<Job>& jobs);

}  // namespace heddle::config
