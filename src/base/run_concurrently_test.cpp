#include "base/run_concurrently.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/pause.hpp"
#include "tests/support/run_async.hpp"

namespace heddle {
namespace {

struct Counts {
  std::vector<std::size_t> done{};
  std::size_t now = 0;
  std::size_t most = 0;
};

Async<void> run_task(Counts& counts, std::size_t index) {
  counts.most = std::max(counts.most, ++counts.now);
  co_await pause_for(std::chrono::milliseconds(1));
  --counts.now;
  counts.done.push_back(index);
}

Async<Counts> run_tasks_counted(std::size_t count, std::size_t max_concurrent) {
  const auto counts = std::make_unique<Counts>();
  std::function<Async<void>(std::size_t)> task = [&](std::size_t index) {
    return run_task(*counts, index);
  };
  co_await run_concurrently(count, max_concurrent, std::move(task));
  co_return *counts;
}

TEST(RunConcurrently, CallsEachTaskOnceWithinTheLimit) {
  Counts counts = testing::run_async(run_tasks_counted(50, 7));
  std::sort(counts.done.begin(), counts.done.end());
  ASSERT_EQ(counts.done.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(counts.done[i], i);
  EXPECT_EQ(counts.most, 7U);
  EXPECT_EQ(counts.now, 0U);
}

TEST(RunConcurrently, ReturnsImmediatelyWithoutTasks) {
  EXPECT_TRUE(testing::run_async(run_tasks_counted(0, 4)).done.empty());
}

}  // namespace
}  // namespace heddle
