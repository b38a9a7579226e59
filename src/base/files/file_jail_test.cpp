#include "base/files/file_jail.hpp"

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "base/files/open_beneath.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class FileJailTest : public ::testing::Test {
 protected:
  FileJailTest() {
    folder_.write("project/jobs/shop/config.toml", "name = 'Shop'");
    folder_.write("project/jobs/other/secret.txt", "of another job");
    folder_.write("outside/secret.txt", "outside");
    fs::create_directories(project_ / "shared");
  }

  [[nodiscard]] std::string read(std::string_view path) const {
    auto text = jail_.read_text(path);
    if (!text) return "error: " + text.error().message;
    return text->value_or("nothing");
  }
  void expect_refused(std::string_view path, std::string_view reason) const {
    const auto text = jail_.read_text(path);
    ASSERT_FALSE(text) << path;
    EXPECT_EQ(text.error().code, ErrorCode::bad_input);
    EXPECT_THAT(text.error().message, HasSubstr(reason));
    const auto appended = jail_.append(path, "x");
    ASSERT_FALSE(appended) << path;
    EXPECT_THAT(appended.error().message, HasSubstr(reason));
    const auto overwritten = jail_.overwrite(path, "x");
    ASSERT_FALSE(overwritten) << path;
    EXPECT_THAT(overwritten.error().message, HasSubstr(reason));
  }
  void link(const fs::path& target, const fs::path& name) const {
    fs::create_directories((job_ / name).parent_path());
    fs::create_symlink(target, job_ / name);
  }

  heddle::testing::TemporaryFolder folder_;
  fs::path project_ = folder_.path() / "project";
  fs::path job_ = project_ / "jobs/shop";
  fs::path outside_ = folder_.path() / "outside";
  FileJail jail_{{.project = project_, .job = job_, .shared = project_ / "shared"}};
};

TEST_F(FileJailTest, ReadsBackWhatWasWritten) {
  const std::string bytes("a\0\xff\n", 4);
  ASSERT_TRUE(jail_.overwrite("out.txt", bytes));
  EXPECT_EQ(read("out.txt"), bytes);
  EXPECT_EQ(content(job_ / "out.txt"), bytes);
}

TEST_F(FileJailTest, ReadsNulloptForAMissingFile) {
  EXPECT_EQ(read("missing.txt"), "nothing");
  EXPECT_EQ(read("no/such/folder/missing.txt"), "nothing");
  EXPECT_EQ(read("shared/missing.txt"), "nothing");
  EXPECT_EQ(read("config.toml/x.txt"), "nothing");
}

TEST_F(FileJailTest, KeepsSharedFilesApartFromTheJobs) {
  ASSERT_TRUE(jail_.overwrite("shared/a.txt", "shared"));
  ASSERT_TRUE(jail_.overwrite("a.txt", "own"));
  EXPECT_EQ(content(project_ / "shared/a.txt"), "shared");
  EXPECT_EQ(read("shared/a.txt"), "shared");
  EXPECT_EQ(read("a.txt"), "own");
}

TEST_F(FileJailTest, CreatesMissingFoldersOnWrite) {
  ASSERT_TRUE(jail_.append("a/b/c.csv", "1\n"));
  ASSERT_TRUE(jail_.overwrite("./d//e.json", "{}"));
  EXPECT_EQ(read("a/b/c.csv"), "1\n");
  EXPECT_EQ(read("d/e.json"), "{}");
}

TEST_F(FileJailTest, CreatesTheJobFolderAtTheFirstWrite) {
  const FileJail jail({.project = project_,
                       .job = folder_.path() / "data/jobs/new",
                       .shared = project_ / "shared"});
  EXPECT_FALSE(*jail.read_text("a.txt"));
  EXPECT_FALSE(fs::exists(folder_.path() / "data"));
  ASSERT_TRUE(jail.append("a.txt", "x"));
  EXPECT_EQ(**jail.read_text("a.txt"), "x");
}

TEST_F(FileJailTest, RefusesPathsThatAreNotBelowIt) {
  expect_refused("/etc/hosts.txt", "absolute");
  expect_refused("../other/secret.txt", "\"..\"");
  expect_refused("a/../../other/secret.txt", "\"..\"");
  expect_refused("shared/../jobs/other/secret.txt", "\"..\"");
  expect_refused("shared//../x.txt", "\"..\"");
  expect_refused("", "empty");
  expect_refused(std::string_view("a.txt\0/../../x.txt", 18), "NUL");
  expect_refused(std::string(5000, 'a') + ".txt", "longer than 1024");
  expect_refused(std::string(300, 'a') + ".txt", "too long");
  EXPECT_EQ(content(project_ / "jobs/other/secret.txt"), "of another job");
}

