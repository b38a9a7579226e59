// Workers get the settings that the daemon has loaded, whatever heddle.toml contains now.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;

class WorkerSettings : public DaemonFixture {
 protected:
  // With default settings a worker could not fetch from the site: it is on 127.0.0.1.
  void expect_new_workers_to_finish_run(std::string_view settings_file) {
    pause_ = 5ms;
    write_job(100);
    project_.write("heddle.toml",
                   "reload = \"manual\"\n" + read_file(project_.path() / "heddle.toml"));
    const RunningDaemon daemon(project_, 1);
    RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
    ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
    project_.write("heddle.toml", settings_file);
    for (const pid_t child : daemon.children()) kill(child, SIGKILL);
    const ProgramResult result = follower.wait();
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err << daemon.log();
    EXPECT_EQ(count("SELECT count(*) FROM items"), 100);
  }
};

TEST_F(WorkerSettings, AreThoseOfTheDaemonUntilAReload) {
  expect_new_workers_to_finish_run("");
}

TEST_F(WorkerSettings, AreThoseOfTheDaemonWhileTheFileIsInvalid) {
  expect_new_workers_to_finish_run("oops = = [\n");
}

}  // namespace
}  // namespace heddle::testing
