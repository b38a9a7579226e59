// Jobs that crash their workers.
#include <atomic>
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CrashingJobs : public DaemonFixture {};

// A script cannot crash its process, an engine bug could: the test simulates it.
TEST_F(CrashingJobs, AreQuarantined) {
  write_job(1);
  project_.write("jobs/pages/hooks.lua", "function after_fetch(result) while true do end end\n");
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  for (int death = 0; death < 2; ++death) {
    pid_t victim = 0;
    ASSERT_TRUE(eventually([&] {
      const auto workers = project_.heddle_json({"workers"});
      for (const auto& worker : workers.as_array())
        if (worker.at("working_on").is_string() && worker.at("pid").is_int64())
          victim = static_cast<pid_t>(worker.at("pid").as_int64());
      return victim != 0;
    })) << daemon.log();
    kill(victim, SIGKILL);
    ASSERT_TRUE(exits_eventually(victim));
  }
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("quarantined"));
  const ProgramResult again = project_.heddle({"run", "pages", "--json"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("paused (quarantined)"));

  write_job(1, "tags = [\"mended\"]\n");
  project_.write("jobs/pages/hooks.lua", "");
  EXPECT_EQ(project_.heddle({"run", "pages"}).exit_code, 0) << daemon.log();
}

TEST_F(CrashingJobs, AreFoundWhenTheWorkerDiesWhileWaiting) {
  std::atomic<int> asked = 0;
  site_.handle("/silent", [&asked](const SiteRequest&) {
    ++asked;
    return misbehaving(SiteBehaviour::silent);
  });
  project_.write_job(
      "waits", "url = \"" + site_.url("/silent") + "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  const RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "waits", "--json"});
  for (int death = 1; death <= 2; ++death) {
    ASSERT_TRUE(eventually([&] { return asked == death; })) << daemon.log();
    for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
  }
  const ProgramResult result = follower.wait();
  EXPECT_THAT(result.out, HasSubstr("quarantined")) << daemon.log();
}

TEST_F(CrashingJobs, ExcludeJobsWithAPageDoneByTheDeadWorker) {
  std::atomic<int> asked = 0;
  site_.handle("/silent", [&asked](const SiteRequest&) {
    ++asked;
    return misbehaving(SiteBehaviour::silent);
  });
  project_.write_job("mixed", "urls = [\"" + site_.url("/page?1") + "\", \"" +
                                  site_.url("/silent") +
                                  "\"]\nselector = \"li\"\nfields = [\"text:\"]\n");
  const RunningDaemon daemon(project_, 1);
  const RunningHeddle follower(project_.path(), {"run", "mixed"});
  ASSERT_TRUE(eventually([&] { return asked == 1 && pages_done() == 1; })) << daemon.log();
  for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
  ASSERT_TRUE(eventually([&] { return asked == 2; })) << daemon.log();
  EXPECT_THAT(daemon.log(), Not(HasSubstr("while it worked on job")));
}

}  // namespace
}  // namespace heddle::testing
