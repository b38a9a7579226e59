#include <gtest/gtest.h>

#include "app/daemon/daemon_service.hpp"

namespace heddle::app {
namespace {

TEST(SpyWebThreads, AreBetweenOneAndSixtyFour) {
  EXPECT_EQ(spyweb_threads("3"), 3);
  EXPECT_EQ(spyweb_threads("0"), 1);
  EXPECT_EQ(spyweb_threads("1000"), 64);
}

TEST(SpyWebThreads, AreIgnoredWhenTheyAreNoNumber) {
  EXPECT_EQ(spyweb_threads(std::nullopt), std::nullopt);
  for (const char* text : {"", "many", "4x", "-2", " 4"})
    EXPECT_EQ(spyweb_threads(text), std::nullopt) << text;
}

TEST(WorkerCount, PrefersTheOptionThenTheKeyThenSpyWebThreads) {
  Project project;
  setenv("SPYWEB_THREADS", "7", 1);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_EQ(worker_count(project, {}), 7);
  project.daemon.processes = 3;
  EXPECT_EQ(worker_count(project, {}), 3);
  EXPECT_EQ(worker_count(project, {.processes = 2}), 2);
  unsetenv("SPYWEB_THREADS");  // NOLINT(concurrency-mt-unsafe): one thread
}

}  // namespace
}  // namespace heddle::app
