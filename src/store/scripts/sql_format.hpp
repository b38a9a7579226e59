// Checks the format strings of SQL's printf(): SQLite works one character at a time through widths
// of up to two billion. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::store {

inline constexpr std::int64_t kMaxFormatWidth = 1000;

// The format with numbers in place of each `*`, and the remaining arguments.
struct PlainFormat {
  std::string text;
  std::vector<int> arguments;
};

// `number_of` returns argument i (from 0; beyond the last: 0) as a number. A width or precision
// that is too large is `bad_input`.
Result<PlainFormat> plain_format(std::string_view format,
                                 const std::function<std::int64_t(int)>& number_of);

}  // namespace heddle::store
