#include "base/hash.hpp"

#include <new>

#include <xxhash.h>

namespace heddle {

namespace {

Hash128 from_xxh(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }

void put_big_endian(std::uint64_t value, unsigned char* out) {
  for (int shift = 56; shift >= 0; shift -= 8) *out++ = static_cast<unsigned char>(value >> shift);
}

std::uint64_t get_big_endian(const unsigned char* in) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = (value << 8) | in[i];
  return value;
}

}  // namespace

std::array<unsigned char, 16> Hash128::bytes() const {
  std::array<unsigned char, 16> out{};
  put_big_endian(high, out.data());
  put_big_endian(low, out.data() + 8);
  return out;
}

Hash128 Hash128::from_bytes(const unsigned char* sixteen) {
  return {get_big_endian(sixteen), get_big_endian(sixteen + 8)};
}

std::string Hash128::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(32);
  for (const unsigned char byte : bytes()) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

Hash128 hash128(std::string_view bytes, std::uint64_t seed) {
  return from_xxh(XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed));
}

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

ListHasher::ListHasher(std::uint64_t seed) : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  restart(seed);
}

ListHasher::~ListHasher() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void ListHasher::restart(std::uint64_t seed) {
  XXH3_128bits_reset_withSeed(static_cast<XXH3_state_t*>(state_), seed);
}

void ListHasher::add(std::string_view text) {
  auto* state = static_cast<XXH3_state_t*>(state_);
  const std::uint64_t size = text.size();
  XXH3_128bits_update(state, &size, sizeof size);
  XXH3_128bits_update(state, text.data(), text.size());
}

Hash128 ListHasher::finish() const {
  return from_xxh(XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_)));
}

}  // namespace heddle
