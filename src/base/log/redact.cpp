#include "base/log/redact.hpp"

#include <algorithm>
#include <cstdio>

namespace heddle {

namespace {

constexpr std::size_t kShortestSecretLine = 8;

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += plain ? std::string(1, c) : std::string(code);
  }
  return out;
}

std::string json_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(byte));
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else
      out += byte < 0x20 ? std::string(code) : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string redact(std::string_view text, const std::vector<std::string>& secrets) {
  std::vector<std::string_view> longest_first;
  for (const std::string& secret : secrets)
    if (secret.size() >= kShortestSecret && text.find(secret) != std::string_view::npos)
      longest_first.push_back(secret);
  if (longest_first.empty()) return std::string(text);
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](std::string_view a, std::string_view b) { return a.size() > b.size(); });
  std::string out;
  while (!text.empty()) {
    const auto found =
        std::find_if(longest_first.begin(), longest_first.end(),
                     [&](std::string_view secret) { return text.starts_with(secret); });
    const bool is_secret = found != longest_first.end();
    out += is_secret ? kRedacted : text.substr(0, 1);
    text.remove_prefix(is_secret ? found->size() : 1);
  }
  return out;
}

std::string redact_end(std::string_view text, const std::vector<std::string>& secrets,
                       std::size_t skipped) {
  std::size_t begin = std::min(skipped, text.size());
  bool is_within = false;
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortestSecret) continue;
    // Only secrets that the cut splits.
    const std::size_t first = skipped >= secret.size() ? skipped - secret.size() + 1 : 0;
    for (auto at = text.find(secret, first); at < skipped; at = text.find(secret, at + 1)) {
      is_within = true;
      begin = std::max(begin, at + secret.size());
    }
  }
  return (is_within ? std::string(kRedacted) : std::string()) + redact(text.substr(begin), secrets);
}

std::vector<std::string> secrets_with_lines(std::vector<std::string> secrets) {
  const std::size_t count = secrets.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string secret = secrets[i];
    if (secret.find('\n') == std::string::npos) continue;
    std::string_view left = secret;
    while (!left.empty()) {
      const auto end = std::min(left.find('\n'), left.size());
      std::string_view line = left.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.size() >= kShortestSecretLine) secrets.emplace_back(line);
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  return secrets;
}

std::vector<std::string> secret_encodings(std::string_view secret) {
  std::vector<std::string> out{std::string(secret)};
  for (std::string& other : std::vector<std::string>{percent_encoded(secret), json_escaped(secret)})
    if (std::find(out.begin(), out.end(), other) == out.end()) out.push_back(std::move(other));
  return out;
}

}  // namespace heddle
