// Maps enum values to their stable names and back, with one table per enum.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace heddle {

template <class Enum, std::size_t N>
using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
constexpr std::string_view name_of(const NameTable<Enum, N>& table, Enum value) {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return "unknown";
}

template <class Enum, std::size_t N>
constexpr std::optional<Enum> value_of(const NameTable<Enum, N>& table, std::string_view text) {
  for (const auto& [entry, name] : table)
    if (name == text) return entry;
  return std::nullopt;
}

}  // namespace heddle
