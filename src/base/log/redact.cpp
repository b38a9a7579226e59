#include "base/log/redact.hpp"

#include <algorithm>
#include <cstdio>

namespace heddle {

namespace {

constexpr std::size_t kShortestSecretLine = 8;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Encodes all but letters, digits and the characters of `plain`.
std::string percent_encoded(std::string_view text, std::string_view plain, const char* format) {
  std::string out;
  for (const char c : text) {
    char code[4];
    std::snprintf(code, sizeof code, format, static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += is_alphanumeric(c) || plain.find(c) != std::string_view::npos ? std::string(1, c)
                                                                         : std::string(code);
  }
  return out;
}

// As programs encode a value for a URL: RFC 3986, encodeURIComponent, the query and the path of
// WHATWG URLs, which keep delimiters, and forms, which have "+" for a space.
void add_url_encodings(std::string_view text, std::vector<std::string>& out) {
  constexpr std::string_view kPlain[] = {"-_.~", "-_.!~*'()", "-_.!~*()$&+,/:;=?@[]\\^`{|}%",
                                         "-_.!~*'()$&+,/:;=@[]|\\%"};
  for (const std::string_view plain : kPlain)
    for (const char* format : {"%%%02X", "%%%02x"})
      out.push_back(percent_encoded(text, plain, format));
  std::string form = percent_encoded(text, "-_.*", "%%%02X");
  for (auto at = form.find("%20"); at != std::string::npos; at = form.find("%20", at))
    form.replace(at, 3, "+");
  out.push_back(std::move(form));
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

void add_html_encodings(std::string_view text, std::vector<std::string>& out) {
  std::string escaped = replaced(std::string(text), "&", "&amp;");
  out.push_back(escaped);  // as in links that only escape this
  escaped = replaced(replaced(std::move(escaped), "<", "&lt;"), ">", "&gt;");
  out.push_back(escaped);
  escaped = replaced(std::move(escaped), "\"", "&quot;");
  out.push_back(escaped);
  for (const char* quote : {"&#39;", "&#x27;", "&#039;", "&apos;"})
    out.push_back(replaced(escaped, "'", quote));
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
  std::vector<std::string> all{std::string(secret)};
  if (std::all_of(secret.begin(), secret.end(), is_alphanumeric)) return all;
  all.push_back(json_escaped(secret));
  all.push_back(replaced(json_escaped(secret), "/", "\\/"));
  add_url_encodings(secret, all);
  add_html_encodings(secret, all);
  std::vector<std::string> out;
  for (std::string& each : all)
    if (std::find(out.begin(), out.end(), each) == out.end()) out.push_back(std::move(each));
  return out;
}

}  // namespace heddle
