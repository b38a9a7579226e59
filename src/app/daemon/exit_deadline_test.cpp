#include "app/daemon/exit_deadline.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace heddle::app {
namespace {

using namespace std::chrono_literals;

void miss_deadline(std::chrono::milliseconds time, int exit_status) {
  StderrLog log;
  ExitDeadline deadline(log);
  deadline.set(Deadline::clock::now() + time, exit_status);
  while (true) std::this_thread::sleep_for(1h);
}

TEST(ExitDeadlineDeathTest, ExitsTheProcessAtTheDeadline) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(miss_deadline(10ms, 7), ::testing::ExitedWithCode(7), "the shutdown timed out");
}

TEST(ExitDeadline, IsCancelledByTheDestructor) {
  NoLog log;
  const auto start = Deadline::clock::now();
  {
    ExitDeadline deadline(log);
    deadline.set(start + 1h, 7);
  }
  const ExitDeadline never_set(log);
  EXPECT_LT(Deadline::clock::now() - start, 1h);
}

}  // namespace
}  // namespace heddle::app
