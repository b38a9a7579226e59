// A full or read-only disk under a running daemon: no data is lost, users are notified, and runs
// resume when there is space again. Needs permission to mount a tmpfs.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "tests/daemon/daemon_fixture.hpp"
#include "tests/support/small_disk.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class DiskFailure : public DaemonFixture {
 protected:
  void SetUp() override {
    DaemonFixture::SetUp();
    if (!disk_.is_mounted()) GTEST_SKIP() << "no right to mount a small disk here";
  }

  void expect_all_pages_once(int pages) {
    EXPECT_EQ(count("SELECT count(*) FROM items"), pages);
    EXPECT_EQ(pages_done(), pages);
  }

  // No transaction can be committed: the disk is full, a reader prevents the WAL from being reset,
  // and the space that an earlier, longer WAL has left behind its end is used up.
  class FullDiskScope {
   public:
    explicit FullDiskScope(DiskFailure& test) {
      auto writer = store::Connection::open(test.project_.database(), {});
      auto reader = store::Connection::open(test.project_.database(), {.read_only = true});
      EXPECT_TRUE(writer && (*writer)->execute("CREATE TABLE IF NOT EXISTS ballast (n)"));
      if (reader) reader_ = std::move(*reader);
      EXPECT_TRUE(reader_ && reader_->execute("BEGIN; SELECT count(*) FROM jobs"));
      filler_ = test.disk_.keep_full();
      while (writer && (*writer)->execute("INSERT INTO ballast VALUES (1)")) {
      }
    }

   private:
    std::unique_ptr<store::Connection> reader_;
    std::jthread filler_;
  };

  // How often the daemon has written that something waits for the disk.
  static std::size_t waits(const RunningDaemon& daemon) {
    constexpr std::string_view kLine = "waits until the database can be written again";
    const std::string log = daemon.log();
    std::size_t found = 0;
    for (auto at = log.find(kLine); at != std::string::npos; at = log.find(kLine, at + 1)) ++found;
    return found;
  }

  // Of a daemon that may wait before it replies to commands.
  std::string start_log() {
    std::ifstream in(project_.path() / "up.log");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  SmallDisk disk_{project_.database().parent_path(), "64m"};
};

TEST_F(DiskFailure, OfAFullDiskEndsWhenThereIsSpaceAgain) {
  constexpr int kPages = 300;
  pause_ = 2ms;
  write_job(kPages, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: ");
  ASSERT_TRUE(eventually([&] { return pages_done() >= 20; })) << daemon.log();
  disk_.fill();
  ASSERT_TRUE(daemon.logs("full")) << daemon.log();
  disk_.free_space();
  ASSERT_TRUE(eventually([&] { return pages_done() == kPages; })) << daemon.log();
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
  expect_all_pages_once(kPages);
  EXPECT_EQ(project_.heddle({"doctor"}).exit_code, 0);
}

TEST_F(DiskFailure, OfAFullDiskAllowsPausingAndStopping) {
  constexpr int kPages = 300;
  pause_ = 5ms;
  write_job(kPages, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: ");
  ASSERT_TRUE(eventually([&] { return pages_done() >= 5; })) << daemon.log();
  auto full = std::make_unique<FullDiskScope>(*this);
  ASSERT_TRUE(eventually([&] { return waits(daemon) > 0; })) << daemon.log();
  const auto paused = expect({"pause", "pages"}, 0, "pages: paused; in effect now");
  EXPECT_THAT(paused.out, HasSubstr("will be stored when the disk has space again"));
  EXPECT_THAT(paused.out, HasSubstr("the change is lost"));
  expect({"resume", "pages"}, 1, "is in effect but not stored yet");
  full.reset();
  disk_.free_space();
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM job_lives WHERE state = 'paused'") == 1 &&
           count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1;
  })) << daemon.log();
  ASSERT_LT(pages_done(), kPages) << "too late to pause";
  expect({"resume", "pages"}, 0, "pages: running");
  ASSERT_TRUE(eventually([&] { return pages_done() >= 20; })) << daemon.log();

  const auto waits_before = waits(daemon);
  full = std::make_unique<FullDiskScope>(*this);
  ASSERT_TRUE(eventually([&] { return waits(daemon) > waits_before; })) << daemon.log();
  expect({"stop", "pages"}, 0, "will be stored");
  full.reset();
  disk_.free_space();
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM job_lives WHERE state = 'stopped'") == 1;
  })) << daemon.log();
  EXPECT_EQ(unfinished_runs(), 0);
  EXPECT_LT(pages_done(), kPages);
}

