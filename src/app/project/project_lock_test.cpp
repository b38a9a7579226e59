#include "app/project/project_lock.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::app {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class ProjectLockTest : public ::testing::Test {
 protected:
  // Holds the lock without writing its pid.
  [[nodiscard]] int lock_without_name() const {
    const int descriptor = open((folder_.path() / "heddle.lock").c_str(), O_RDWR | O_CREAT, 0644);
    EXPECT_EQ(flock(descriptor, LOCK_EX), 0);
    return descriptor;
  }

  void write_lock_file(const std::string& text) const {
    std::ofstream(folder_.path() / "heddle.lock") << text;
  }

  heddle::testing::TemporaryFolder folder_;
};

TEST_F(ProjectLockTest, NamesALastingHolder) {
  auto held = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::lasting);
  ASSERT_TRUE(held);
  const auto start = std::chrono::steady_clock::now();
  auto refused = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::brief);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("kill " + std::to_string(getpid())));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 4s) << "no use in waiting";
}

TEST_F(ProjectLockTest, NamesItsHolderToEveryRefusedProcess) {
  auto held = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::lasting);
  ASSERT_TRUE(held);
  const std::string name = "pid " + std::to_string(getpid());
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) {
    auto refused = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::lasting);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr(name));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 4s) << "no use in waiting";
}

// The kernel reports such a lock to other processes only.
TEST_F(ProjectLockTest, NamesAHolderThatWaitsForSpaceWithoutWritingItsPid) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto lock = ProjectLock::try_acquire(folder_.path());
    if (!lock || truncate((folder_.path() / "heddle.lock").c_str(), 0) != 0) _exit(1);
    lock->set_waits_for_space(true);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(ProjectLock::holder_waiting_for_space(folder_.path()), child);
  const auto start = std::chrono::steady_clock::now();
  auto refused = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::lasting);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message,
              HasSubstr("heddle (pid " + std::to_string(child) + ") waits for space"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 4s) << "no use in waiting";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(ProjectLock::holder_waiting_for_space(folder_.path()), std::nullopt);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(ProjectLockTest, NamesNoPidBeforeTheHolderHasWrittenIt) {
  const int descriptor = lock_without_name();
  auto refused = ProjectLock::try_acquire(folder_.path());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, Not(HasSubstr("pid")));
  EXPECT_THAT(refused.error().message, Not(HasSubstr("kill")));
  close(descriptor);
}

TEST_F(ProjectLockTest, NeverAdvisesToKillPidOne) {
  write_lock_file("1\n");
  const int descriptor = lock_without_name();
  auto refused = ProjectLock::try_acquire(folder_.path());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("(pid 1)"));
  EXPECT_THAT(refused.error().message, Not(HasSubstr("kill")));
  close(descriptor);
}

TEST_F(ProjectLockTest, ReturnsThePidOfALastingHolder) {
  EXPECT_EQ(ProjectLock::lasting_holder(folder_.path()), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "heddle.lock"));
  {
    auto held = ProjectLock::try_acquire(folder_.path());
    ASSERT_TRUE(held);
    EXPECT_EQ(ProjectLock::lasting_holder(folder_.path()), getpid());
  }
  EXPECT_EQ(ProjectLock::lasting_holder(folder_.path()), std::nullopt);
  auto brief = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::brief);
  ASSERT_TRUE(brief);
  EXPECT_EQ(ProjectLock::lasting_holder(folder_.path()), std::nullopt);
}

TEST_F(ProjectLockTest, IgnoresAReusedPidOfADeadHolder) {
  write_lock_file(std::to_string(getpid()) + "\n");
  EXPECT_EQ(ProjectLock::lasting_holder(folder_.path()), std::nullopt);
}

TEST_F(ProjectLockTest, DetectsThatItsFolderWasMoved) {
  auto held = ProjectLock::try_acquire(folder_.path());
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->is_found_in(folder_.path()));
  std::filesystem::remove(folder_.path() / "heddle.lock");
  EXPECT_TRUE(held->is_found_in(folder_.path()));
  const auto elsewhere = folder_.path().string() + "-moved";
  std::filesystem::rename(folder_.path(), elsewhere);
  EXPECT_FALSE(held->is_found_in(folder_.path()));
  std::filesystem::create_directory(folder_.path());
  EXPECT_FALSE(held->is_found_in(folder_.path()));
  std::filesystem::remove_all(elsewhere);
}

TEST_F(ProjectLockTest, StaysHeldWhenItsFileIsRemoved) {
  auto held = ProjectLock::try_acquire(folder_.path());
  ASSERT_TRUE(held);
  std::filesystem::remove(folder_.path() / "heddle.lock");
  auto refused = ProjectLock::try_acquire(folder_.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  held->rewrite_holder(folder_.path());
  const auto named = ProjectLock::try_acquire(folder_.path());
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message, HasSubstr("pid " + std::to_string(getpid())));
  EXPECT_EQ(ProjectLock::lasting_holder(folder_.path()), getpid());
  { const ProjectLock gone = std::move(*held); }
  EXPECT_TRUE(ProjectLock::try_acquire(folder_.path()));
}

TEST_F(ProjectLockTest, DoesNotReportThePidOfADeadHolder) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  write_lock_file(std::to_string(child) + "\n");
  const int descriptor = lock_without_name();
  auto refused = ProjectLock::try_acquire(folder_.path());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, Not(HasSubstr(std::to_string(child))));
  close(descriptor);
}

TEST_F(ProjectLockTest, ClearsThePidOnRelease) {
  ASSERT_TRUE(ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::lasting));
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "heddle.lock"), 0U);
}

TEST_F(ProjectLockTest, WaitsForABriefHolder) {
  auto held = ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::brief);
  ASSERT_TRUE(held);
  std::thread holder([lock = std::move(*held)]() mutable {
    std::this_thread::sleep_for(200ms);
    const ProjectLock gone = std::move(lock);
  });
  EXPECT_TRUE(ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::brief));
  holder.join();
}

TEST_F(ProjectLockTest, WaitsForAHolderWithoutAPid) {
  const int descriptor = lock_without_name();
  std::thread holder([descriptor] {
    std::this_thread::sleep_for(200ms);
    close(descriptor);
  });
  EXPECT_TRUE(ProjectLock::acquire_soon(folder_.path(), ProjectLock::Hold::lasting));
  holder.join();
}

}  // namespace
}  // namespace heddle::app
