// Conversions between the types of XPath values. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::html {

// As number() and string() of the standard: "12.50", " -3 "; anything else is NaN.
double xpath_number(std::string_view text);
std::string xpath_text(double number);

double xpath_round(double number);  // halves upwards
std::string normalize_space(std::string_view text);
std::string translate_characters(std::string_view text, std::string_view from, std::string_view to);
// `first` and `length` in characters, from 1, not rounded.
std::string xpath_substring(std::string_view text, double first, double length);
std::size_t count_characters(std::string_view text);

}  // namespace heddle::html
