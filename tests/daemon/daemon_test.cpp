// `heddle up`: start, control requests and shutdown.
#include <csignal>
#include <memory>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "ipc/handshake.hpp"
#include "ipc/unix_socket.hpp"
#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class Daemon : public DaemonFixture {};

TEST_F(Daemon, ExecutesRunsRequestedByCommands) {
  write_job(20);
  RunningDaemon daemon(project_, 1);
  const auto run = project_.heddle_json({"run", "pages"});
  EXPECT_EQ(run.at("state").as_string(), "completed");
  EXPECT_EQ(run.at("pages").at("done").as_int64(), 20);
  EXPECT_EQ(run.at("items").at("new").as_int64(), 20);
}

TEST_F(Daemon, RejectsASecondDaemonWithThePidOfTheFirst) {
  write_job(1);
  RunningDaemon daemon(project_, 1);
  for (int i = 0; i < 2; ++i)
    expect({"up"}, 1, "another heddle process (pid " + std::to_string(daemon.pid()) + ")");
}

TEST_F(Daemon, RejectsASecondDaemonAfterItsLockFileWasRemoved) {
  write_job(1);
  RunningDaemon daemon(project_, 1);
  const auto lock = project_.path() / "data/heddle.lock";
  std::filesystem::remove(lock);
  expect({"up"}, 1, "another heddle");
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(lock); })) << daemon.log();
  ASSERT_TRUE(eventually([&] { return !read_file(lock).empty(); })) << daemon.log();
  expect({"up"}, 1, "another heddle process (pid " + std::to_string(daemon.pid()) + ")");
}

TEST_F(Daemon, HasItsOwnExitStatusWhenItDoesNotRun) {
  write_job(1);
  for (const char* command : {"status", "workers"}) {
    const ProgramResult answer = project_.heddle({command});
    EXPECT_EQ(answer.exit_code, 3) << command;
    EXPECT_THAT(answer.err, HasSubstr("no daemon is running for this project"));
    EXPECT_THAT(answer.err, HasSubstr("up` starts one"));
  }
  EXPECT_EQ(project_.heddle({"workers", "restart", "1"}).exit_code, 3);
}

TEST_F(Daemon, IsStoppedByACommandThatWaitsForItsEnd) {
  write_job(3, "schedule = \"manual\"\n");
  site_.hold("/page");
  RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(site_.wait_for_requests("/page", 1)) << daemon.log();
  const auto children = daemon.children();
  RunningHeddle down(project_.path(), {"down"});
  ASSERT_TRUE(daemon.logs("stop requested"));
  site_.release("/page");
  const ProgramResult stopped = down.wait();
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("the daemon (pid " + std::to_string(daemon.pid()) + ") has"));
  EXPECT_TRUE(exit_within(children, 0ms)) << "nothing is left of it";
  EXPECT_EQ(daemon.wait().exit_code, 0);
  EXPECT_EQ(unfinished_runs(), 1) << "for the next daemon";
  EXPECT_GE(pages_done(), 1) << "pages in flight have finished";
  expect({"down"}, 3, "no daemon is running for this project");
}

TEST_F(Daemon, IsStoppedAtOnceByACommand) {
  write_job(3, "schedule = \"manual\"\n");
  site_.hold("/page");
  RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(site_.wait_for_requests("/page", 1)) << daemon.log();
  expect({"down", "--now"}, 0, "has stopped");
  EXPECT_EQ(daemon.wait().exit_code, 130);
  EXPECT_EQ(pages_done(), 0);
  EXPECT_EQ(unfinished_runs(), 1);
  site_.release("/page");
}

TEST_F(Daemon, IsKilledAfterItsWorkersWhenMemoryRunsOut) {
  const RunningDaemon daemon(project_, 2);
  const auto adjustment = [](pid_t pid) {
    return std::stoi(read_file("/proc/" + std::to_string(pid) + "/oom_score_adj"));
  };
  if (adjustment(daemon.pid()) == 1000) GTEST_SKIP() << "the whole test is to end first already";
  for (const pid_t worker : daemon.workers())
    EXPECT_GT(adjustment(worker), adjustment(daemon.pid()));
}

TEST_F(Daemon, ReportsItsStatusAndItsWorkers) {
  write_job(1);
  RunningDaemon daemon(project_, 2);
  const auto status = project_.heddle_json({"status"});
  EXPECT_EQ(status.at("pid").as_int64(), daemon.pid());
  EXPECT_EQ(status.at("jobs").as_int64(), 1);
  EXPECT_THAT(project_.heddle({"status"}).out, HasSubstr("worker 2"));
  const ProgramResult missing = project_.heddle({"workers", "restart", "77"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("there is no worker 77"));
}

TEST_F(Daemon, ShutsDownWithAllItsProcessesOnATerminationSignal) {
  write_job(1);
  RunningDaemon daemon(project_, 2);
  const std::vector<pid_t> children = daemon.children();
  EXPECT_GE(children.size(), 2U);
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0) << daemon.log();
  EXPECT_TRUE(exit_within(children, std::chrono::milliseconds(0)));
  EXPECT_FALSE(std::filesystem::exists(project_.path() / "data/heddle.sock"));
}

TEST_F(Daemon, ExitsImmediatelyOnASecondSignal) {
  pause_ = std::chrono::seconds(4);
  write_job(2);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages"});
  ASSERT_TRUE(eventually([&] { return site_.count("/page") > 0; }));
  const std::vector<pid_t> children = daemon.children();
  daemon.signal(SIGTERM);
  ASSERT_TRUE(daemon.logs("shutting down"));
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 130);
  EXPECT_TRUE(exit_within(children, std::chrono::seconds(1)));
  pause_ = std::chrono::milliseconds(0);
}