TEST_F(FileJailTest, RefusesKindsOfFilesThatAreNotListed) {
  for (const char* path : {"config.toml", "hooks.lua", "a.sh", "noextension", "a.txt.exe", "a.",
                           "folder.txt/", ".env", "a.log.6", "a.lua.1"})
    expect_refused(path, "only .csv .json .jsonl .txt .log .md .html");
  EXPECT_EQ(content(job_ / "config.toml"), "name = 'Shop'");
}

TEST_F(FileJailTest, ReadsImagesFontsAndDocumentsOnlyAsBytes) {
  for (const char* name : {"a.png", "b.JPG", "c.woff2", "d.pdf", "e.zip", "f.csv"}) {
    folder_.write(fs::path("project/jobs/shop") / name, "bytes");
    EXPECT_EQ(**jail_.read_binary(name), "bytes") << name;
  }
  EXPECT_FALSE(jail_.read_text("a.png"));
  EXPECT_FALSE(jail_.overwrite("a.png", "x"));
  EXPECT_FALSE(jail_.read_binary("config.toml"));
}

TEST_F(FileJailTest, FollowsLinksThatStayInside) {
  folder_.write("project/jobs/shop/real/a.txt", "inside");
  link("real", "linked");
  link("real/a.txt", "b.txt");
  link("../real/a.txt", "deep/c.txt");
  EXPECT_EQ(read("linked/a.txt"), "inside");
  EXPECT_EQ(read("b.txt"), "inside");
  EXPECT_EQ(read("deep/c.txt"), "inside");
  ASSERT_TRUE(jail_.overwrite("b.txt", "new"));
  EXPECT_EQ(read("real/a.txt"), "new");
  EXPECT_TRUE(fs::is_symlink(job_ / "b.txt"));
  ASSERT_TRUE(jail_.append("linked/a.txt", "er"));
  EXPECT_EQ(read("real/a.txt"), "newer");
}

TEST_F(FileJailTest, RefusesLinksThatLeadOutside) {
  link(outside_ / "secret.txt", "absolute.txt");
  link("../other/secret.txt", "relative.txt");
  link("../other", "folder");
  link("../../../outside", "far");
  link("/", "root");
  expect_refused("absolute.txt", "leads outside");
  expect_refused("relative.txt", "leads outside");
  expect_refused("folder/secret.txt", "leads outside");
  expect_refused("far/secret.txt", "leads outside");
  expect_refused("root/etc/secret.txt", "leads outside");
  EXPECT_EQ(content(outside_ / "secret.txt"), "outside");
}

TEST_F(FileJailTest, RefusesLinksOfTheProcFileSystemAndLoops) {
  link("/proc/self/cwd", "here");
  link("/proc/self/root/etc/hostname", "name.txt");
  link("loop.txt", "loop.txt");
  expect_refused("here/x.txt", "refused");
  expect_refused("name.txt", "refused");
  expect_refused("loop.txt", "cannot be followed");
}

TEST_F(FileJailTest, WritesNoScriptsOrSettingsThroughLinks) {
  link("config.toml", "a.txt");
  link("new.lua", "b.txt");
  for (const char* path : {"a.txt", "b.txt"}) {
    EXPECT_FALSE(jail_.overwrite(path, "evil"));
    EXPECT_FALSE(jail_.append(path, "evil"));
  }
  EXPECT_EQ(content(job_ / "config.toml"), "name = 'Shop'");
  EXPECT_FALSE(fs::exists(job_ / "new.lua"));
}

TEST_F(FileJailTest, TreatsAHardLinkAsARegularFile) {
  folder_.write("project/jobs/shop/a.txt", "one");
  fs::create_hard_link(job_ / "a.txt", job_ / "b.txt");
  EXPECT_EQ(read("b.txt"), "one");
}

