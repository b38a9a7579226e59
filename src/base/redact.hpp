// Keeps secrets out of everything that is shown, logged or stored for debugging. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Shorter texts would take harmless ones with them ("80"), and protect nothing.
inline constexpr std::size_t kShortestSecret = 4;

// Replaces every secret by "[redacted]". Where two overlap the longer one is taken.
std::string redact(std::string_view text, const std::vector<std::string>& secrets);

// A secret as it may also appear: inside JSON, inside a URL. The text itself comes first.
std::vector<std::string> spellings_of_secret(std::string_view secret);

}  // namespace heddle
