#include "base/stream_redactor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/redact.hpp"

namespace heddle {

namespace {

constexpr std::size_t kTellingBeginning = 8;  // of a secret: shorter ones tell nothing

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

}  // namespace

std::string StreamRedactor::feed(std::string_view piece, const std::vector<std::string>& secrets) {
  const std::string whole = std::exchange(held_, {}) + std::string(piece);
  const FirstBytes first = first_bytes(secrets);
  std::string out;
  std::string_view left = whole;
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
  const std::string rest = std::exchange(held_, {});
  const bool is_telling = rest.size() >= kTellingBeginning && may_become_one(rest, secrets);
  return is_telling ? std::string(kRedacted) : redact(rest, secrets);
}

}  // namespace heddle
