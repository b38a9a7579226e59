#include "base/log/stream_redactor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/log/redact.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMinSecretPart = 8;  // shorter parts of a secret reveal nothing

using FirstBytes = std::array<bool, 256>;

FirstBytes first_bytes(const std::vector<std::string>& secrets) {
  FirstBytes first{};
  for (const std::string& secret : secrets)
    if (secret.size() >= kShortestSecret) first[static_cast<unsigned char>(secret.front())] = true;
  return first;
}

bool may_become_one(std::string_view end, const std::vector<std::string>& secrets) {
  return std::any_of(secrets.begin(), secrets.end(), [end](const std::string& secret) {
    return secret.size() >= kShortestSecret && secret.size() > end.size() &&
           secret.starts_with(end);
  });
}

// The longest secret that the text begins with; 0: none.
std::size_t length_of_secret(std::string_view text, const std::vector<std::string>& secrets) {
  std::size_t length = 0;
  for (const std::string& secret : secrets)
    if (secret.size() >= kShortestSecret && secret.size() > length && text.starts_with(secret))
      length = secret.size();
  return length;
}

std::size_t longest_of(const std::vector<std::string>& secrets) {
  std::size_t longest = 0;
  for (const std::string& secret : secrets) longest = std::max(longest, secret.size());
  return longest;
}

// How much of the text is the end of a secret whose beginning is missing; 0: nothing.
std::size_t length_of_secret_end(std::string_view text, const std::vector<std::string>& secrets) {
  std::size_t length = 0;
  for (const std::string& secret : secrets) {
    const std::size_t longest = std::min(secret.size(), text.size());
    for (std::size_t size = longest; size >= kMinSecretPart && size > length; --size)
      if (secret.ends_with(text.substr(0, size))) length = size;
  }
  return length;
}

}  // namespace

std::string StreamRedactor::feed(std::string_view piece, const std::vector<std::string>& secrets) {
  std::string whole = std::exchange(held_, {}) + std::string(piece);
  if (!is_after_gap_) return show(whole, secrets);
  if (whole.size() < longest_of(secrets)) {
    held_ = std::move(whole);
    return {};
  }
  return show_after_gap(whole, secrets);
}

std::string StreamRedactor::show_after_gap(std::string_view text,
                                           const std::vector<std::string>& secrets) {
  is_after_gap_ = false;
  const std::size_t cut = length_of_secret_end(text, secrets);
  return std::string(cut > 0 ? kRedacted : "") + show(text.substr(cut), secrets);
}

std::string StreamRedactor::show(std::string_view left, const std::vector<std::string>& secrets) {
  const FirstBytes first = first_bytes(secrets);
  std::string out;
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&first](char c) {
      return first[static_cast<unsigned char>(c)];
    });
    const auto plain = static_cast<std::size_t>(next - left.begin());
    out += left.substr(0, plain);
    left.remove_prefix(plain);
    if (left.empty()) break;
    if (may_become_one(left, secrets)) {
      held_ = left;
      break;
    }
    const std::size_t length = length_of_secret(left, secrets);
    out += length > 0 ? kRedacted : left.substr(0, 1);
    left.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string StreamRedactor::finish(const std::vector<std::string>& secrets) {
  std::string shown;
  if (is_after_gap_) shown = show_after_gap(std::exchange(held_, {}), secrets);
  const std::string rest = std::exchange(held_, {});
  const bool is_secret_start = rest.size() >= kMinSecretPart && may_become_one(rest, secrets);
  return shown + (is_secret_start ? std::string(kRedacted) : redact(rest, secrets));
}

}  // namespace heddle
