// A restore that is killed at any step leaves all databases as they were, or all of them replaced.
#include "app/maintenance/restore_plan.hpp"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/maintenance/backup.hpp"
#include "app/project/project_lock.hpp"
#include "store/scripts/script_schema.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RestorePlanTest : public ::testing::Test {
 protected:
  // Both databases contain their owner's name; `has_log` leaves changes in the WAL, as a killed
  // daemon does.
  void make(const fs::path& folder, const std::string& owner, bool has_log) {
    fs::create_directories(folder);
    {
      auto db = store::Connection::open(folder / "heddle.db", {});
      ASSERT_TRUE(store::migrate(**db, store::migrations()));
      ASSERT_TRUE(store::make_script_file(folder / "scripts.db"));
    }
    for (const char* name : {"heddle.db", "scripts.db"}) {
      const fs::path work = folder_.path() / "work.db";
      for (const char* part : {"", "-wal", "-shm"}) fs::remove(work.string() + part);
      fs::rename(folder / name, work);
      auto db = store::Connection::open(work, {});
      ASSERT_TRUE((*db)->execute("PRAGMA journal_mode=WAL; CREATE TABLE whose (name TEXT)"));
      ASSERT_TRUE((*db)->execute("PRAGMA wal_checkpoint(TRUNCATE)"));
      ASSERT_TRUE((*db)->execute("INSERT INTO whose VALUES ('" + owner + "')"));
      if (!has_log) {
        ASSERT_TRUE((*db)->execute("PRAGMA journal_mode=DELETE"));
      }
      fs::copy_file(work, folder / name);
      if (has_log) fs::copy_file(work.string() + "-wal", (folder / name).string() + "-wal");
    }
  }

  static bool belongs_to(const fs::path& file, const std::string& owner) {
    auto db = store::Connection::open(file, {});
    if (!db) return false;
    auto found = (*db)->query_integer("SELECT count(*) FROM whose WHERE name = '" + owner + "'");
    return found && *found == 1;
  }

  void SetUp() override { begin(true); }

  void begin(bool with_scripts) {
    fs::remove_all(data_);
    make(data_, "old", true);
    const fs::path backup = folder_.path() / "backup";
    fs::remove_all(backup);
    make(backup, "new", false);
    plan_ = {};
    plan_.suffix = ".replaced-20261116T112233Z";
    plan_.replace = {"heddle.db"};
    (with_scripts ? plan_.replace : plan_.remove).emplace_back("scripts.db");
    for (const std::string& name : plan_.replace)
      fs::copy_file(backup / name, data_ / (name + ".restoring"));
  }

  // Kills the restore before step `number`, counted from 0. False: it has fewer steps.
  bool is_killed_at(int number) {
    const pid_t child = fork();
    if (child == 0) {
      int step = 0;
      const BeforeStep die = [&](std::string_view) {
        if (step++ == number) (void)raise(SIGKILL);
      };
      const bool is_fine = commit_restore(data_, plan_, die) && finish_restore(data_, die);
      _exit(is_fine ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << "step " << number;
    return WIFSIGNALED(status);
  }

  void expect_all_of_one(bool with_scripts, int step) {
    auto lock = ProjectLock::try_acquire(data_);
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_FALSE(is_restore_unfinished(data_));
    const bool is_new = belongs_to(data_ / "heddle.db", "new");
    if (!is_new) {
      EXPECT_LE(step, 1) << "it was decided";
      EXPECT_TRUE(belongs_to(data_ / "heddle.db", "old"));
      EXPECT_TRUE(belongs_to(data_ / "scripts.db", "old"));
      return;
    }
    EXPECT_EQ(fs::exists(data_ / "scripts.db"), with_scripts) << "step " << step;
    EXPECT_TRUE(!with_scripts || belongs_to(data_ / "scripts.db", "new")) << "step " << step;
    for (const char* name : {"heddle.db", "scripts.db"})
      EXPECT_TRUE(belongs_to(data_ / (name + plan_.suffix), "old")) << name << ", step " << step;
  }

  heddle::testing::TemporaryFolder folder_;
  fs::path data_ = folder_.path() / "data";
  RestorePlan plan_;
};

TEST_F(RestorePlanTest, IsAllOrNothingWhenKilledAtAnyStep) {
  for (const bool with_scripts : {true, false}) {
    int step = 0;
    for (; begin(with_scripts), is_killed_at(step); ++step) expect_all_of_one(with_scripts, step);
    EXPECT_GE(step, 7) << "so many steps there are";
    expect_all_of_one(with_scripts, step);
  }
}

TEST_F(RestorePlanTest, IsFinishedAfterRepeatedKillsDuringRecovery) {
  ASSERT_TRUE(commit_restore(data_, plan_));
  int deaths = 0;
  while (is_restore_unfinished(data_)) {
    const pid_t child = fork();
    if (child == 0) {
      int step = 0;
      const BeforeStep die_at_second = [&](std::string_view) {
        if (step++ == 1) (void)raise(SIGKILL);
      };
      _exit(finish_restore(data_, die_at_second) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    if (WIFSIGNALED(status)) ++deaths;
    if (deaths > 8) break;  // the second of the last two steps is never reached
  }
  ASSERT_TRUE(finish_restore(data_));
  EXPECT_GT(deaths, 3);
  expect_all_of_one(true, 99);
}

TEST_F(RestorePlanTest, IsFinishedBeforeAReaderOpensTheStore) {
  ASSERT_TRUE(commit_restore(data_, plan_));
  EXPECT_TRUE(is_restore_unfinished(data_));
  ASSERT_TRUE(finish_interrupted_restore(data_));
  expect_all_of_one(true, 99);
}

TEST_F(RestorePlanTest, RefusesReadersWhileAnotherProcessRestores) {
  auto lock = ProjectLock::try_acquire(data_);
  ASSERT_TRUE(lock);
  ASSERT_TRUE(commit_restore(data_, plan_));
  auto refused = finish_interrupted_restore(data_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("try again"));
}

TEST(SuffixOf, IsUniquePerMillisecond) {
  const WallTime now = *parse_iso8601("2026-11-16T08:00:00Z");
  EXPECT_EQ(suffix_of("replaced", now), ".replaced-20261116T080000000Z");
  EXPECT_NE(suffix_of("replaced", now), suffix_of("replaced", now + std::chrono::milliseconds(1)));
}

TEST_F(RestorePlanTest, RefusesPlansInAnUnknownFormat) {
  for (const std::string text :
       {"", "heddle restore 1\nend\n", "heddle restore 2\nsuffix .replaced-x\nend\n",
        "heddle restore 1\nsuffix .replaced-x\nreplace ../../etc/passwd\nend\n",
        "heddle restore 1\nsuffix .replaced-/../x\nreplace heddle.db\nend\n",
        "heddle restore 1\nsuffix .replaced-x\nreplace heddle.db\n"}) {
    std::ofstream(data_ / "restore.plan") << text;
    auto refused = ProjectLock::try_acquire(data_);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
    EXPECT_THAT(refused.error().message, HasSubstr("restore.plan"));
  }
  EXPECT_TRUE(belongs_to(data_ / "heddle.db", "old"));
}

}  // namespace

}  // namespace heddle::app
