// `heddle doctor` on intact, damaged and unreadable databases and on a full disk.
#include <csignal>
#include <fstream>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Doctor : public DaemonFixture {
 protected:
  void fill(int pages) {
    pause_ = 0ms;
    write_job(pages);
    ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  }

  void overwrite(std::uintmax_t bytes, char byte) {
    std::fstream file(project_.database(), std::ios::binary | std::ios::in | std::ios::out);
    file << std::string(bytes, byte);
  }

  int files_with(const std::string& part) {
    int found = 0;
    for (const auto& entry : fs::directory_iterator(project_.path() / "data"))
      if (entry.path().filename().string().find(part) != std::string::npos) ++found;
    return found;
  }

  // Overwrites one page in the middle of the items.
  void damage_items() {
    const auto page = count(
        "SELECT pageno FROM dbstat WHERE name = 'items' AND pagetype = 'leaf' ORDER BY path"
        " LIMIT 1 OFFSET (SELECT count(*) / 2 FROM dbstat WHERE name = 'items' AND pagetype = "
        "'leaf')");
    ASSERT_GT(page, 1) << "SQLite is built with dbstat";
    std::fstream file(project_.database(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page - 1) * 4096);
    file << std::string(4096, '\x5A');
  }
};

TEST_F(Doctor, FindsNoProblemsInAnIntactProject) {
  expect({"doctor"}, 0, "nothing was stored yet");
  fill(2);
  expect({"doctor"}, 0, "heddle.db is intact");
  const RunningDaemon daemon(project_, 1);
  const ProgramResult beside = expect({"doctor", "--json"}, 0, R"("level":"fine")");
  EXPECT_THAT(beside.out, Not(HasSubstr("broken")));
  expect({"doctor", "--repair"}, 0, "heddle.db is intact");
}

TEST_F(Doctor, SalvagesADamagedDatabase) {
  fill(600);
  damage_items();
  expect({"doctor"}, 1, "heddle.db is damaged");
  expect({"doctor"}, 1, "heddle doctor --repair");
  const ProgramResult repaired = expect({"doctor", "--repair"}, 0, "the damaged file is kept");
  EXPECT_THAT(repaired.out, HasSubstr("heddle.db is intact"));
  EXPECT_THAT(repaired.out, HasSubstr("items"));
  const auto items = count("SELECT count(*) FROM items");
  EXPECT_GT(items, 500);
  EXPECT_LT(items, 600);
  EXPECT_EQ(count("SELECT count(*) FROM tasks"), 600);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0) << "it goes on from there";
  EXPECT_EQ(count("SELECT count(*) FROM items"), 600) << "what was lost is found again";
  EXPECT_THAT(project_.heddle({"doctor"}).out, Not(HasSubstr("warning: ")));
}

TEST_F(Doctor, DoesNotRepairWhileADaemonRuns) {
  fill(600);
  const RunningDaemon daemon(project_, 1);
  damage_items();
  expect({"doctor", "--repair"}, 1, "another heddle process (pid ");
}

TEST_F(Doctor, SalvagesEverythingWhenOnlyTheFirstPageIsDamaged) {
  fill(200);
  overwrite(4096, '\0');
  expect({"doctor"}, 1, "this is not a database (or it is damaged)");
  const ProgramResult repaired = expect({"doctor", "--repair"}, 0, "heddle.db.damaged-");
  EXPECT_THAT(repaired.out, HasSubstr("heddle.db is intact"));
  EXPECT_EQ(count("SELECT count(*) FROM items"), 200);
  EXPECT_EQ(count("SELECT count(*) FROM tasks"), 200);
  const auto again = project_.heddle_json({"run", "pages"});
  EXPECT_EQ(again.at("state"), "completed");
  EXPECT_EQ(again.at("items").at("new"), 0) << "nothing was lost";
}