TEST_F(Daemon, ExitsImmediatelyOnTwoSignalsThatArriveTogether) {
  pause_ = std::chrono::seconds(4);
  write_job(2);
  RunningDaemon daemon(project_, 1);
  RunningHeddle follower(project_.path(), {"run", "pages"});
  ASSERT_TRUE(eventually([&] { return site_.count("/page") > 0; }));
  const std::vector<pid_t> children = daemon.children();
  // Two different ones, since a pending signal is not queued twice. Which thread runs which handler
  // first is the kernel's choice; app/interrupt_test.cpp has the order in which no loop runs.
  daemon.signal(SIGSTOP);
  daemon.signal(SIGTERM);
  daemon.signal(SIGINT);
  daemon.signal(SIGCONT);
  EXPECT_EQ(daemon.wait().exit_code, 130);
  EXPECT_TRUE(exit_within(children, std::chrono::seconds(1)));
  pause_ = std::chrono::milliseconds(0);
}

TEST_F(Daemon, ShutsDownWhenItsDatabaseIsRemoved) {
  RunningDaemon daemon(project_, 1);
  std::filesystem::remove(project_.database());
  const ProgramResult end = daemon.wait();
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(daemon.log(), HasSubstr("was removed or replaced"));
}

TEST_F(Daemon, AllowsDebugRuns) {
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle({"debug", "pages"}).exit_code, 0);
}

TEST_F(Daemon, ReportsTheEndOfARunWithALongReport) {
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

TEST_F(Daemon, RejectsCommandsOfAnotherBuild) {
  const RunningDaemon daemon(project_, 1);
  auto socket = ipc::connect_to(project_.path() / "data/heddle.sock");
  ASSERT_TRUE(socket);
  boost::asio::io_context loop;
  ipc::Channel channel(loop.get_executor(), std::move(*socket));
  std::string message;
  const auto visit = [&]() -> Async<void> {
    ipc::Handshake ours = ipc::make_handshake("command", "0.0.0");
    const auto handshake =
        co_await ipc::exchange_handshake(channel, std::move(ours), Deadline::clock::now() + 60s);
    if (!handshake) message = handshake.error().message;
    EXPECT_FALSE(co_await channel.receive());  // no further frame
  };
  boost::asio::co_spawn(loop, visit(), boost::asio::detached);
  loop.run();
  EXPECT_THAT(message, HasSubstr("the daemon (pid "));
}

// Answers every handshake as version 0.0.0 until a signal ends the process.
Async<void> answer_as_other_version(ipc::Acceptor& acceptor) {
  const auto loop = co_await boost::asio::this_coro::executor;
  while (true) {
    auto connection = co_await acceptor.accept();
    if (!connection) co_return;
    const auto channel = std::make_unique<ipc::Channel>(loop, std::move(*connection));
    ipc::Handshake ours = ipc::make_handshake("daemon", "0.0.0");
    (void)co_await ipc::exchange_handshake(*channel, std::move(ours), Deadline::max());
    (void)co_await channel->flushed();
  }
}

[[noreturn]] void run_other_version(const std::filesystem::path& socket) {
  boost::asio::io_context loop;
  auto listening = ipc::listen_at(socket);
  if (!listening) _exit(1);
  ipc::Acceptor acceptor(loop.get_executor(), std::move(*listening));
  boost::asio::co_spawn(loop, answer_as_other_version(acceptor), boost::asio::detached);
  loop.run();
  _exit(1);
}

TEST(DaemonOfAnotherVersion, IsNamedByCommandsAndStoppedByDown) {
  ProjectFolder project;
  const auto socket = project.path() / "data/heddle.sock";
  std::filesystem::create_directories(socket.parent_path());
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) run_other_version(socket);
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(ipc::connect_to(socket)); }));

  const ProgramResult status = project.heddle({"status"});
  EXPECT_EQ(status.exit_code, 1);
  EXPECT_THAT(status.err, HasSubstr("the daemon (pid " + std::to_string(pid) +
                                    ") is version 0.0.0, this command is version "));
  const ProgramResult down = project.heddle({"down"});
  EXPECT_EQ(down.exit_code, 0) << down.err;
  EXPECT_EQ(down.out, "the daemon (pid " + std::to_string(pid) + ") has stopped\n");
  if (down.exit_code != 0) kill(pid, SIGKILL);
  int ended = 0;
  ASSERT_EQ(waitpid(pid, &ended, 0), pid);
  EXPECT_TRUE(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM);
}

// The log is a pipe that is full from the start.
TEST_F(Daemon, RunsAndShutsDownWhenItsLogIsNotRead) {
  write_job(20);
  project_.write("jobs/pages/hooks.lua",
                 "function on_success() for i = 1, 200 do log(('x'):rep(100)) end end\n");
  const auto log = project_.path() / "up.err";
  ASSERT_EQ(mkfifo(log.c_str(), 0600), 0);
  const FileDescriptor pipe(open(log.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_GT(fcntl(pipe.get(), F_SETPIPE_SZ, 4096), 0);

  RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  daemon.signal(SIGTERM);
  std::filesystem::remove(log);
  project_.write("up.err", "");  // read by wait()
  EXPECT_EQ(daemon.wait().exit_code, 0);
}

}  // namespace
}  // namespace heddle::testing
