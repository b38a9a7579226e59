#include "model/redact.hpp"

namespace heddle {

namespace {

constexpr std::size_t kShortestSecret = 4;
constexpr std::string_view kMask = "***";

}  // namespace

std::string redact(std::string text, std::span<const std::string> secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortestSecret) continue;
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + kMask.size()))
      text.replace(at, secret.size(), kMask);
  }
  return text;
}

}  // namespace heddle
