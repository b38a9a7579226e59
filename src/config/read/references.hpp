// What jobs and channels say about each other: `after`, `notify`, alerts' `to`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

// The texts of a value that is a text, a list of texts, or tables that have them under `key`.
std::vector<std::string> texts_of(const Setting& setting, std::string_view key);

// Adds a problem for each name that does not exist and for jobs that wait for each other in a
// circle. Names of channels are left alone when `project_file_ok` is false: they may well be there.
void check_references(Loaded& loaded, bool project_file_ok);

}  // namespace heddle::config
