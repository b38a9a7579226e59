// Writes values of a job's configuration as TOML. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/job/job.hpp"

namespace heddle::config {

// "\"title:h3\"", or a table when the short form cannot say it. The loader reads the same rule.
std::string field_text(const FieldRule& rule);

// On one line, without control characters and those that change the order of a line: safe in a
// comment and as a name.
std::string plain_text(std::string_view text);

// At most that many characters, with "..." when something was cut.
std::string shortened(std::string text, std::size_t max_characters);

}  // namespace heddle::config
