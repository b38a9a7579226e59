// Retention, storage limits and deletion of jobs with the real program.
#include <csignal>
#include <filesystem>
#include <vector>

#include <sys/stat.h>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Housekeeping : public DaemonFixture {
 protected:
  void SetUp() override {
    DaemonFixture::SetUp();
    pause_ = 0ms;
  }
  void write_settings(const std::string& more) {
    project_.write("heddle.toml",
                   "[network]\nallow = [\"127.0.0.1\"]\n"
                   "[defaults.notification]\nenabled = false\n" +
                       more);
  }
  void execute(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {});
    ASSERT_TRUE(db) << db.error().message;
    const auto done = (*db)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  std::int64_t items() { return count("SELECT count(*) FROM items"); }
  std::int64_t ended_runs() {
    return count("SELECT count(*) FROM runs WHERE ended_at IS NOT NULL");
  }
  std::string state() {
    return std::string(project_.heddle_json({"show", "pages"}).at("state").as_string());
  }
};

TEST_F(Housekeeping, RemovesOldHistoryInTheBackgroundAndKeepsTheItems) {
  write_settings("[retention]\nevents = \"1h\"\nruns = \"1h\"\ntraces = \"1h\"\n");
  write_job(3, "schedule = \"manual\"\n");
  expect({"run", "pages"}, 0, "");
  expect({"run", "pages"}, 0, "");
  execute(
      "UPDATE events SET at = at - 172800000; UPDATE runs SET started_at = started_at - 172800000,"
      " ended_at = ended_at - 172800000");
  const auto newest = count("SELECT max(id) FROM events");
  const RunningDaemon daemon(project_, 1);
  EXPECT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM events WHERE id <= " + std::to_string(newest)) == 0 &&
           count("SELECT count(*) FROM runs") == 1;  // kept so that its number is not reused
  })) << daemon.log();
  EXPECT_EQ(count("SELECT runs FROM run_days"), 1);
  EXPECT_EQ(items(), 3);
  expect({"run", "pages"}, 0, "0 new");
}

TEST_F(Housekeeping, DeletesAJobAndStoresItsItemsAgainWhenItReturns) {
  write_job(3, "interval = \"365d\"\n");
  const RunningDaemon daemon(project_, 1);  // the same worker has seen the items before
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  const auto deleted = expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
  EXPECT_THAT(deleted.err, HasSubstr("its files still exist"));
  ASSERT_TRUE(eventually([&] { return count("SELECT count(*) FROM jobs") == 0; })) << daemon.log();
  EXPECT_EQ(items(), 0);
  EXPECT_EQ(count("SELECT count(*) FROM seen_keys"), 0);
  expect({"reload"}, 0, "new:     pages");
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(items(), 3);
  EXPECT_EQ(count("SELECT items_new FROM runs"), 3);
}

