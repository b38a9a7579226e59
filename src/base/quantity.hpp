// Numbers with their units for people. Pure.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

// "1 page", "2 pages".
template <std::integral Number>
std::string counted(Number number, std::string_view thing) {
  return std::to_string(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

// The same with a plural of its own: "1 entry", "2 entries".
template <std::integral Number>
std::string counted(Number number, std::string_view thing, std::string_view things) {
  return std::to_string(number) + " " + std::string(number == 1 ? thing : things);
}

// "812 B", "12.3 MB", "1.5 GB".
std::string size_text(std::int64_t bytes);

}  // namespace heddle
