#include <atomic>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <heddle/jobs.hpp>

#include "tests/support/processes.hpp"
#include "tests/support/shepherd_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::jobs {
namespace {

using namespace std::chrono_literals;
using heddle::testing::eventually;
using heddle::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JobRunner : public ::testing::Test {
 protected:
  static std::unique_ptr<Runner> make() {
    RunnerOptions options;
    options.shepherd = heddle::testing::shepherd_file();
    return Runner::create(std::move(options));
  }
  Spec spec(const std::string& command) {
    Spec spec;
    spec.name = "job";
    spec.command = command;
    spec.work_dir = folder_.path().string();
    spec.stop_timeout = 5s;
    return spec;
  }
  static Hook hook(const std::string& name, const std::string& command) {
    Hook hook;
    hook.name = name;
    hook.command = command;
    return hook;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Runner> runner_ = make();
};

TEST_F(JobRunner, ReturnsAnEndThatComesWhileTheConditionIsEvaluated) {
  const Handle handle = runner_->start(spec("true"));
  const Status end = handle.wait_until([&handle](const Status&) {
    while (!handle.status().is_over()) std::this_thread::sleep_for(1ms);
    return false;
  });
  EXPECT_TRUE(end.is_over());
}

TEST_F(JobRunner, NeverKillsTheChildrenOfItsHost) {
  const pid_t own = fork();
  if (own == 0) {
    for (;;) pause();
  }
  const Status end =
      runner_
          ->start(spec("(setsid sh -c 'echo $$ > left.new; mv left.new left; exec sleep 600' &)\n"
                       "while ! [ -e left ]; do sleep 0.01; done; kill -9 $PPID; sleep 600"))
          .wait();
  EXPECT_EQ(end.phase, Phase::failed);
  EXPECT_FALSE(heddle::testing::is_alive(heddle::testing::read_pid(folder_.path() / "left")));
  EXPECT_TRUE(heddle::testing::is_alive(own));
  kill(own, SIGKILL);
  waitpid(own, nullptr, 0);
}

TEST_F(JobRunner, RunsAJobWithItsHooks) {
  std::mutex mutex;
  std::vector<std::string> lines;
  Spec job = spec("echo work");
  job.hooks.pre_start = {hook("before", "echo before")};
  job.hooks.post_stop = {hook("after", "echo after $HEDDLE_RESULT")};
  job.on_output = [&](const OutputLine& line) {
    const std::lock_guard lock(mutex);
    lines.emplace_back(line.text);
  };
  const Status end = runner_->start(std::move(job)).wait();
  EXPECT_EQ(to_text(end), "Succeeded (Active: 0, Succeeded: 1, Failed: 0)");
  ASSERT_EQ(end.hooks.size(), 2u);
  EXPECT_EQ(end.hooks[0].state, "succeeded");
  const std::lock_guard lock(mutex);
  EXPECT_THAT(lines, ElementsAre("before", "work", "after completed"));
}

TEST_F(JobRunner, StartsWithoutBlockingAndReportsTheStatus) {
  const Handle job = runner_->start(spec("exec sleep 60"));
  const Status running = job.wait_until([](const Status& status) { return status.active == 1; });
  EXPECT_EQ(to_text(running), "Running (Active: 1, Succeeded: 0, Failed: 0)");
  EXPECT_FALSE(job.wait_for(10ms).is_over());
  job.stop();
  EXPECT_EQ(job.wait().phase, Phase::failed);
}

TEST_F(JobRunner, ReportsWhyAJobFailed) {
  Spec job = spec("exit 3");
  job.restart_on_failure = true;
  job.backoff_limit = 1;
  job.backoff = 10ms;
  const Status end = runner_->start(std::move(job)).wait();
  EXPECT_EQ(to_text(end), "Failed (Active: 0, Succeeded: 0, Failed: 2)");
  EXPECT_EQ(end.reason, "backoff_limit_exceeded");
  EXPECT_THAT(end.message, HasSubstr("exit code 3"));
}

TEST_F(JobRunner, KillsRunningJobsOnDestruction) {
  runner_->start(spec("echo $$ > pid; exec sleep 60"));
  const int pid = heddle::testing::read_pid(folder_.path() / "pid");
  ASSERT_GT(pid, 0);
  runner_.reset();
  EXPECT_TRUE(heddle::testing::exits_eventually(pid));
}

TEST_F(JobRunner, StartsAJobOnItsSchedule) {
  std::atomic<int> starts = 0;
  const auto id = runner_->schedule("* * * * * *", spec("echo x >> ran"),
                                    [&starts](const Handle&) { ++starts; });
  EXPECT_TRUE(eventually([&] { return starts >= 2; }));
  runner_->unschedule(id);
}

TEST_F(JobRunner, SkipsATickWhileThePreviousJobRuns) {
  std::atomic<int> starts = 0;
  runner_->schedule("* * * * * *", spec("exec sleep 60"), [&starts](const Handle&) { ++starts; });
  EXPECT_TRUE(eventually([&] { return starts >= 1; }));
  std::atomic<int> seconds = 0;  // counted by a job of its own, whose runs are over at once
  runner_->schedule("* * * * * *", spec("true"), [&seconds](const Handle&) { ++seconds; });
  EXPECT_TRUE(eventually([&] { return seconds >= 2; }));
  EXPECT_EQ(starts, 1);
}

TEST_F(JobRunner, RejectsInvalidSpecs) {
  EXPECT_THROW(runner_->start(Spec{}), std::invalid_argument);
  Spec twice = spec("true");
  twice.hooks.pre_start = {hook("a", "true")};
  twice.hooks.post_stop = {hook("a", "true")};
  EXPECT_THROW(runner_->start(twice), std::invalid_argument);
  EXPECT_THROW(runner_->schedule("never", spec("true")), std::invalid_argument);
  EXPECT_THROW(runner_->schedule("* * * * *", spec("true"), {}, Overlap::skip, "No/Where"),
               std::invalid_argument);
  RunnerOptions nothing;
  nothing.shepherd = "/no/such/file";
  EXPECT_THROW(Runner::create(nothing), std::runtime_error);
}

}  // namespace
}  // namespace heddle::jobs
