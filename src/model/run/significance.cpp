#include "model/run/significance.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<Significance, 3> kWords{
    {{Significance::low, "low"}, {Significance::medium, "medium"}, {Significance::high, "high"}}};

}  // namespace

std::string_view to_text(Significance significance) {
  return name_of(kWords, significance);
}

std::optional<Significance> significance_from(std::string_view text) {
  return value_of(kWords, text);
}

Significance significance_of(std::int64_t stored) {
  for (const auto& [value, name] : kWords)
    if (static_cast<std::int64_t>(value) == stored) return value;
  return Significance::medium;
}

}  // namespace heddle
