// Reads a date, with its time if any, from text in many languages. Pure: words that depend on the
// current date ("yesterday") are not read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::pages {

// "2026-03-12"; with a time "2026-03-12T10:00:00", and in UTC with "Z" when the text has a zone.
std::optional<std::string> read_date(std::string_view text);

}  // namespace heddle::pages
