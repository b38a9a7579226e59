#include "store/sqlite/tables/pages/key_prefixes.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::store {

KeyPrefixes prefixes_of(std::span<const Hash128> keys) {
  KeyPrefixes prefixes(keys.size());
  std::transform(keys.begin(), keys.end(), prefixes.begin(),
                 [](const Hash128& key) { return key.high; });
  std::sort(prefixes.begin(), prefixes.end());
  prefixes.erase(std::unique(prefixes.begin(), prefixes.end()), prefixes.end());
  return prefixes;
}

KeyPrefixes difference_of(const KeyPrefixes& left, const KeyPrefixes& right) {
  KeyPrefixes rest;
  std::set_difference(left.begin(), left.end(), right.begin(), right.end(),
                      std::back_inserter(rest));
  return rest;
}

std::string encode_prefixes(const KeyPrefixes& prefixes) {
  std::string out(prefixes.size() * 8, '\0');
  auto* at = out.data();
  for (std::uint64_t prefix : prefixes)
    for (int shift = 56; shift >= 0; shift -= 8) *at++ = static_cast<char>(prefix >> shift);
  return out;
}

KeyPrefixes decode_prefixes(std::string_view bytes) {
  KeyPrefixes prefixes;
  prefixes.reserve(bytes.size() / 8);
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t prefix = 0;
    for (std::size_t i = 0; i < 8; ++i) prefix = prefix << 8 | static_cast<unsigned char>(bytes[i]);
    prefixes.push_back(prefix);
  }
  // Was sorted when written; set operations would fail on a damaged one.
  if (!std::is_sorted(prefixes.begin(), prefixes.end()))
    std::sort(prefixes.begin(), prefixes.end());
  return prefixes;
}

std::int64_t hash_of_prefixes(std::string_view encoded) {
  return static_cast<std::int64_t>(hash64(encoded));
}

}  // namespace heddle::store
