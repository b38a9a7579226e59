// Checks references between jobs and to channels: `after`, `notify`, alerts' `to`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

// The texts of a value that is a text, a list of texts, or tables with texts under `key`.
std::vector<std::string> texts_of(const Setting& setting, std::string_view key);

// Adds a problem for each unknown name and for cyclic dependencies. Skips channel names when
// `project_file_ok` is false, because the file that defines them could not be read.
void check_references(Loaded& loaded, bool project_file_ok);

}  // namespace heddle::config
