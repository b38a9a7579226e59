#include "base/hash.hpp"

#include <xxhash.h>

namespace heddle {

namespace {

constexpr char kDigits[] = "0123456789abcdef";

Hash128 from_xxh(XXH128_hash_t hash) {
  return {hash.high64, hash.low64};
}

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

std::uint64_t hash64(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

void ListHasher::add(std::string_view text) {
  const std::uint64_t size = text.size();
  joined_.append(reinterpret_cast<const char*>(&size), sizeof size);
  joined_ += text;
}

void ListHasher::add(const Hash128& hash) {
  joined_.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

}  // namespace heddle
