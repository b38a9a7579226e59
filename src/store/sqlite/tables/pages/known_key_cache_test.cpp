#include "store/sqlite/tables/pages/known_key_cache.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::store {

namespace {

using ::testing::Each;
using ::testing::ElementsAre;

const JobId kShop{"shop"};
const JobId kMarket{"market"};

std::vector<Hash128> random_keys(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Hash128> keys(count);
  for (Hash128& key : keys) key = {random(), random()};
  return keys;
}

std::vector<bool> find(const KnownKeyCache& known, const JobId& job,
                       const std::vector<Hash128>& keys) {
  std::vector<bool> found;
  known.find(job, keys, found);
  return found;
}

TEST(KnownKeyCache, FindsWhatWasAddedAndNothingElse) {
  KnownKeyCache known(1 << 16);
  const auto keys = random_keys(100, 1);
  known.add(kShop, keys);
  EXPECT_THAT(find(known, kShop, keys), Each(true));
  EXPECT_THAT(find(known, kShop, random_keys(100, 2)), Each(false));
}

TEST(KnownKeyCache, KeepsTheKeysOfTwoJobsApart) {
  KnownKeyCache known(1 << 16);
  const auto keys = random_keys(100, 1);
  known.add(kShop, keys);
  EXPECT_THAT(find(known, kMarket, keys), Each(false));
}

TEST(KnownKeyCache, NeverFindsAKeyThatWasNotAddedEvenWhenFull) {
  KnownKeyCache known(1 << 12);
  known.add(kShop, random_keys(10'000, 1));
  EXPECT_THAT(find(known, kShop, random_keys(10'000, 2)), Each(false));
}

TEST(KnownKeyCache, EvictsOldKeysWhenFullAndKeepsTheNewest) {
  KnownKeyCache known(1 << 12);
  known.add(kShop, random_keys(10'000, 1));
  const auto newest = random_keys(1, 3);
  known.add(kShop, newest);
  EXPECT_THAT(find(known, kShop, newest), ElementsAre(true));
}

TEST(KnownKeyCache, KeepsMostKeysThatFit) {
  KnownKeyCache known(1 << 16);
  const auto keys = random_keys(known.capacity() / 2, 1);
  known.add(kShop, keys);
  std::vector<bool> found;
  EXPECT_GT(known.find(kShop, keys, found), keys.size() * 9 / 10);
}

TEST(KnownKeyCache, HandlesKeysThatDifferInFewBits) {
  KnownKeyCache known(1 << 16);
  std::vector<Hash128> keys;
  for (std::uint64_t i = 0; i < 500; ++i) keys.push_back({0, i});
  for (std::uint64_t i = 1; i < 500; ++i) keys.push_back({i << 40, 0});
  known.add(kShop, keys);
  std::vector<bool> found;
  EXPECT_GT(known.find(kShop, keys, found), keys.size() * 9 / 10);
}

TEST(KnownKeyCache, NeverFindsTheKeyThatEqualsAnEmptyEntry) {
  KnownKeyCache known(1 << 12);
  const Hash128 mask = hash128(kShop.text);  // becomes zero when mixed with its job
  EXPECT_THAT(find(known, kShop, {mask}), ElementsAre(false));
  known.add(kShop, std::vector{mask});
  EXPECT_THAT(find(known, kShop, {mask}), ElementsAre(false));
}

TEST(KnownKeyCache, CachesNothingWithoutMemory) {
  KnownKeyCache known(0);
  const auto keys = random_keys(3, 1);
  known.add(kShop, keys);
  EXPECT_THAT(find(known, kShop, keys), ElementsAre(false, false, false));
}

TEST(KnownKeyCache, ForgetsEverythingOnRequest) {
  KnownKeyCache known(1 << 12);
  const auto keys = random_keys(10, 1);
  known.add(kShop, keys);
  known.forget_all();
  EXPECT_THAT(find(known, kShop, keys), Each(false));
}

}  // namespace

}  // namespace heddle::store
