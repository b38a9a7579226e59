// `data_dir` changes in heddle.toml while a daemon is up.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

class MovedDataFolder : public DaemonFixture {
 protected:
  void move_data() {
    project_.write("heddle.toml", "data_dir = \"elsewhere\"\n" + std::string(kQuickRecovery) +
                                      "[network]\nallow = [\"127.0.0.1\"]\n");
  }
};

TEST_F(MovedDataFolder, IsFoundWhereTheRunningDaemonKeepsIt) {
  write_job(2, "schedule = \"manual\"\n");
  RunningDaemon daemon(project_, 1);
  expect({"run", "pages"}, 0, "");
  move_data();
  expect({"status"}, 0, "takes effect at the daemon's next start");
  expect({"pause", "pages"}, 0, "pages: paused");
  expect({"show", "pages"}, 0, "paused (user)");
  expect({"up"}, 1, "another heddle process (pid " + std::to_string(daemon.pid()) + ")");
  EXPECT_FALSE(std::filesystem::exists(project_.path() / "elsewhere"));

  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  expect({"status"}, 3, "no daemon is running for this project (no socket in");
  const ProgramResult fresh = expect({"jobs"}, 0, "never");
  EXPECT_EQ(fresh.err, "") << "the new folder counts now";
}

TEST_F(MovedDataFolder, IsIgnoredAfterTheDaemonHasDied) {
  write_job(1, "schedule = \"manual\"\n");
  {
    RunningDaemon daemon(project_, 1);
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  move_data();
  const ProgramResult status = expect({"status"}, 3, "no daemon is running");
  EXPECT_EQ(status.err.find("takes effect"), std::string::npos);
}

TEST_F(MovedDataFolder, LeavesNoMarkerFileBesideTheSettings) {
  const auto sign = project_.path() / ".heddle-daemon";
  write_job(1, "schedule = \"manual\"\n");
  RunningDaemon daemon(project_, 1);
  EXPECT_TRUE(std::filesystem::exists(sign));
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(sign));
}

}  // namespace
}  // namespace heddle::testing