TEST_F(Doctor, SalvagesATruncatedDatabase) {
  fill(600);
  fs::resize_file(project_.database(), fs::file_size(project_.database()) * 2 / 3);
  expect({"doctor"}, 1, "heddle doctor --repair");
  const ProgramResult repaired = expect({"doctor", "--repair"}, 0, "heddle.db.damaged-");
  EXPECT_THAT(repaired.out, HasSubstr("some"));
  EXPECT_THAT(repaired.out, HasSubstr("heddle.db is intact"));
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 600) << "what was lost is found again";
}

TEST_F(Doctor, StartsEmptyOnlyOnRequest) {
  fill(2);
  overwrite(fs::file_size(project_.database()), '\x5A');
  expect({"doctor", "--start-empty"}, 2, "--repair");
  const ProgramResult left = expect({"doctor", "--repair"}, 1, "The file was not changed");
  EXPECT_THAT(left.out, HasSubstr(project_.database().string()));
  EXPECT_THAT(left.out, HasSubstr("heddle restore FOLDER"));
  EXPECT_THAT(left.out, HasSubstr("heddle doctor --repair --start-empty"));
  EXPECT_THAT(left.out, Not(HasSubstr("save what can be read"))) << "that was tried";
  EXPECT_EQ(files_with(".damaged-"), 0);
  EXPECT_EQ(project_.heddle({"run", "pages"}).exit_code, 1) << "nothing goes over it silently";

  project_.write("data/heddle.db-wal", "what a log may have been");
  const ProgramResult anew =
      expect({"doctor", "--repair", "--start-empty"}, 0,
             "heddle.db could be read: it was replaced by an empty database");
  EXPECT_THAT(anew.out, HasSubstr("the damaged file is kept: "));
  EXPECT_EQ(files_with("heddle.db.damaged-"), 2) << "with its log";
  EXPECT_EQ(count("SELECT count(*) FROM items"), 0);
  ASSERT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 2);
}

TEST_F(Doctor, ReportsTemporaryFilesAndOrphanedRows) {
  fill(2);
  project_.write("data/heddle.db.restoring", "x");
  {
    auto db = store::Connection::open(project_.database(), {});
    ASSERT_TRUE((*db)->execute("DELETE FROM runs"));
  }
  expect({"doctor"}, 0, "heddle.db.restoring was left by an interrupted command");
  project_.write("data/heddle.db.before-12", "x");
  expect({"doctor"}, 0, "heddle.db.before-12 is the copy from before an upgrade of Heddle");
  expect({"doctor"}, 0, "2 rows of tasks belong to runs that do not exist");
  {
    auto db = store::Connection::open(project_.database(), {});
    ASSERT_TRUE((*db)->execute("DELETE FROM tasks WHERE number > 1; DELETE FROM jobs"));
  }
  const std::string findings = project_.heddle({"doctor"}).out;
  EXPECT_THAT(findings, HasSubstr("1 row of tasks belongs to runs that do not exist"));
  EXPECT_THAT(findings, HasSubstr("1 row of states of jobs belongs to jobs that do not exist"));
}

TEST_F(Doctor, ReportsAWalWithoutItsDatabase) {
  fill(2);
  fs::remove(project_.database());
  project_.write("data/heddle.db-wal", "x");
  expect({"doctor"}, 1, "heddle.db-wal exists, but heddle.db is missing");
}

// A file size limit simulates a full disk: an incomplete database must not replace the old one.
TEST_F(Doctor, KeepsTheDamagedDatabaseWhenThereIsNoSpaceForTheNewOne) {
  fill(600);
  damage_items();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{64 << 10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  const ProgramResult result = project_.heddle({"doctor", "--repair"});
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, ignored);
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_THAT(result.err, HasSubstr("nothing was changed"));
  expect({"doctor"}, 1, "heddle.db is damaged");
  expect({"doctor", "--repair"}, 0, "heddle.db is intact");
}

}  // namespace
}  // namespace heddle::testing