TEST_F(Housekeeping, RejectsDeletingAJobDuringARun) {
  pause_ = 50ms;
  write_job(200, "interval = \"365d\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return pages_done() >= 1; })) << daemon.log();
  expect({"delete", "pages", "--yes"}, 1, "cannot delete it now; allowed: pause, cancel, stop");
  expect({"stop", "pages", "--now"}, 0, "stopping");
  ASSERT_TRUE(eventually([&] { return state() == "stopped"; }));
  expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
}

TEST_F(Housekeeping, DeletesWithoutADaemonAndAsksFirst) {
  write_job(3, "schedule = \"manual\"\n");
  expect({"run", "pages"}, 0, "");
  expect({"delete", "pages"}, 2, "add --yes");
  EXPECT_EQ(items(), 3);
  expect({"delete"}, 2, "no jobs selected");
  // A foreground run stores a job status as well.
  expect({"delete", "--all", "--yes"}, 0, "pages: deleted");
  EXPECT_EQ(items(), 0);
  EXPECT_EQ(count("SELECT count(*) FROM jobs"), 0);
  expect({"run", "pages"}, 0, "3 new");
}

TEST_F(Housekeeping, FinishesADeletionThatAKilledDaemonStarted) {
  write_job(1, "interval = \"365d\"\n");
  {
    RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
    execute(
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
        " INSERT INTO events (at, kind, job) SELECT 4000000000000, 'x', 1 FROM n");
    expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  ASSERT_GT(count("SELECT count(*) FROM events WHERE job = 1"), 0) << "too late to be killed";
  project_.write("jobs/pages/config.toml.gone", "");
  std::filesystem::remove(project_.path() / "jobs/pages/config.toml");
  expect({"show", "pages"}, 1, "");
  const RunningDaemon daemon(project_, 1);
  EXPECT_TRUE(eventually([&] { return count("SELECT count(*) FROM jobs") == 0; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM events WHERE job = 1"), 0);
}

TEST_F(Housekeeping, WarnsOnceOfLowStorageAndLetsRunsContinue) {
  const auto count_events = [&](const std::string& kind) {
    return count("SELECT count(*) FROM events WHERE kind = '" + kind + "'");
  };
  const auto level = [&] {
    const auto status = project_.heddle_json({"status"});
    return std::string(status.at("storage").at("level").as_string());
  };
  write_settings("[limits]\nstorage = \"50MB\"\n");
  write_job(2, "interval = \"1s\"\n");
  project_.write("data/filler", std::string(43'000'000, 'x'));  // 86 %, plus the database
  {
    const RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] { return count_events("storage.warning") == 1; })) << daemon.log();
    EXPECT_EQ(level(), "warning");
    EXPECT_TRUE(daemon.logs("storage is almost full: 4")) << daemon.log();
    EXPECT_TRUE(eventually([&] {
      return count("SELECT count(*) FROM alerts WHERE key = 'storage' AND level = 'warning'") == 1;
    })) << daemon.log();
    expect({"status"}, 0, "MB used (`limits.storage`)");
    const auto before = ended_runs();
    EXPECT_TRUE(eventually([&] { return ended_runs() > before; })) << daemon.log();
  }
  {
    const RunningDaemon daemon(project_, 1);
    const auto before = ended_runs();
    ASSERT_TRUE(eventually([&] { return ended_runs() > before + 1; })) << daemon.log();
    EXPECT_EQ(level(), "warning");
    EXPECT_EQ(count_events("storage.warning"), 1) << "a restart says nothing again";
    std::filesystem::remove(project_.path() / "data/filler");
    ASSERT_TRUE(eventually([&] { return count_events("storage.fine") == 1; })) << daemon.log();
    EXPECT_EQ(level(), "fine");
    EXPECT_TRUE(eventually([&] { return count("SELECT count(*) FROM alerts") == 0; }))
        << daemon.log();
  }
  EXPECT_EQ(count_events("storage.full"), 0);
}

TEST_F(Housekeeping, HoldsNewRunsWhileStorageIsFullAndResumesByItself) {
  write_settings("[limits]\nstorage = \"10MB\"\n");
  project_.write("data/large", std::string(10'000'000, 'x'));
  write_job(2, "interval = \"1s\"\n");
  {
    const RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] { return state() == "paused"; })) << daemon.log();
    expect({"jobs"}, 0, "paused (storage_full)");
    expect({"trigger", "pages"}, 1, "storage_full");
    expect({"run", "pages"}, 1, "storage is full");
    const auto status = project_.heddle_json({"status"});
    EXPECT_EQ(status.at("storage").at("level").as_string(), "full");
    EXPECT_EQ(status.at("storage").at("limit_bytes").as_int64(), 10'000'000);
    EXPECT_EQ(count("SELECT count(*) FROM events WHERE kind = 'storage.full'"), 1);
  }
  expect({"run", "pages"}, 1, "storage is full");
  write_settings("[limits]\nstorage = \"1GB\"\n");
  const RunningDaemon daemon(project_, 1);
  const auto before = ended_runs();
  EXPECT_TRUE(eventually([&] { return ended_runs() > before; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM events WHERE kind = 'storage.fine'"), 1);
}

TEST_F(Housekeeping, CountsWhatScriptsWriteForTheStorageLimit) {
  write_settings("[limits]\nstorage = \"10MB\"\n");
  write_job(1, "schedule = \"manual\"\n");
  project_.write("jobs/pages/hooks.lua",
                 "function after_fetch(r) fs_overwrite('big.txt', string.rep('x', 6000000))\n"
                 "fs_overwrite('shared/big.txt', string.rep('x', 6000000)) end\n");
  expect({"run", "pages"}, 0, "");
  expect({"run", "pages"}, 1, "storage is full");
  std::filesystem::remove(project_.path() / "jobs/pages/big.txt");
  expect({"run", "pages"}, 0, "");
}

TEST_F(Housekeeping, MakesPrivateFilesWhateverTheUmask) {
  std::filesystem::create_directory(project_.path() / "data");
  std::filesystem::permissions(project_.path() / "data", std::filesystem::perms(0755));
  write_job(1, "schedule = \"manual\"\n");
  project_.write("jobs/pages/hooks.lua",
                 "function after_fetch(r) db_exec('CREATE TABLE t (x)') log('seen')\n"
                 "fs_append('f.txt', 'x') return r end\n");
  const mode_t before = umask(0);
  {
    const RunningDaemon daemon(project_, 1);
    expect({"run", "pages"}, 0, "");
    EXPECT_THAT(daemon.log(), HasSubstr("chmod 700"));
  }
  expect({"backup", (project_.path() / "data/backup").string()}, 0, "");
  expect({"debug", "pages"}, 0, "");
  umask(before);
  std::vector<std::filesystem::path> files{project_.path() / "jobs/pages/f.txt"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(project_.path() / "data"))
    files.push_back(entry.path());
  EXPECT_GT(files.size(), 5u);
  for (const auto& file : files) {
    struct stat facts {};
    ASSERT_EQ(lstat(file.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 077, 0u) << file;
  }
  expect({"check"}, 0, "chmod 700");
  expect({"doctor"}, 0, "chmod 700");
}

}  // namespace
}  // namespace heddle::testing
