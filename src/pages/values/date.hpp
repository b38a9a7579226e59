// Reads a date, with its time when there is one, from text in many languages. Pure: words that
// depend on today ("yesterday") are not read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::pages {

// "2026-03-12"; with a time "2026-03-12T10:00:00", and in UTC with "Z" when the text says its zone.
std::optional<std::string> read_date(std::string_view text);

}  // namespace heddle::pages
