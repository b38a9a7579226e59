// Leaves what a cycle saw under data/jobs/<id>/ for people: the response and its fields.
#pragma once

#include <filesystem>
#include <vector>

#include "model/job.hpp"
#include "model/run.hpp"
#include "pipeline/cycle.hpp"

namespace heddle::app {

// Returns the files written; secrets of the configuration are blanked out in them.
Result<std::vector<std::filesystem::path>> write_debug_files(const Project& project, const Job& job,
                                                             const Task& task,
                                                             const pipeline::Artefacts& artefacts);

}  // namespace heddle::app
