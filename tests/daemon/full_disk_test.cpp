// A disk that is full or cannot be written, under a running daemon: nothing is lost, people are
// told, and work goes on when there is room again. Needs the right to mount a small file system.
#include <fstream>

#include <sys/mount.h>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

// A small disk at a folder, gone with this object.
class SmallDisk {
 public:
  SmallDisk(fs::path place, const std::string& size) : place_(std::move(place)) {
    fs::create_directories(place_);
    is_there_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (is_there_) ::umount2(place_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool is_there() const { return is_there_; }
  void fill() const {
    std::ofstream filler(place_ / "filler", std::ios::binary);
    const std::string block(4096, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  void make_room() const { fs::remove(place_ / "filler"); }
  [[nodiscard]] bool make_read_only(bool is_read_only) const {
    unsigned long flags = MS_REMOUNT;
    if (is_read_only) flags |= MS_RDONLY;
    return ::mount("tmpfs", place_.c_str(), "tmpfs", flags, nullptr) == 0;
  }

 private:
  fs::path place_;
  bool is_there_ = false;
};

class DiskTrouble : public DaemonFixture {
 protected:
  void SetUp() override {
    DaemonFixture::SetUp();
    if (!disk_.is_there()) GTEST_SKIP() << "no right to mount a small disk here";
  }

  void expect_all_pages_once(int pages) {
    EXPECT_EQ(count("SELECT count(*) FROM items"), pages);
    EXPECT_EQ(pages_done(), pages);
  }

  SmallDisk disk_{project_.database().parent_path(), "64m"};
};

TEST_F(DiskTrouble, OfAFullDiskEndsWhenThereIsRoomAgain) {
  constexpr int kPages = 300;
  pause_ = 2ms;
  write_job(kPages, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: ");
  ASSERT_TRUE(holds_soon([&] { return pages_done() >= 20; })) << daemon.log();
  disk_.fill();
  ASSERT_TRUE(holds_soon([&] { return daemon.log().find("full") != std::string::npos; }))
      << daemon.log();
  disk_.make_room();
  ASSERT_TRUE(holds_soon([&] { return pages_done() == kPages; })) << daemon.log();
  ASSERT_TRUE(holds_soon([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
  expect_all_pages_once(kPages);
  EXPECT_EQ(project_.heddle({"doctor"}).exit_code, 0);
}

TEST_F(DiskTrouble, OfAFullDiskAtTheStartIsSaid) {
  write_job(3);
  disk_.fill();
  const auto result = project_.heddle({"run", "pages"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("full"));
}

TEST_F(DiskTrouble, OfAReadOnlyDiskIsSaid) {
  write_job(3);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  ASSERT_TRUE(disk_.make_read_only(true));
  const auto result = project_.heddle({"run", "pages"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, ::testing::AnyOf(HasSubstr("read-only"), HasSubstr("Read-only")));
  EXPECT_EQ(project_.heddle({"records", "pages"}).exit_code, 0) << "history can be read";
  ASSERT_TRUE(disk_.make_read_only(false));
  expect_all_pages_once(3);
}

}  // namespace
}  // namespace heddle::testing
