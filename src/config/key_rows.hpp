// The rows of the key table, split over two files because of their length. For key_table.cpp only.
#pragma once

#include <span>

#include "config/key_table.hpp"

namespace heddle::config {

std::span<const Section> job_sections();
std::span<const Section> project_sections();

}  // namespace heddle::config
