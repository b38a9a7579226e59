// Keeps secrets out of everything that is shown, logged or stored for debugging. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Shorter texts would take harmless ones with them ("80"), and protect nothing.
inline constexpr std::size_t kShortestSecret = 4;

inline constexpr std::string_view kRedacted = "[redacted]";

// Replaces every secret by "[redacted]". Where two overlap the longer one is taken.
std::string redact(std::string_view text, const std::vector<std::string>& secrets);

// The same for the end of a longer text, without its first `skipped` bytes: a secret that these cut
// in two does not leave a part of it. `skipped` is at least as long as the longest secret.
std::string redact_end(std::string_view text, const std::vector<std::string>& secrets,
                       std::size_t skipped);

// Secrets of several lines also line by line, as they are when only some of them are written. Short
// lines would take harmless ones with them.
std::vector<std::string> with_their_lines(std::vector<std::string> secrets);

// A secret as it may also appear: inside JSON, inside a URL. The text itself comes first.
std::vector<std::string> spellings_of_secret(std::string_view secret);

}  // namespace heddle
