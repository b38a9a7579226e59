// How [name op "value"] and .class compare texts. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "html/selector_program.hpp"

namespace heddle::html {

bool attribute_matches(const Test& test, std::string_view value);

// How many bytes attribute_matches looks at, at most.
std::size_t bytes_compared(const Test& test, std::string_view value);

bool has_part(std::string_view text, std::string_view part);

// Whether one of the words of a class attribute is this one.
bool has_class(std::string_view class_names, std::string_view wanted);

}  // namespace heddle::html
