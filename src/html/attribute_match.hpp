// Compares attribute values for [name op "value"] and .class. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "html/selector_program.hpp"

namespace heddle::html {

bool attribute_matches(const SelectorTest& test, std::string_view value);

// The most bytes that attribute_matches reads.
std::size_t bytes_compared(const SelectorTest& test, std::string_view value);

bool has_part(std::string_view text, std::string_view part);

// Whether a class attribute contains this class name.
bool has_class(std::string_view class_names, std::string_view wanted);

}  // namespace heddle::html
