// The rows of the key table, in two files for their length. Only key_table.cpp reads them.
#pragma once

#include <span>

#include "config/key_table.hpp"

namespace heddle::config {

std::span<const Section> job_sections();
std::span<const Section> project_sections();

}  // namespace heddle::config
