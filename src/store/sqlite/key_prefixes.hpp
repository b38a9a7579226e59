// The items on a page in 8 bytes each: enough to tell which came and which left. Pure.
// Two keys of a job share their first 8 bytes about once in 2^64 pairs; then one of the two may
// show the other's last_seen, nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace heddle::store {

using KeyPrefixes = std::vector<std::uint64_t>;  // sorted, each once

KeyPrefixes prefixes_of(std::span<const Hash128> keys);

std::string encode_prefixes(const KeyPrefixes& prefixes);
// A damaged blob gives what is readable.
KeyPrefixes decode_prefixes(std::string_view bytes);

std::int64_t hash_of_prefixes(std::string_view encoded);

}  // namespace heddle::store
