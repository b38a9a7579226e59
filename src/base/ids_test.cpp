#include "base/ids.hpp"

#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

TEST(UniqueId, SortsByTime) {
  const WallTime start{1'773'309'600'000ms};
  std::string last = make_unique_id(start - 1ms);
  for (const auto step : {0ms, 1ms, 1000ms, 86'400'000ms, 3'153'600'000'000ms}) {
    const std::string id = make_unique_id(start + step);
    EXPECT_LT(last, id);
    last = id;
  }
}

TEST(UniqueId, HasTwentySixHarmlessCharacters) {
  const std::string id = make_unique_id(WallTime{1'773'309'600'000ms});
  EXPECT_EQ(id.size(), 26U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz"), std::string::npos);
}

TEST(UniqueId, IsUniqueAcrossThreads) {
  constexpr std::size_t kEach = 20'000;
  std::vector<std::vector<std::string>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& list : made)
      threads.emplace_back([&list] {
        for (std::size_t i = 0; i < kEach; ++i) list.push_back(make_unique_id(WallTime{5s}));
      });
  }
  std::set<std::string> all;
  for (const auto& list : made) all.insert(list.begin(), list.end());
  EXPECT_EQ(all.size(), kEach * made.size());
}

}  // namespace
}  // namespace heddle
