#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file_descriptor.hpp"
#include "ipc/unix_socket.hpp"
#include "ipc/version.hpp"
#include "store/sqlite/connection.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

constexpr std::string_view kQuickRecovery = R"([script]
cpu_limit = "900ms"
[recovery]
hang_timeout = "1s"
poison_limit = 2
max_restarts = 1000
backoff = "0s"
)";

class DaemonTest : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.handle("/page", [this](const SiteRequest& request) {
      std::this_thread::sleep_for(pause_);
      return html("<li>" + request.query + "</li>");
    });
  }

  void write_job(int pages, std::string_view more = "") {
    std::string urls;
    for (int i = 0; i < pages; ++i)
      urls += "\"" + site_.url("/page?p" + std::to_string(i)) + "\", ";
    project_.write_job("pages", "urls = [" + urls +
                                    "]\nselector = \"li\"\nfields = [\"text:\"]\nworkers = 2\n"
                                    "stagger = \"0s\"\n" +
                                    std::string(more));
  }

  std::int64_t count(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    if (!db) return -1;
    const auto number = (*db)->query_integer(sql);
    return number ? *number : -1;
  }
  std::int64_t pages_done() { return count("SELECT count(*) FROM tasks WHERE state = 3"); }
  std::int64_t unfinished_runs() {
    return count("SELECT count(*) FROM runs WHERE ended_at IS NULL");
  }

  // The one child that is in no slot.
  static pid_t wait_for_spare(const RunningDaemon& daemon) {
    pid_t spare = 0;
    const bool is_there = holds_soon([&] {
      const std::vector<pid_t> workers = daemon.workers();
      for (const pid_t child : daemon.children())
        if (std::find(workers.begin(), workers.end(), child) == workers.end()) spare = child;
      return spare != 0 && !workers.empty() && waits(spare);
    });
    EXPECT_TRUE(is_there) << daemon.log();
    return spare;
  }
  // It sleeps with the database open: all that it does before its assignment is done.
  static bool waits(pid_t pid) {
    const std::filesystem::path descriptors = "/proc/" + std::to_string(pid) + "/fd";
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(descriptors, gone))
      if (std::filesystem::read_symlink(entry, gone).extension() == ".db")
        return state_of(pid) == 'S';
    return false;
  }

  TestSite site_;
  ProjectFolder project_{kQuickRecovery};
  std::chrono::milliseconds pause_{1};
};

TEST_F(DaemonTest, DoesTheRunsOfPeopleWhoAskForThem) {
  write_job(20);
  RunningDaemon daemon(project_, 1);
  const auto run = project_.heddle_json({"run", "pages"});
  EXPECT_EQ(run.at("state").as_string(), "completed");
  EXPECT_EQ(run.at("pages").at("done").as_int64(), 20);
  EXPECT_EQ(run.at("items").at("new").as_int64(), 20);
}

TEST_F(DaemonTest, RefusesASecondOneWithThePidOfTheFirst) {
  write_job(1);
  RunningDaemon daemon(project_, 1);
  const ProgramResult second = project_.heddle({"up"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("another heddle (pid " + std::to_string(daemon.pid()) + ")"));
}

TEST_F(DaemonTest, IsMissedWithItsOwnExitStatus) {
  write_job(1);
  for (const char* command : {"status", "workers"}) {
    const ProgramResult answer = project_.heddle({command});
    EXPECT_EQ(answer.exit_code, 3) << command;
    EXPECT_THAT(answer.err, HasSubstr("no daemon runs for this project"));
    EXPECT_THAT(answer.err, HasSubstr("up` starts one"));
  }
  EXPECT_EQ(project_.heddle({"workers", "restart", "1"}).exit_code, 3);
}

TEST_F(DaemonTest, ShowsItselfAndItsWorkers) {
  write_job(1);
  RunningDaemon daemon(project_, 2);
  const auto status = project_.heddle_json({"status"});
  EXPECT_EQ(status.at("pid").as_int64(), daemon.pid());
  EXPECT_EQ(status.at("jobs").as_int64(), 1);
  EXPECT_THAT(project_.heddle({"status"}).out, HasSubstr("worker 2"));
  const ProgramResult nobody = project_.heddle({"workers", "restart", "77"});
  EXPECT_EQ(nobody.exit_code, 1);
  EXPECT_THAT(nobody.err, HasSubstr("there is no worker 77"));
}

TEST_F(DaemonTest, LeavesOnATerminationSignalAndTakesEverybodyAlong) {
  write_job(1);
  RunningDaemon daemon(project_, 2);
  const std::vector<pid_t> children = daemon.children();
  EXPECT_GE(children.size(), 2U);
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0) << daemon.log();
  EXPECT_TRUE(are_gone_within(children, std::chrono::milliseconds(0)));
  EXPECT_FALSE(std::filesystem::exists(project_.path() / "data/heddle.sock"));
}

