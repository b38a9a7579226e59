// Workers that hang, crash or are replaced during a run.
#include <algorithm>
#include <csignal>

#include <boost/json.hpp>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

class LostWorkers : public DaemonFixture {
 protected:
  // The child process that has no slot.
  static pid_t wait_for_spare(const RunningDaemon& daemon) {
    pid_t spare = 0;
    const bool is_found = eventually([&] {
      const std::vector<pid_t> workers = daemon.workers();
      for (const pid_t child : daemon.children())
        if (std::find(workers.begin(), workers.end(), child) == workers.end()) spare = child;
      return spare != 0 && !workers.empty() && is_idle(spare);
    });
    EXPECT_TRUE(is_found) << daemon.log();
    return spare;
  }
  // It sleeps with the database open: it is ready for its assignment.
  static bool is_idle(pid_t pid) {
    const std::filesystem::path descriptors = "/proc/" + std::to_string(pid) + "/fd";
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(descriptors, gone))
      if (std::filesystem::read_symlink(entry, gone).extension() == ".db")
        return state_of(pid) == 'S';
    return false;
  }
};

TEST_F(LostWorkers, AreKilledWhenTheyHangWithoutLosingPages) {
  pause_ = std::chrono::milliseconds(5);
  write_job(200);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; }));
  const pid_t stopped = daemon.workers().at(0);
  kill(stopped, SIGSTOP);
  EXPECT_TRUE(exits_eventually(stopped)) << daemon.log();
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err << daemon.log();
  EXPECT_TRUE(daemon.logs("no heartbeat for 1s")) << daemon.log();
  EXPECT_TRUE(eventually(
      [&] { return count("SELECT count(*) FROM events WHERE kind = 'worker.recovered'") == 1; }));
  EXPECT_EQ(count("SELECT count(*) FROM events WHERE kind = 'worker.crash' AND data LIKE"
                  " '%worker 1%no heartbeat%'"),
            1);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 200);
}

TEST_F(LostWorkers, AreReplacedByASpareThatIsNotListedBefore) {
  write_job(20);
  RunningDaemon daemon(project_, 1);
  const pid_t first = daemon.workers().at(0);
  const pid_t spare = wait_for_spare(daemon);
  EXPECT_THAT(daemon.workers(), ElementsAre(first));
  kill(first, SIGKILL);
  ASSERT_TRUE(eventually([&] { return daemon.workers() == std::vector{spare}; })) << daemon.log();
  EXPECT_EQ(project_.heddle_json({"run", "pages"}).at("state").as_string(), "completed");
  const pid_t next = wait_for_spare(daemon);
  EXPECT_NE(next, spare);
  daemon.signal(SIGKILL);
  daemon.wait();
  EXPECT_TRUE(exits_eventually(next)) << "a spare dies with its daemon";
}

TEST_F(LostWorkers, LoseNoPagesWhenTheyAreReplaced) {
  pause_ = std::chrono::milliseconds(5);
  write_job(200);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; }));
  expect({"workers"}, 0, " pages ");
  EXPECT_EQ(boost::json::serialize(project_.heddle_json({"workers"}).at(0).at("jobs")),
            R"(["pages"])");
  const pid_t old = daemon.workers().at(0);
  EXPECT_EQ(project_.heddle({"workers", "restart", "1"}).exit_code, 0);
  EXPECT_TRUE(exits_eventually(old));
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM items"), 200);
  EXPECT_EQ(site_.count("/page"), 200U) << "pages in flight finished where they were";
  EXPECT_EQ(daemon.log().find("died"), std::string::npos) << daemon.log();
}

TEST_F(LostWorkers, AreRestartedOnRequestAfterTheyGaveUp) {
  project_.write("heddle.toml",
                 "[recovery]\nmax_restarts = 1\nbackoff = \"0s\"\nwindow = \"1d\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] {
    for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
    return daemon.worker_state(1) == "gave_up";
  })) << daemon.log();
  EXPECT_TRUE(
      daemon.logs("worker 1 is not restarted any more: 1 restart within 1d; `heddle workers "
                  "restart 1` starts it again"))
      << daemon.log();
  expect({"workers", "restart", "1"}, 0, "worker 1 is being started\n");
  EXPECT_TRUE(eventually([&] { return daemon.worker_state(1) == "ready"; })) << daemon.log();
  expect({"workers", "restart", "1"}, 0, "worker 1 is being replaced: it finishes its pages first");
  EXPECT_EQ(project_.heddle_json({"workers", "restart", "1"}).at("action"), "replace");
}

TEST_F(LostWorkers, HandOverTheirRunWhenTheJobHasChanged) {
  pause_ = 20ms;
  write_job(60);
  const RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(eventually([&] { return pages_done() > 0; })) << daemon.log();
  write_job(60, "tags = [\"changed\"]\n");
  for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 0) << result.out << daemon.log();
  EXPECT_EQ(pages_done(), 60);
}

}  // namespace
}  // namespace heddle::testing
