#include "cli/run_tables.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(UsageText, NamesCpuTimeAndWorkers) {
  heddle::Run run;
  EXPECT_EQ(usage_text(run), "");
  run.cpu = std::chrono::milliseconds(20);
  EXPECT_EQ(usage_text(run), "20 ms of CPU time");
  run.peak_memory_bytes = 52'000'000;
  EXPECT_EQ(usage_text(run), "20 ms of CPU time, 52.0 MB");
  run.slots = {0, 3};
  EXPECT_EQ(usage_text(run), "20 ms of CPU time, 52.0 MB in worker 0, 3");
}

}  // namespace
}  // namespace heddle::cli
