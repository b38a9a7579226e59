#include "script/lua/allocator.hpp"

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::script {
namespace {

void* take(Allocator& allocator, std::size_t size) {
  return Allocator::reallocate(&allocator, nullptr, 0, size);
}

void give_back(Allocator& allocator, void* block, std::size_t size) {
  Allocator::reallocate(&allocator, block, size, 0);
}

TEST(Allocator, RefusesWhatGoesBeyondTheLimit) {
  Allocator allocator(100'000);
  void* most = take(allocator, 90'000);
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(take(allocator, 20'000), nullptr);
  EXPECT_EQ(Allocator::reallocate(&allocator, most, 90'000, 200'000), nullptr);

  most = Allocator::reallocate(&allocator, most, 90'000, 10'000);
  void* more = take(allocator, 20'000);
  EXPECT_NE(more, nullptr);
  give_back(allocator, most, 10'000);
  give_back(allocator, more, 20'000);
  EXPECT_EQ(allocator.used(), 0U);
}

// Fills the limit with blocks of one size after the other: nothing of the last size may stay
// behind, or a script could make the process hold the limit many times over.
TEST(Allocator, HoldsNoMoreThanTheLimitWhateverTheSizes) {
  constexpr std::size_t kLimit = 2'000'000;
  Allocator allocator(kLimit);
  for (std::size_t size = 8; size <= 300; size += 12) {
    std::vector<void*> blocks;
    while (void* block = take(allocator, size)) blocks.push_back(block);
    EXPECT_LE(allocator.held_bytes(), kLimit);
    EXPECT_GT(blocks.size() * size, kLimit / 3) << size;
    for (void* block : blocks) give_back(allocator, block, size);
  }
  EXPECT_EQ(allocator.used(), 0U);
  EXPECT_LT(allocator.held_bytes(), 100'000U);
}

TEST(Allocator, KeepsContentsWhileBlocksGrowAndShrink) {
  Allocator allocator(10'000'000);
  std::mt19937 random(7);
  std::map<unsigned char*, std::pair<std::size_t, unsigned char>> blocks;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t size = 1 + random() % (i % 3 == 0 ? 3000 : 300);
    const auto mark = static_cast<unsigned char>(random());
    unsigned char* block = nullptr;
    if (!blocks.empty() && random() % 2 == 0) {
      const auto old = blocks.begin();
      const auto [old_size, old_mark] = old->second;
      block = static_cast<unsigned char*>(
          Allocator::reallocate(&allocator, old->first, old_size, size));
      for (std::size_t at = 0; at < std::min(size, old_size); ++at) ASSERT_EQ(block[at], old_mark);
      blocks.erase(old);
      if (random() % 4 == 0) {
        give_back(allocator, block, size);
        continue;
      }
    } else {
      block = static_cast<unsigned char*>(take(allocator, size));
    }
    std::memset(block, mark, size);
    ASSERT_TRUE(blocks.emplace(block, std::pair(size, mark)).second);
  }
  for (const auto& [block, content] : blocks) {
    for (std::size_t at = 0; at < content.first; ++at) ASSERT_EQ(block[at], content.second);
    give_back(allocator, block, content.first);
  }
  EXPECT_EQ(allocator.used(), 0U);
}

}  // namespace
}  // namespace heddle::script
