// How much a change matters: decided by its kind, never by the size of the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

enum class Significance { low, medium, high };
std::string_view to_text(Significance significance);
std::optional<Significance> significance_from(std::string_view text);
Significance significance_of(std::int64_t stored);  // an unknown value is `medium`

}  // namespace heddle