TEST_F(DiskFailure, OfAFullDiskPreventsReloads) {
  const auto write_settings = [this](const std::string& storage) {
    project_.write("heddle.toml",
                   "[network]\nallow = [\"127.0.0.1\"]\n[limits]\nstorage = \"" + storage + "\"\n");
  };
  const auto limit = [this] {
    return project_.heddle_json({"status"})
        .at("storage")
        .at("limit_bytes")
        .to_number<std::int64_t>();
  };
  write_settings("500MB");
  write_job(3, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return limit() == 500'000'000; })) << daemon.log();
  std::optional<std::jthread> full(disk_.keep_full());
  ASSERT_TRUE(eventually([&] {
    return project_.heddle({"reload"}).err.find("were not applied") != std::string::npos;
  })) << daemon.log();
  write_settings("400MB");
  ASSERT_TRUE(daemon.logs("were not applied")) << daemon.log();
  EXPECT_EQ(limit(), 500'000'000);
  full.reset();
  disk_.free_space();
  ASSERT_TRUE(eventually([&] { return project_.heddle({"reload"}).exit_code == 0; }))
      << daemon.log();
  EXPECT_TRUE(eventually([&] { return limit() == 400'000'000; })) << daemon.log();
}

TEST_F(DiskFailure, OfAFullDiskIsReportedAtTheStart) {
  write_job(3);
  disk_.fill();
  const auto result = project_.heddle({"run", "pages"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("full"));
}

TEST_F(DiskFailure, OfAFullDiskDelaysTheStartOfADaemon) {
  write_job(3, "schedule = \"manual\"\n");
  for (const bool is_new : {true, false}) {
    std::filesystem::remove(project_.path() / "up.log");
    disk_.fill();
    std::optional<std::jthread> full(disk_.keep_full());
    RunningHeddle daemon(project_.path(), {"up", "--processes", "1"}, {},
                         project_.path() / "up.log");
    const auto log = [this] { return start_log(); };
    ASSERT_TRUE(eventually([&] {
      return log().find("the start waits for space") != std::string::npos;
    })) << is_new
        << log();
    full.reset();
    disk_.free_space();
    ASSERT_TRUE(eventually([&] { return log().find("started: 1 worker") != std::string::npos; }))
        << log();
    EXPECT_THAT(log(), HasSubstr("on the disk again: starting"));
    expect({"run", "pages"}, 0, "");
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0);
    // So that the next start must change a job.
    write_job(4, "interval = \"365d\"\n");
  }
}

TEST_F(DiskFailure, OfAFullDiskLetsAWaitingStartBeEnded) {
  write_job(3, "schedule = \"manual\"\n");
  disk_.fill();
  const auto full = disk_.keep_full();
  RunningHeddle daemon(project_.path(), {"up"}, {}, project_.path() / "up.log");
  ASSERT_TRUE(eventually(
      [&] { return start_log().find("the start waits for space") != std::string::npos; }));
  const auto waits = [&](const ProgramResult& result) {
    const std::string pid = std::to_string(daemon.pid());
    EXPECT_THAT(result.err, HasSubstr("heddle (pid " + pid + ") waits for space on the disk"));
    EXPECT_THAT(result.err, HasSubstr("`kill " + pid + "` ends it"));
    return result.exit_code;
  };
  ASSERT_TRUE(eventually([&] {
    return project_.heddle({"status"}).err.find("waits for space on the disk") != std::string::npos;
  }));
  const std::vector<std::vector<std::string>> commands{
      {"status"}, {"down"}, {"up"}, {"run", "pages"}, {"pause", "pages"}};
  for (const std::vector<std::string>& command : commands)
    EXPECT_EQ(waits(project_.heddle(command)), 1) << command.front();
  daemon.signal(SIGTERM);
  daemon.wait();
}

TEST_F(DiskFailure, IsPredictedByTheDoctorWhenSpaceIsLow) {
  const ProgramResult result = expect({"doctor"}, 0, "MB free on the disk");
  EXPECT_THAT(result.out, HasSubstr("warning: only "));
  const auto report = project_.heddle_json({"doctor"});
  EXPECT_EQ(report.at("findings").as_array().back().at("level"), "warning");
}

TEST_F(DiskFailure, IsNotPredictedWhenThereIsSpace) {
  const SmallDisk large(project_.database().parent_path(), "900m");
  ASSERT_TRUE(large.is_mounted());
  EXPECT_THAT(project_.heddle({"doctor"}).out, ::testing::Not(HasSubstr("free on the disk")));
}

TEST_F(DiskFailure, OfAReadOnlyDiskIsReported) {
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
