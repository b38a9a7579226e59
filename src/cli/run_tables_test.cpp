#include "cli/run_tables.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(UsageText, NamesCpuTimeAndWorkers) {
  heddle::Run run;
  EXPECT_EQ(usage_text(run), "");
  run.cpu = std::chrono::milliseconds(20);
  EXPECT_EQ(usage_text(run), "20 ms of CPU time");
  run.slots = {0, 3};
  EXPECT_EQ(usage_text(run), "20 ms of CPU time in worker 0, 3");
}

}  // namespace
}  // namespace heddle::cli
