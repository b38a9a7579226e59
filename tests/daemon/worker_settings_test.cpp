// What workers that start later know of heddle.toml: what the daemon has taken up, whatever it says
// now.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;

class WorkerSettings : public DaemonFixture {
 protected:
  // Workers with defaults could not even ask the site: it is on this machine.
  void expect_new_workers_to_do_the_run_with(std::string_view settings_file) {
    pause_ = 5ms;
    write_job(100);
    project_.write("heddle.toml",
                   "reload = \"manual\"\n" + read_file(project_.path() / "heddle.toml"));
    const RunningDaemon daemon(project_, 1);
    RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
    ASSERT_TRUE(holds_soon([&] { return pages_done() >= 3; })) << daemon.log();
    project_.write("heddle.toml", settings_file);
    for (const pid_t child : daemon.children()) kill(child, SIGKILL);
    const ProgramResult result = follower.wait();
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err << daemon.log();
    EXPECT_EQ(count("SELECT count(*) FROM items"), 100);
  }
};

TEST_F(WorkerSettings, AreTheDaemonsUntilItIsToldToReload) {
  expect_new_workers_to_do_the_run_with("");
}

TEST_F(WorkerSettings, AreTheDaemonsWhileTheFileHasMistakes) {
  expect_new_workers_to_do_the_run_with("oops = = [\n");
}

}  // namespace
}  // namespace heddle::testing
