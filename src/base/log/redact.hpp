// Replaces secrets in text that is shown, logged or stored for debugging. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Redacting shorter secrets ("80") would hit harmless text and protect nothing.
inline constexpr std::size_t kShortestSecret = 4;

inline constexpr std::string_view kRedacted = "[redacted]";

// Replaces every secret by "[redacted]". Where two overlap the longer one wins.
std::string redact(std::string_view text, const std::vector<std::string>& secrets);

// The same for the end of a longer text, without its first `skipped` bytes: no part of a
// secret that this cut splits remains. `skipped` is at least as long as the longest secret.
std::string redact_end(std::string_view text, const std::vector<std::string>& secrets,
                       std::size_t skipped);

// Adds the lines of multi-line secrets as secrets of their own, because output may contain only
// some of them. Short lines are left out: they would hit harmless text.
std::vector<std::string> secrets_with_lines(std::vector<std::string> secrets);

// The secret itself, then its forms inside JSON, a URL and HTML.
std::vector<std::string> secret_encodings(std::string_view secret);

}  // namespace heddle
