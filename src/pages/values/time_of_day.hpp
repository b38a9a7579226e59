// Finds a time of day and its zone among the tokens of a text. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "pages/values/date_tokens.hpp"

namespace heddle::pages {

struct TimeOfDay {
  std::chrono::milliseconds since_midnight{0};
  std::optional<std::chrono::minutes> zone;  // east of UTC; nullopt: not in the text
};

// The first time in the tokens: "10:30", "10:30:15.250+02:00", "3 pm", "10h30", "10.30 Uhr".
std::optional<TimeOfDay> find_time(std::span<const DateToken> tokens);

// How many tokens a time at the front takes, without its zone; 0 when there is none.
std::size_t time_length(std::span<const DateToken> tokens);

}  // namespace heddle::pages
