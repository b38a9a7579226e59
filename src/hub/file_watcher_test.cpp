#include "hub/file_watcher.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/rethrow_bug.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class FileWatcherTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("jobs/a/config.toml", "name = \"a\"");
    fs::create_directories(folder_.path() / "data");
    auto opened = FileWatcher::open(loop_.get_executor(), folder_.path(),
                                    {.excluded = {folder_.path() / "data"}, .quiet = 20ms});
    ASSERT_TRUE(opened) << opened.error().message;
    watcher_ = std::move(*opened);
    boost::asio::co_spawn(loop_, listen(), rethrow_bug);
    loop_.poll();
  }

  void TearDown() override {
    watcher_->close();
    loop_.restart();
    loop_.run();
  }

  Async<void> listen() {
    while (true) {
      const bool is_open = co_await watcher_->changed();
      if (!is_open) co_return;
      ++changes_;
    }
  }

  bool sees(int changes) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (changes_ < changes && std::chrono::steady_clock::now() < deadline) {
      loop_.restart();
      loop_.run_one_for(10ms);
    }
    return changes_ == changes;
  }

  heddle::testing::TemporaryFolder folder_;
  boost::asio::io_context loop_{1};
  std::unique_ptr<FileWatcher> watcher_;
  int changes_ = 0;
};

TEST_F(FileWatcherTest, SeesAWrittenFile) {
  folder_.write("jobs/a/config.toml", "name = \"b\"");
  EXPECT_TRUE(sees(1));
}

TEST_F(FileWatcherTest, SeesAReplacedFile) {
  folder_.write("jobs/a/new", "name = \"b\"");
  fs::rename(folder_.path() / "jobs/a/new", folder_.path() / "jobs/a/config.toml");
  EXPECT_TRUE(sees(1));
}

TEST_F(FileWatcherTest, SeesChangesInANewFolder) {
  fs::create_directories(folder_.path() / "jobs/b/deep");
  ASSERT_TRUE(sees(1));
  folder_.write("jobs/b/deep/config.toml", "name = \"b\"");
  EXPECT_TRUE(sees(2));
}

TEST_F(FileWatcherTest, SeesARemovedFolder) {
  fs::remove_all(folder_.path() / "jobs/a");
  EXPECT_TRUE(sees(1));
}

TEST_F(FileWatcherTest, ReportsABurstAsOneChange) {
  for (int i = 0; i < 200; ++i)
    folder_.write("jobs/many" + std::to_string(i) + "/config.toml", "name = \"x\"");
  ASSERT_TRUE(sees(1));
  loop_.restart();
  loop_.run_for(100ms);
  EXPECT_EQ(changes_, 1);
}

// CPU time of this thread, so that the load of the machine does not count.
std::chrono::nanoseconds own_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

TEST_F(FileWatcherTest, DoesNotBlockTheLoopInALargeTree) {
  constexpr int kFolders = 5000;
  for (int i = 0; i < kFolders; ++i)
    fs::create_directories(folder_.path() / "jobs" / std::to_string(i));
  ASSERT_TRUE(sees(1));
  fs::create_directories(folder_.path() / "jobs/one-more");  // which walks the whole tree again
  std::chrono::nanoseconds longest{0};
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (changes_ < 2 && std::chrono::steady_clock::now() < deadline) {
    const auto before = own_time();
    loop_.restart();
    loop_.run_one_for(10ms);
    longest = std::max(longest, own_time() - before);
  }
  ASSERT_EQ(changes_, 2);
  EXPECT_LT(longest, 5ms);
  folder_.write("jobs/one-more/config.toml", "name = \"b\"");
  EXPECT_TRUE(sees(3));
}

TEST_F(FileWatcherTest, IgnoresTheDataFolderAndHiddenFolders) {
  folder_.write("data/heddle.db", "x");
  fs::create_directories(folder_.path() / ".git");
  ASSERT_TRUE(sees(1));  // the folder itself appeared
  folder_.write(".git/index", "x");
  folder_.write("data/heddle.db", "y");
  loop_.restart();
  loop_.run_for(100ms);
  EXPECT_EQ(changes_, 1);
}

}  // namespace
}  // namespace heddle::hub
