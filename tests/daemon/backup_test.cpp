// Backup and restore, with a real daemon and without one.
#include <csignal>
#include <fstream>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Backups : public DaemonFixture {
 protected:
  static std::int64_t count_in(const fs::path& file, const std::string& sql) {
    auto db = store::Connection::open(file, {.read_only = true});
    if (!db) return -1;
    const auto number = (*db)->query_integer(sql);
    return number ? *number : -1;
  }
  std::vector<fs::path> files_with(const std::string& part) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(project_.path() / "data"))
      if (entry.path().filename().string().find(part) != std::string::npos)
        found.push_back(entry.path());
    return found;
  }

  TemporaryFolder elsewhere_;
  fs::path backup_ = elsewhere_.path() / "backup";
};

TEST_F(Backups, RestoreTheBackedUpData) {
  write_job(3);
  project_.write("jobs/pages/hooks.lua", "function on_success() store_set('k', 'v') end\n");
  expect({"backup", backup_.string()}, 1, "nothing was stored yet");
  EXPECT_FALSE(fs::exists(backup_));
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"backup", backup_.string()}, 0, "heddle.db");
  EXPECT_EQ(count_in(backup_ / "heddle.db", "SELECT count(*) FROM items"), 3);
  EXPECT_GT(count_in(backup_ / "scripts.db", "SELECT count(*) FROM sqlite_schema"), 0);

  write_job(5);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 5);
  expect({"restore", backup_.string()}, 0, "the former file is kept");
  EXPECT_EQ(count("SELECT count(*) FROM items"), 3);
  EXPECT_EQ(files_with("scripts.db.replaced-").size(), 1u);
  const auto kept = files_with("heddle.db.replaced-");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(count_in(kept.front(), "SELECT count(*) FROM items"), 5);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 5);
  EXPECT_EQ(count_in(backup_ / "heddle.db", "SELECT count(*) FROM items"), 3) << "stays as it is";
}

TEST_F(Backups, OverwriteOnlyBackupsAndOnlyWithForce) {
  write_job(2);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"backup", backup_.string()}, 0, "");
  expect({"backup", backup_.string()}, 1, "already exists; --force replaces it");
  write_job(4);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"backup", backup_.string() + "/", "--force"}, 0, "");
  EXPECT_EQ(count_in(backup_ / "heddle.db", "SELECT count(*) FROM items"), 4);
  EXPECT_FALSE(fs::exists(backup_.string() + ".part"));
  const auto precious = elsewhere_.write("mine/letter.txt", "dear");
  expect({"backup", precious.parent_path().string(), "--force"}, 1,
         "is not a backup, so --force does not replace it");
  EXPECT_TRUE(fs::exists(precious));
  const auto refused = project_.heddle({"backup", precious.parent_path().string()});
  EXPECT_THAT(refused.err, HasSubstr("exists already and is not a backup"));
  EXPECT_THAT(refused.err, ::testing::Not(HasSubstr("--force")));
}

TEST_F(Backups, SayWhyAFolderCannotBeMade) {
  write_job(1);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"backup", ""}, 1, "the name of the backup's folder is empty");
  const auto file = elsewhere_.write("file", "no folder");
  expect({"backup", (file / "backup").string()}, 1, "Not a directory");
}

TEST_F(Backups, LeaveOtherFoldersUntouched) {
  write_job(1);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  fs::create_directory(backup_.string() + ".part");
  std::ofstream(backup_.string() + ".part/thesis.txt") << "precious";
  expect({"backup", backup_.string()}, 1, "move it away");
  EXPECT_TRUE(fs::exists(backup_.string() + ".part/thesis.txt"));
  EXPECT_FALSE(fs::exists(backup_));
}

TEST_F(Backups, AreConsistentWhileTheDaemonWrites) {
  pause_ = 0ms;
  write_job(1500, "interval = \"365d\"\n");
  RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return pages_done() >= 20; })) << daemon.log();
  int taken = 0;
  for (; taken < 3 || (taken < 20 && unfinished_runs() > 0); ++taken) {
    const auto before = pages_done();
    const ProgramResult result = project_.heddle({"backup", backup_.string(), "--force"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto copied =
        count_in(backup_ / "heddle.db", "SELECT count(*) FROM tasks WHERE state = 3");
    EXPECT_GE(copied, before);
    EXPECT_LE(copied, pages_done());
    // A page and its item are committed together.
    EXPECT_EQ(count_in(backup_ / "heddle.db", "SELECT count(*) FROM items"), copied);
  }
  expect({"restore", backup_.string()}, 1,
         "another heddle process (pid " + std::to_string(daemon.pid()));
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM items"), 1500);
}

TEST_F(Backups, ThatAreDamagedOrForeignAreRejectedWithoutChanges) {
  write_job(3);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"backup", backup_.string()}, 0, "");
  expect({"restore", (elsewhere_.path() / "nowhere").string()}, 1, "is not a backup");
  {
    std::fstream file(backup_ / "heddle.db", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(2 * 4096);
    file << std::string(20 * 4096, '\x77');
  }
  expect({"restore", backup_.string()}, 1, "the backup cannot be used");
  fs::remove_all(backup_);
  expect({"backup", backup_.string()}, 0, "");
  {
    auto db = store::Connection::open(backup_ / "heddle.db", {});
    ASSERT_TRUE((*db)->execute("PRAGMA user_version=999"));
  }
  expect({"restore", backup_.string()}, 1, "written by a newer Heddle");
  EXPECT_EQ(count("SELECT count(*) FROM items"), 3);
  EXPECT_TRUE(files_with(".replaced-").empty());
  EXPECT_TRUE(files_with(".restoring").empty());
}

// A WAL left by the replaced database must not be replayed into the restored one.
TEST_F(Backups, AreRestoredOverADatabaseWhoseDaemonWasKilled) {
  write_job(3);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"backup", backup_.string()}, 0, "");
  write_job(400, "interval = \"365d\"\n");
  pause_ = 1ms;
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "pages"}, 0, "");
    ASSERT_TRUE(eventually([&] { return pages_done() >= 50; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  expect({"restore", backup_.string()}, 0, "restored: heddle.db");
  EXPECT_EQ(count("SELECT count(*) FROM items"), 3);
  EXPECT_EQ(count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

}  // namespace
}  // namespace heddle::testing
