#include "base/quantity.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace heddle {

std::string size_text(std::int64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  constexpr std::array<const char*, 5> kUnits{"kB", "MB", "GB", "TB", "PB"};
  auto number = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; number >= 999.95 && unit + 1 < kUnits.size(); ++unit) number /= 1000;  // no "1000.0 kB"
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", number, kUnits[unit]);
  return text.data();
}

}  // namespace heddle
