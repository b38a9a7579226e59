// Writes the response and the fields of a cycle to data/jobs/<id>/ for debugging.
#pragma once

#include <filesystem>
#include <vector>

#include "model/job/job.hpp"
#include "model/run/run.hpp"
#include "pipeline/cycle.hpp"

namespace heddle::app {

// Returns the files written, with secrets of the configuration redacted.
Result<std::vector<std::filesystem::path>> write_debug_files(const Project& project, const Job& job,
                                                             const Task& task,
                                                             const pipeline::Artefacts& artefacts);

}  // namespace heddle::app
