#include "script/lua/lua_allocator.hpp"

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::script {
namespace {

void* allocate(LuaAllocator& allocator, std::size_t size) {
  return LuaAllocator::reallocate(&allocator, nullptr, 0, size);
}

void release(LuaAllocator& allocator, void* block, std::size_t size) {
  LuaAllocator::reallocate(&allocator, block, size, 0);
}

TEST(LuaAllocator, RefusesRequestsBeyondTheLimit) {
  LuaAllocator allocator(100'000);
  void* most = allocate(allocator, 90'000);
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(allocate(allocator, 20'000), nullptr);
  EXPECT_EQ(LuaAllocator::reallocate(&allocator, most, 90'000, 200'000), nullptr);

  most = LuaAllocator::reallocate(&allocator, most, 90'000, 10'000);
  void* more = allocate(allocator, 20'000);
  EXPECT_NE(more, nullptr);
  release(allocator, most, 10'000);
  release(allocator, more, 20'000);
  EXPECT_EQ(allocator.used(), 0U);
}

// Fills the limit with blocks of one size after the other: no memory of the previous size may
// remain, or a script could make the process hold a multiple of the limit.
TEST(LuaAllocator, HoldsNoMoreThanTheLimitForAnySizes) {
  constexpr std::size_t kLimit = 2'000'000;
  LuaAllocator allocator(kLimit);
  for (std::size_t size = 8; size <= 300; size += 12) {
    std::vector<void*> blocks;
    while (void* block = allocate(allocator, size)) blocks.push_back(block);
    EXPECT_LE(allocator.held_bytes(), kLimit);
    EXPECT_GT(blocks.size() * size, kLimit / 3) << size;
    for (void* block : blocks) release(allocator, block, size);
  }
  EXPECT_EQ(allocator.used(), 0U);
  EXPECT_LT(allocator.held_bytes(), 100'000U);
}

TEST(LuaAllocator, KeepsContentsWhileBlocksGrowAndShrink) {
  LuaAllocator allocator(10'000'000);
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
          LuaAllocator::reallocate(&allocator, old->first, old_size, size));
      for (std::size_t at = 0; at < std::min(size, old_size); ++at) ASSERT_EQ(block[at], old_mark);
      blocks.erase(old);
      if (random() % 4 == 0) {
        release(allocator, block, size);
        continue;
      }
    } else {
      block = static_cast<unsigned char*>(allocate(allocator, size));
    }
    std::memset(block, mark, size);
    ASSERT_TRUE(blocks.emplace(block, std::pair(size, mark)).second);
  }
  for (const auto& [block, content] : blocks) {
    for (std::size_t at = 0; at < content.first; ++at) ASSERT_EQ(block[at], content.second);
    release(allocator, block, content.first);
  }
  EXPECT_EQ(allocator.used(), 0U);
}

}  // namespace
}  // namespace heddle::script
