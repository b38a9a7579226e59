#include "process/tagged_processes.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "process/spawn.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::process {
namespace {

// Starts a sleeper with a variable that is unique to this test process.
Spawned start_with(const std::string& before, const std::string& after) {
  SpawnSpec spec;
  spec.argv = {"/bin/sleep", "1000"};
  spec.environment = {"A=1", before + "HEDDLE_TEST=" + std::to_string(getpid()) + after, "Z=1"};
  return *spawn(spec);
}

std::string variable() {
  return "HEDDLE_TEST=" + std::to_string(getpid());
}

TEST(TaggedProcesses, AreKilled) {
  Spawned first = start_with("", "");
  Spawned second = start_with("", "");

  EXPECT_TRUE(kill_tagged_processes(variable()));

  EXPECT_EQ(testing::run_async(first.wait()).signal, SIGKILL);
  EXPECT_EQ(testing::run_async(second.wait()).signal, SIGKILL);
}

TEST(TaggedProcesses, MatchTheWholeVariable) {
  const Spawned longer_value = start_with("", "0");
  const Spawned longer_name = start_with("X", "");
  const Spawned inside_a_value = start_with("X= ", "");

  EXPECT_TRUE(kill_tagged_processes(variable()));

  EXPECT_TRUE(testing::is_alive(longer_value.pid()));
  EXPECT_TRUE(testing::is_alive(longer_name.pid()));
  EXPECT_TRUE(testing::is_alive(inside_a_value.pid()));
}

}  // namespace
}  // namespace heddle::process
