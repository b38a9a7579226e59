// Encodes the items of a page in 8 bytes each, enough to detect added and removed items. Pure. Two
// keys of a job share their first 8 bytes about once in 2^64 pairs; one of them may then show the
// other's last_seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace heddle::store {

using KeyPrefixes = std::vector<std::uint64_t>;  // sorted, unique

KeyPrefixes prefixes_of(std::span<const Hash128> keys);

// Those of `left` that are not in `right`.
KeyPrefixes difference_of(const KeyPrefixes& left, const KeyPrefixes& right);

std::string encode_prefixes(const KeyPrefixes& prefixes);
// Returns the readable part of a damaged blob.
KeyPrefixes decode_prefixes(std::string_view bytes);

std::int64_t hash_of_prefixes(std::string_view encoded);

}  // namespace heddle::store