TEST_F(DaemonTest, InterruptsRunsWhenItLeavesAndGoesOnWithThemWhenItIsBack) {
  constexpr int kPages = 40;
  pause_ = std::chrono::milliseconds(20);
  write_job(kPages);
  {
    RunningDaemon daemon(project_, 1);
    RunningHeddle follower(project_.path(), {"run", "pages"});
    ASSERT_TRUE(holds_soon([&] { return pages_done() >= 3; })) << daemon.log();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0) << daemon.log();
    EXPECT_THAT(follower.wait().err, HasSubstr("the next one goes on with this run"));
  }
  EXPECT_EQ(unfinished_runs(), 1);
  EXPECT_LT(pages_done(), kPages);
  RunningDaemon next(project_, 1);
  EXPECT_THAT(next.log(), HasSubstr("going on with run"));
  ASSERT_TRUE(holds_soon([&] { return unfinished_runs() == 0; })) << next.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
  // Pages in flight finished before it left: none was fetched twice.
  EXPECT_EQ(site_.count("/page"), static_cast<std::size_t>(kPages));
}

TEST_F(DaemonTest, EndsAtOnceOnASecondSignal) {
  pause_ = std::chrono::seconds(4);
  write_job(2);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages"});
  ASSERT_TRUE(holds_soon([&] { return site_.count("/page") > 0; }));
  const std::vector<pid_t> children = daemon.children();
  daemon.signal(SIGTERM);
  ASSERT_TRUE(holds_soon([&] { return daemon.log().find("leaving") != std::string::npos; }));
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 130);
  EXPECT_TRUE(are_gone_within(children, std::chrono::seconds(1)));
  pause_ = std::chrono::milliseconds(0);
}

TEST_F(DaemonTest, KillsAWorkerThatHangsAndLosesNothing) {
  pause_ = std::chrono::milliseconds(5);
  write_job(200);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(holds_soon([&] { return pages_done() >= 3; }));
  kill(daemon.workers().at(0), SIGSTOP);
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err << daemon.log();
  EXPECT_THAT(daemon.log(), HasSubstr("died"));
  EXPECT_EQ(count("SELECT count(*) FROM items"), 200);
}

TEST_F(DaemonTest, FillsTheSlotOfADeadWorkerWithASpareThatIsNoWorkerBefore) {
  write_job(20);
  RunningDaemon daemon(project_, 1);
  const pid_t first = daemon.workers().at(0);
  const pid_t spare = wait_for_spare(daemon);
  EXPECT_THAT(daemon.workers(), ElementsAre(first));
  kill(first, SIGKILL);
  ASSERT_TRUE(holds_soon([&] { return daemon.workers() == std::vector{spare}; })) << daemon.log();
  EXPECT_EQ(project_.heddle_json({"run", "pages"}).at("state").as_string(), "completed");
  const pid_t next = wait_for_spare(daemon);
  EXPECT_NE(next, spare);
  daemon.signal(SIGKILL);
  daemon.wait();
  EXPECT_TRUE(is_gone_soon(next)) << "a spare dies with its daemon";
}

TEST_F(DaemonTest, GivesNoWorkToASpareThatHasReadOlderSettings) {
  write_job(1);
  RunningDaemon daemon(project_, 1);
  const pid_t spare = wait_for_spare(daemon);
  project_.write("heddle.toml", read_file(project_.path() / "heddle.toml") + "# changed\n");
  kill(daemon.workers().at(0), SIGKILL);
  EXPECT_TRUE(is_gone_soon(spare));
  ASSERT_TRUE(holds_soon([&] { return daemon.workers().size() == 1; })) << daemon.log();
  EXPECT_EQ(project_.heddle_json({"run", "pages"}).at("state").as_string(), "completed");
}

