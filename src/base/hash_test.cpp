#include "base/hash.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

Hash128 hash_list(const std::vector<std::string>& texts, std::uint64_t seed = 0) {
  ListHasher hasher(seed);
  for (const std::string& text : texts) hasher.add(text);
  return hasher.finish();
}

TEST(Hash128, IsXxh3) {  // stored on disk, so it must never change
  EXPECT_EQ(hash128("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_NE(hash128("a"), hash128("b"));
  EXPECT_NE(hash128("a", 1), hash128("a", 2));
}

TEST(Hash128, RoundTripsThroughBytes) {
  const Hash128 hash{0x0123456789abcdef, 0xfedcba9876543210};
  EXPECT_EQ(hash.hex(), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(Hash128::from_bytes(hash.bytes().data()), hash);
}

TEST(Hash128, SortsLikeItsBytes) {
  const Hash128 small{1, 0xffffffffffffffff};
  const Hash128 large{2, 0};
  EXPECT_LT(small, large);
  EXPECT_LT(small.bytes(), large.bytes());
}

TEST(ListHasher, DistinguishesListsWithEqualConcatenation) {
  EXPECT_NE(hash_list({"ab", "c"}), hash_list({"a", "bc"}));
  EXPECT_NE(hash_list({"", "a"}), hash_list({"a", ""}));
  EXPECT_NE(hash_list({}), hash_list({""}));
  EXPECT_NE(hash_list({"a"}, 1), hash_list({"a"}, 2));
  EXPECT_EQ(hash_list({"a", "b"}), hash_list({"a", "b"}));
}

TEST(ListHasher, TakesHashesAsEntries) {
  ListHasher one;
  one.add(Hash128{1, 2});
  ListHasher other;
  other.add(Hash128{2, 1});
  EXPECT_NE(one.finish(), other.finish());
}

}  // namespace
}  // namespace heddle
