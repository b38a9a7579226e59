#include "base/log/rotating_file.hpp"

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle {

namespace {

using ::testing::HasSubstr;

class RotatingFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] static std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  [[nodiscard]] std::filesystem::path old(int age) const {
    return file_.string() + "." + std::to_string(age);
  }
  [[nodiscard]] std::size_t count_files() const {
    const std::filesystem::directory_iterator all(file_.parent_path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  // All lines of all files; each must be there once and whole.
  [[nodiscard]] std::multiset<std::string> lines(int keep) const {
    std::multiset<std::string> found;
    std::string all = content(file_);
    for (int age = 1; age <= keep; ++age) all += content(old(age));
    std::istringstream text(all);
    for (std::string line; std::getline(text, line);) found.insert(line);
    return found;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "jobs/shop/job.log";
};

using RotatingFileShould = RotatingFileTest;

TEST_F(RotatingFileShould, CreateItsFolderAndEndEveryLine) {
  RotatingFile log(file_, {});
  ASSERT_TRUE(log.append("one"));
  ASSERT_TRUE(log.append("two\n"));
  EXPECT_EQ(content(file_), "one\ntwo\n");
}

TEST_F(RotatingFileShould, AppendToAnExistingFile) {
  ASSERT_TRUE(RotatingFile(file_, {}).append("one"));
  ASSERT_TRUE(RotatingFile(file_, {}).append("two"));
  EXPECT_EQ(content(file_), "one\ntwo\n");
}

TEST_F(RotatingFileShould, RotateBeforeTheLimitAndKeepTheConfiguredNumber) {
  RotatingFile log(file_, {.max_bytes = 10, .keep = 2});
  for (const char* line : {"aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff", "gggg"})
    ASSERT_TRUE(log.append(line));
  EXPECT_EQ(content(file_), "gggg\n");
  EXPECT_EQ(content(old(1)), "eeee\nffff\n");
  EXPECT_EQ(content(old(2)), "cccc\ndddd\n");
  EXPECT_EQ(count_files(), 3u);
}

TEST_F(RotatingFileShould, WriteALineLargerThanTheLimitWhole) {
  RotatingFile log(file_, {.max_bytes = 10, .keep = 1});
  ASSERT_TRUE(log.append(std::string(100, 'x')));
  ASSERT_TRUE(log.append("y"));
  EXPECT_EQ(content(old(1)), std::string(100, 'x') + "\n");
  EXPECT_EQ(content(file_), "y\n");
}

TEST_F(RotatingFileShould, KeepNoOldFilesWhenConfiguredSo) {
  RotatingFile log(file_, {.max_bytes = 10, .keep = 0});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(log.append("aaaa"));
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(RotatingFileShould, RecreateARemovedFolder) {
  RotatingFile log(file_, {});
  ASSERT_TRUE(log.append("one"));
  std::filesystem::remove_all(file_.parent_path());
  ASSERT_TRUE(log.append("two"));
  EXPECT_EQ(content(file_), "two\n");
}

TEST_F(RotatingFileShould, ReportWhyItCannotWrite) {
  folder_.write("jobs", "a file where a folder should be");
  const auto done = RotatingFile(file_, {}).append("x");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::unavailable);
  EXPECT_THAT(done.error().message, HasSubstr("job.log"));
}

TEST_F(RotatingFileShould, LeaveNoPartialLineOnAFullDisk) {
  ASSERT_TRUE(RotatingFile(file_, {}).append("first"));
  const pid_t child = fork();  // the limit is one of the whole process
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    _exit(RotatingFile(file_, {}).append(std::string(5000, 'x')) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content(file_), "first\n");
}

TEST_F(RotatingFileShould, KeepEveryLineOfConcurrentWritersWhole) {
  constexpr int kThreads = 4;
  constexpr int kLines = 500;
  const Rotation rotation{.max_bytes = 20'000, .keep = 50};
  std::multiset<std::string> expected;
  for (int t = 0; t < kThreads; ++t)
    for (int i = 0; i < kLines; ++i)
      expected.insert(std::to_string(t) + std::string(static_cast<std::size_t>(i % 90), 'x') +
                      std::to_string(i));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        RotatingFile log(file_, rotation);  // as another process would
        for (int i = 0; i < kLines; ++i)
          ASSERT_TRUE(log.append(std::to_string(t) +
                                 std::string(static_cast<std::size_t>(i % 90), 'x') +
                                 std::to_string(i)));
      });
  }
  EXPECT_EQ(lines(rotation.keep), expected);
  EXPECT_TRUE(std::filesystem::exists(old(3)));
}

}  // namespace

}  // namespace heddle
