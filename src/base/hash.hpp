// 128-bit content hashes (XXH3): fast and well mixed, not cryptographic.
// Values that must not collide between jobs use the job's id as the seed.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heddle {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const Hash128&) const = default;

  [[nodiscard]] std::array<unsigned char, 16> bytes() const;  // big-endian, sorts like the value
  static Hash128 from_bytes(const unsigned char* sixteen);
  [[nodiscard]] std::string hex() const;
};

Hash128 hash128(std::string_view bytes, std::uint64_t seed = 0);
std::uint64_t hash64(std::string_view bytes);

// Hashes a list of texts so that {"ab", "c"} and {"a", "bc"} differ. Meant for short lists: it
// joins the texts and hashes them in one call.
class ListHasher {
 public:
  explicit ListHasher(std::uint64_t seed = 0) : seed_(seed) {}

  void add(std::string_view text);
  void add(const Hash128& hash);
  [[nodiscard]] Hash128 finish() const { return hash128(joined_, seed_); }

 private:
  std::uint64_t seed_;
  std::string joined_;
};

}  // namespace heddle

template <>
struct std::hash<heddle::Hash128> {
  std::size_t operator()(const heddle::Hash128& value) const noexcept { return value.low; }
};
