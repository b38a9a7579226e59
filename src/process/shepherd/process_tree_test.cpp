#include "process/shepherd/process_tree.hpp"

#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <signal.h>

#include "process/spawn.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process::shepherd {
namespace {

constexpr const char* kAfterName =
    " S 17 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654321 1000 100 1844674407370955\n";

TEST(ProcessTree, ParsesNamesThatLookLikeFields) {
  for (const std::string name : {"sh", "a b", ") Z 1 2", "(((", "))) R 9"}) {
    const std::string text = "42 (" + name + ")" + kAfterName;
    ProcessStat record;
    const bool is_process = parse_process(text.c_str(), text.size(), record);
    EXPECT_EQ(std::tuple(is_process, record.pid, record.parent, record.start_ticks),
              std::tuple(true, 42, 17, 987654321U))
        << name;
  }
}

TEST(ProcessTree, RejectsTruncatedText) {
  const std::string text = std::string("42 (sh)") + kAfterName;
  const auto needed = text.find(" 987654321") + 1;
  for (std::size_t size = 0; size <= needed; ++size) {
    const std::string cut = text.substr(0, size);
    ProcessStat record;
    EXPECT_FALSE(parse_process(cut.c_str(), cut.size(), record) && record.start_ticks != 0) << size;
  }
}

TEST(ProcessTree, ReadsThisProcess) {
  ProcessStat record;
  ASSERT_TRUE(read_process(getpid(), record));
  EXPECT_EQ(record.pid, getpid());
  EXPECT_EQ(record.parent, getppid());
  EXPECT_GT(record.start_ticks, 0U);
  EXPECT_FALSE(read_process(0x3fffffff, record));
}

TEST(ProcessTree, SignalsOnlyDescendantsOfAnyDepth) {
  const testing::TemporaryFolder folder;
  const auto deep = folder.path() / "deep";
  SpawnSpec spec;
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.argv = {"/bin/sh", "-c",
               "sh -c 'setsid sh -c \"echo \\$\\$ > " + deep.string() +
                   "; exec sleep 1000\" & wait' & wait"};
  const auto spawned = spawn(spec);
  ASSERT_TRUE(spawned);
  const pid_t deepest = testing::read_pid(deep);
  ASSERT_TRUE(testing::is_alive(deepest));

  const ProcessTree tree(getpid());
  EXPECT_GE(tree.size(), 3U);
  tree.send_signal(SIGSTOP);

  EXPECT_TRUE(testing::eventually([&] { return testing::state_of(deepest) == 'T'; }));
  EXPECT_TRUE(testing::eventually([&] { return testing::state_of(spawned->pid()) == 'T'; }));
  tree.send_signal(SIGKILL);
  EXPECT_TRUE(testing::exits_eventually(deepest));
}

TEST(ProcessTree, IsEmptyWithoutChildren) {
  const ProcessTree tree(getpid());
  EXPECT_EQ(tree.size(), 0U);
  EXPECT_EQ(tree.newest_start(), 0U);
}

}  // namespace
}  // namespace heddle::process::shepherd