TEST_F(FileJailTest, RefusesIrregularFilesWithoutBlocking) {
  ASSERT_EQ(mkfifo((job_ / "pipe.txt").c_str(), 0644), 0);
  fs::create_directories(job_ / "folder.txt");
  const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (job_ / "socket.txt").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(socket_file, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  expect_refused("pipe.txt", "not a regular file");
  expect_refused("folder.txt", "not a regular file");
  expect_refused("socket.txt", "not a regular file");
  const FileDescriptor reader(open((job_ / "pipe.txt").c_str(), O_RDONLY | O_NONBLOCK));
  expect_refused("pipe.txt", "not a regular file");  // a reader is there now
  close(socket_file);
}

TEST_F(FileJailTest, RefusesDevices) {
  if (mknod((job_ / "null.txt").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    GTEST_SKIP() << "only root makes devices";
  expect_refused("null.txt", "not a regular file");
}

TEST_F(FileJailTest, RefusesToReadMoreThanItsLimit) {
  folder_.write("project/jobs/shop/big.txt", "");
  fs::resize_file(job_ / "big.txt", FileJail::kMaxReadBytes + 1);
  const auto text = jail_.read_text("big.txt");
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("larger than 64 MB"));
  fs::resize_file(job_ / "big.txt", FileJail::kMaxReadBytes);
  EXPECT_EQ((*jail_.read_text("big.txt"))->size(), FileJail::kMaxReadBytes);
}

TEST_F(FileJailTest, OverwritesAtomicallyAndLeavesNoTemporaryFile) {
  ASSERT_TRUE(jail_.overwrite("a.txt", std::string(100'000, 'a')));
  std::atomic<bool> is_done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 300; ++i)
      ASSERT_TRUE(jail_.overwrite("a.txt", std::string(100'000, i % 2 == 0 ? 'b' : 'a')));
    is_done = true;
  });
  while (!is_done) {
    const std::string seen = read("a.txt");
    ASSERT_EQ(seen.size(), 100'000u);
    ASSERT_EQ(seen.find_first_not_of(seen[0]), std::string::npos);
  }
  writer.join();
  EXPECT_EQ(std::distance(fs::directory_iterator(job_), fs::directory_iterator()), 2);
}

TEST_F(FileJailTest, KeepsTheModeOfAnOverwrittenFile) {
  ASSERT_TRUE(jail_.overwrite("a.txt", "one"));
  fs::permissions(job_ / "a.txt", fs::perms(0600));
  ASSERT_TRUE(jail_.overwrite("a.txt", "two"));
  EXPECT_EQ(fs::status(job_ / "a.txt").permissions(), fs::perms(0600));
}

TEST_F(FileJailTest, RotatesAppendedFilesAndReadsOldOnes) {
  const std::string piece(4u << 20, 'x');
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(jail_.append("a.log", piece + std::to_string(i)));
  EXPECT_TRUE(read("a.log").ends_with("15"));
  EXPECT_TRUE(read("a.log.1").ends_with("13"));
  EXPECT_TRUE(read("a.log.5").ends_with("5"));
  EXPECT_FALSE(fs::exists(job_ / "a.log.6"));
  EXPECT_LE(fs::file_size(job_ / "a.log"), 10u << 20);
}

TEST_F(FileJailTest, FindsModulesInTheJobsFolderThenInTheProject) {
  folder_.write("project/lib/util.lua", "return 'project'");
  folder_.write("project/lib/more/init.lua", "return 'more'");
  EXPECT_EQ(jail_.read_module("lib.util")->text, "return 'project'");
  EXPECT_EQ(jail_.read_module("lib.util")->name, "lib/util.lua");
  EXPECT_EQ(jail_.read_module("lib.more")->name, "lib/more/init.lua");
  folder_.write("project/jobs/shop/lib/util.lua", "return 'job'");
  EXPECT_EQ(jail_.read_module("lib.util")->text, "return 'job'");
  EXPECT_EQ(jail_.read_module("lib.util")->name, "jobs/shop/lib/util.lua");
}

TEST_F(FileJailTest, ListsThePathsSearchedForAModule) {
  const auto found = jail_.read_module("a.b");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
  EXPECT_THAT(found.error().message,
              AllOf(HasSubstr("\"a.b\""), HasSubstr("jobs/shop/a/b.lua"),
                    HasSubstr("jobs/shop/a/b/init.lua"), HasSubstr("project/a/b.lua"),
                    HasSubstr("project/a/b/init.lua")));
}

TEST_F(FileJailTest, LoadsNoModuleFromOutside) {
  folder_.write("outside/evil.lua", "return 1");
  link("../../../outside", "out");
  const std::string with_nul("a\0b", 3);
  for (const std::string& name :
       {std::string(""), std::string("."), std::string(".."), std::string("...outside.evil"),
        std::string("/etc/x"), std::string("a..b"), std::string("a/../b"), std::string("out.evil"),
        std::string("a."), with_nul, std::string(2000, 'a')}) {
    const auto found = jail_.read_module(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, ErrorCode::bad_input) << name;
  }
}

// Swaps a folder of the job with a link to the outside as fast as it can.
class Swapper {
 public:
  Swapper(fs::path job, fs::path outside)
      : job_(std::move(job)), thread_([this, outside](const std::stop_token& stop) {
          fs::create_directory_symlink(outside, job_ / "b");
          while (!stop.stop_requested()) {
            if (renameat2(AT_FDCWD, (job_ / "a").c_str(), AT_FDCWD, (job_ / "b").c_str(),
                          RENAME_EXCHANGE) == 0)
              ++swaps_;
          }
        }) {}
  [[nodiscard]] int swaps() const { return swaps_; }

 private:
  fs::path job_;
  std::atomic<int> swaps_ = 0;
  std::jthread thread_;
};

TEST_F(FileJailTest, IsNotEscapedByAConcurrentSwapOfFolders) {
  folder_.write("project/jobs/shop/a/secret.txt", "inside");
  int inside = 0;
  int refused = 0;
  {
    const Swapper swapper(job_, outside_);
    for (int i = 0; i < 20'000 || swapper.swaps() < 2000; ++i) {
      const std::string seen = read("a/secret.txt");
      ASSERT_NE(seen, "outside");
      ++(seen.starts_with("inside") ? inside : refused);
      if (i % 8 == 0) (void)jail_.append("a/new.txt", "x");
      if (i % 8 == 1) (void)jail_.overwrite("a/over.txt", "x");
      if (i % 8 == 2) (void)jail_.overwrite("a/made/deep/x.txt", "x");
    }
  }
  EXPECT_GT(inside, 0);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(content(outside_ / "secret.txt"), "outside");
  EXPECT_EQ(std::distance(fs::directory_iterator(outside_), fs::directory_iterator()), 1);
}

class OpenBeneathStepwise : public FileJailTest {
 protected:
  [[nodiscard]] int error_of(const std::string& path) const {
    const FileDescriptor root(open(job_.c_str(), O_PATH | O_DIRECTORY));
    return open_beneath_stepwise(root.get(), path, O_RDONLY).error;
  }
};

TEST_F(OpenBeneathStepwise, OpensFilesBelow) {
  folder_.write("project/jobs/shop/a/b.txt", "x");
  EXPECT_EQ(error_of("a/b.txt"), 0);
  EXPECT_EQ(error_of("./a//b.txt"), 0);
  EXPECT_EQ(error_of("a/c.txt"), ENOENT);
  EXPECT_EQ(error_of("."), 0);
}

TEST_F(OpenBeneathStepwise, RefusesPathsThatLeadOutside) {
  link("../other", "folder");
  link("../other/secret.txt", "file.txt");
  EXPECT_EQ(error_of("/etc/hostname"), EXDEV);
  EXPECT_EQ(error_of("../other/secret.txt"), EXDEV);
  EXPECT_EQ(error_of("a/../../other/secret.txt"), EXDEV);
  EXPECT_EQ(error_of("folder/secret.txt"), ELOOP);
  EXPECT_EQ(error_of("file.txt"), ELOOP);
}

TEST_F(OpenBeneathStepwise, IsNotEscapedByAConcurrentSwapOfFolders) {
  folder_.write("project/jobs/shop/a/secret.txt", "inside");
  const FileDescriptor root(open(job_.c_str(), O_PATH | O_DIRECTORY));
  const Swapper swapper(job_, outside_);
  for (int i = 0; i < 20'000 || swapper.swaps() < 2000; ++i) {
    const Opened opened = open_beneath_stepwise(root.get(), "a/secret.txt", O_RDONLY);
    if (!opened.file) continue;
    char first = 0;
    ASSERT_EQ(pread(opened.file.get(), &first, 1, 0), 1);
    ASSERT_EQ(first, 'i');
  }
}

TEST_F(FileJailTest, NormalisesPathsOfSharedFiles) {
  for (const char* path :
       {"shared/x.txt", "shared//x.txt", "./shared/x.txt", ".//./shared/./x.txt"}) {
    ASSERT_TRUE(jail_.overwrite(path, path)) << path;
    EXPECT_EQ(content(project_ / "shared/x.txt"), path);
    EXPECT_EQ(**jail_.read_text(path), path);
    ASSERT_TRUE(jail_.append(path, "+")) << path;
  }
  EXPECT_FALSE(fs::exists(project_ / "jobs/shop/shared"));
}

}  // namespace

}  // namespace heddle