TEST_F(DaemonTest, ReplacesAWorkerWithoutLosingWork) {
  pause_ = std::chrono::milliseconds(5);
  write_job(200);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(holds_soon([&] { return pages_done() >= 3; }));
  const pid_t old = daemon.workers().at(0);
  EXPECT_EQ(project_.heddle({"workers", "restart", "1"}).exit_code, 0);
  EXPECT_TRUE(is_gone_soon(old));
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM items"), 200);
  EXPECT_EQ(site_.count("/page"), 200U) << "pages in flight finished where they were";
  EXPECT_EQ(daemon.log().find("died"), std::string::npos) << daemon.log();
}

// A script cannot kill its process, a bug in the engine could: the test does it for it.
TEST_F(DaemonTest, PutsAJobUnderWhichWorkersDieIntoQuarantine) {
  write_job(1);
  project_.write("jobs/pages/hooks.lua", "function after_fetch(result) while true do end end\n");
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  for (int death = 0; death < 2; ++death) {
    pid_t victim = 0;
    ASSERT_TRUE(holds_soon([&] {
      const auto workers = project_.heddle_json({"workers"});
      for (const auto& worker : workers.as_array())
        if (worker.at("working_on").is_string() && worker.at("pid").is_int64())
          victim = static_cast<pid_t>(worker.at("pid").as_int64());
      return victim != 0;
    })) << daemon.log();
    kill(victim, SIGKILL);
    ASSERT_TRUE(is_gone_soon(victim));
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

TEST_F(DaemonTest, BlamesTheJobOfAWorkerThatDiesWhileItOnlyWaits) {
  std::atomic<int> asked = 0;
  site_.handle("/silent", [&asked](const SiteRequest&) {
    ++asked;
    return misbehaving(SiteManner::silent);
  });
  project_.write_job(
      "waits", "url = \"" + site_.url("/silent") + "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  const RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "waits", "--json"});
  for (int death = 1; death <= 2; ++death) {
    ASSERT_TRUE(holds_soon([&] { return asked == death; })) << daemon.log();
    for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
  }
  const ProgramResult result = follower.wait();
  EXPECT_THAT(result.out, HasSubstr("quarantined")) << daemon.log();
}

TEST_F(DaemonTest, SuspectsNoJobOfWhichTheDeadWorkerHasDoneAPage) {
  std::atomic<int> asked = 0;
  site_.handle("/silent", [&asked](const SiteRequest&) {
    ++asked;
    return misbehaving(SiteManner::silent);
  });
  project_.write_job("mixed", "urls = [\"" + site_.url("/page?1") + "\", \"" +
                                  site_.url("/silent") +
                                  "\"]\nselector = \"li\"\nfields = [\"text:\"]\n");
  const RunningDaemon daemon(project_, 1);
  const RunningHeddle follower(project_.path(), {"run", "mixed"});
  ASSERT_TRUE(holds_soon([&] { return asked == 1 && pages_done() == 1; })) << daemon.log();
  for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
  ASSERT_TRUE(holds_soon([&] { return asked == 2; })) << daemon.log();
  EXPECT_THAT(daemon.log(), Not(HasSubstr("while it worked on job")));
}

TEST_F(DaemonTest, GoesOnWithTheChangedJobWhenItsWorkerDies) {
  pause_ = 20ms;
  write_job(60);
  const RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(holds_soon([&] { return pages_done() > 0; })) << daemon.log();
  write_job(60, "tags = [\"changed\"]\n");
  for (const pid_t worker : daemon.workers()) kill(worker, SIGKILL);
  const ProgramResult result = follower.wait();
  EXPECT_EQ(result.exit_code, 0) << result.out << daemon.log();
  EXPECT_EQ(pages_done(), 60);
}

TEST_F(DaemonTest, StartsNoWorkerWhileItsSettingsHaveMistakes) {
  write_job(3);
  const RunningDaemon daemon(project_, 1);
  const std::string settings = read_file(project_.path() / "heddle.toml");
  project_.write("heddle.toml", settings + "\noops = = [\n");
  for (const pid_t child : daemon.children()) kill(child, SIGKILL);
  ASSERT_TRUE(holds_soon(
      [&] { return daemon.log().find("`heddle check` shows all") != std::string::npos; }));
  project_.write("heddle.toml.new", settings);  // as editors do: never half of it
  std::filesystem::rename(project_.path() / "heddle.toml.new", project_.path() / "heddle.toml");
  const ProgramResult run = project_.heddle({"run", "pages"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err << daemon.log();
}

TEST_F(DaemonTest, KeepsTheRunOfAJobThatHasMistakesUntilTheyAreMended) {
  pause_ = 20ms;
  write_job(40);
  {
    RunningDaemon daemon(project_, 1);
    const RunningHeddle follower(project_.path(), {"run", "pages"});
    ASSERT_TRUE(holds_soon([&] { return pages_done() > 0; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const std::string config = read_file(project_.path() / "jobs/pages/config.toml");
  project_.write("jobs/pages/config.toml", config + "\noops = [\n");
  {
    RunningDaemon daemon(project_, 1);
    EXPECT_THAT(daemon.log(), HasSubstr("mistakes"));
    daemon.signal(SIGTERM);
    daemon.wait();
  }
  EXPECT_EQ(unfinished_runs(), 1);
  project_.write("jobs/pages/config.toml", config);
  const RunningDaemon daemon(project_, 1);
  EXPECT_TRUE(holds_soon([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(pages_done(), 40);
}

TEST_F(DaemonTest, LeavesWhenItsDatabaseIsRemoved) {
  RunningDaemon daemon(project_, 1);
  std::filesystem::remove(project_.database());
  const ProgramResult end = daemon.wait();
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(daemon.log(), HasSubstr("was removed or replaced"));
}

TEST_F(DaemonTest, DoesNotKeepPeopleFromDebugging) {
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle({"debug", "pages"}).exit_code, 0);
}

TEST_F(DaemonTest, TellsTheEndOfARunWhoseReportIsLong) {
  std::string urls;
  for (int i = 0; i < 40; ++i)
    urls += "\"" + site_.url("/gone?" + std::to_string(i) + std::string(60'000, 'x')) + "\", ";
  project_.write_job("long", "urls = [" + urls +
                                 "]\nselector = \"li\"\nfields = [\"text:\"]\nworkers = 4\n"
                                 "stagger = \"0s\"\nretry = { max = 0 }\n");
  const RunningDaemon daemon(project_, 1);
  const ProgramResult run = project_.heddle({"run", "long", "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"failed\":40"));
}

TEST_F(DaemonTest, TurnsAwayCommandsOfAnotherBuild) {
  const RunningDaemon daemon(project_, 1);
  auto socket = ipc::connect_to(project_.path() / "data/heddle.sock");
  ASSERT_TRUE(socket);
  boost::asio::io_context loop;
  ipc::Channel channel(loop.get_executor(), std::move(*socket));
  std::string said;
  const auto visit = [&]() -> Async<void> {
    ipc::Hello ours = ipc::make_hello("command", "0.0.0");
    const auto hello =
        co_await ipc::exchange_hello(channel, std::move(ours), Deadline::clock::now() + 60s);
    if (!hello) said = hello.error().message;
    EXPECT_FALSE(co_await channel.receive());  // nothing follows
  };
  boost::asio::co_spawn(loop, visit(), boost::asio::detached);
  loop.run();
  EXPECT_THAT(said, HasSubstr("daemon is build"));
}

// A pipe that is full at once, in the place of the log.
TEST_F(DaemonTest, WorksAndEndsThoughNobodyReadsItsLog) {
  write_job(20);
  project_.write("jobs/pages/hooks.lua",
                 "function on_success() for i = 1, 200 do log(('x'):rep(100)) end end\n");
  const auto log = project_.path() / "up.err";
  ASSERT_EQ(mkfifo(log.c_str(), 0600), 0);
  const FileDescriptor nobody(open(log.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_GT(fcntl(nobody.get(), F_SETPIPE_SZ, 4096), 0);

  RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  daemon.signal(SIGTERM);
  std::filesystem::remove(log);
  project_.write("up.err", "");  // what is read at the end
  EXPECT_EQ(daemon.wait().exit_code, 0);
}

}  // namespace
}  // namespace heddle::testing
