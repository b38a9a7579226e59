#include "process/shepherded.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "process/output_capture.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/shepherd_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::exits_eventually;
using testing::has_children;
using testing::is_alive;
using testing::read_pid;
using testing::run_async;
using testing::state_of;
using testing::TemporaryFolder;

ShepherdedSpec shell(const std::string& script) {
  ShepherdedSpec spec;
  spec.program.argv = {"/bin/sh", "-c", script};
  spec.program.environment = {"PATH=/usr/bin:/bin"};
  spec.shepherd = testing::shepherd_file();
  return spec;
}

ShepherdedSpec shell_in(const TemporaryFolder& folder, const std::string& script) {
  ShepherdedSpec spec = shell(script);
  spec.program.directory = folder.path();
  return spec;
}

bool has_soon(const TemporaryFolder& folder, const std::vector<const char*>& names) {
  return eventually([&] {
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
      return std::filesystem::exists(folder.path() / name);
    });
  });
}

// Forks twice and calls setsid, as daemons do, then writes its pid to "daemon".
constexpr const char* kDaemon =
    "(setsid sh -c 'echo $$ > daemon.new; mv daemon.new daemon; exec sleep 1000' &)\n"
    "while ! [ -e daemon ]; do sleep 0.01; done\n";

std::unique_ptr<Shepherded> start(ShepherdedSpec spec) {
  auto started = run_async(Shepherded::start(std::move(spec)));
  if (!started) throw std::runtime_error(started.error().message);
  return std::move(*started);
}

Error start_error_of(ShepherdedSpec spec) {
  auto started = run_async(Shepherded::start(std::move(spec)));
  if (started) return {ErrorCode::bug, "it started"};
  return started.error();
}

TEST(Shepherded, ReportsPidAndExitCode) {
  const auto program = start(shell("exit 5"));
  const ExitStatus exit_status = run_async(program->wait());

  EXPECT_EQ(exit_status.pid, program->pid());
  EXPECT_EQ(exit_status.exit_code, 5);
  EXPECT_EQ(exit_status.signal, std::nullopt);
  EXPECT_GT(exit_status.peak_memory_bytes, 100'000);
  EXPECT_EQ(run_async(program->wait()).exit_code, 5);
}

TEST(Shepherded, ReportsTheSignalThatEndedTheProgram) {
  EXPECT_EQ(run_async(start(shell("kill -KILL $$"))->wait()).signal, SIGKILL);
  EXPECT_EQ(run_async(start(shell("ulimit -c 0; kill -BUS $$"))->wait()).signal, SIGBUS);
}

TEST(Shepherded, ReportsCpuTimeAndPeakMemory) {
  const auto program = start(shell("exec dd if=/dev/zero of=/dev/null bs=64M count=4"));
  const ExitStatus exit_status = run_async(program->wait());

  EXPECT_GT(exit_status.user_time + exit_status.system_time, 0us);
  EXPECT_GT(exit_status.peak_memory_bytes, 60'000'000);
}

TEST(Shepherded, StartsTheProgramInItsOwnSession) {
  const auto program = start(shell("sleep 1000"));

  EXPECT_EQ(getsid(program->pid()), program->pid());
  EXPECT_EQ(getpgid(program->pid()), program->pid());
  EXPECT_NE(program->pid(), program->shepherd_pid());
}

TEST(Shepherded, ReportsAMissingProgramOrFolder) {
  ShepherdedSpec no_program = shell("");
  no_program.program.argv = {"/no/such/program"};
  ShepherdedSpec no_folder = shell("");
  no_folder.program.directory = "/no/such/folder";

  const Error program_error = start_error_of(std::move(no_program));
  const Error folder_error = start_error_of(std::move(no_folder));

  EXPECT_EQ(program_error.code, ErrorCode::not_found);
  EXPECT_EQ(program_error.message, "/no/such/program: No such file or directory");
  EXPECT_EQ(folder_error.code, ErrorCode::not_found);
  EXPECT_EQ(folder_error.message, "folder /no/such/folder: No such file or directory");
  EXPECT_FALSE(has_children());
}

TEST(Shepherded, ReportsAMissingShepherdAsUnavailable) {
  ShepherdedSpec spec = shell("exit 0");
  spec.shepherd = "/no/such/shepherd";

  EXPECT_EQ(start_error_of(std::move(spec)).code, ErrorCode::unavailable);
}

TEST(Shepherded, RejectsAnotherProtocolVersion) {
  SpawnSpec spec;
  spec.argv = {testing::shepherd_file().string(), "999", "3", "0", "/bin/true"};
  auto shepherd = spawn(spec);
  ASSERT_TRUE(shepherd);

  EXPECT_EQ(run_async(shepherd->wait()).exit_code, 64);
}

// With a grace of an hour this returns only when both streams end.
std::string output_of(Shepherded& program) {
  std::string text;
  const auto keep = [&text](std::string_view piece) { text.append(piece); };
  OutputCapture output(program.take_output(), 0, keep);
  OutputCapture errors(program.take_errors(), 0, keep);
  run_async(capture_until_end(program.wait(), output, errors, 1h));
  return text;
}

TEST(Shepherded, ClosesItsCopiesOfTheStreams) {
  EXPECT_EQ(output_of(*start(shell("echo out; sleep 0.05; echo err >&2"))), "out\nerr\n");
}

TEST(Shepherded, PassesFolderEnvironmentAndDescriptorsButNotItsOwn) {
  const TemporaryFolder folder;
  const FileDescriptor file(open(folder.write("file", "text").c_str(), O_RDONLY | O_CLOEXEC));
  ShepherdedSpec spec = shell_in(folder,
                                 "ls /proc/self/fd; cat <&7; printf '|%s|' \"$X\"; "
                                 "env | grep -c HEDDLE_TREE; env | grep another; pwd -P");
  spec.program.environment = {"PATH=/usr/bin:/bin", "HEDDLE_TREE=another", "X=a b"};
  spec.program.descriptors = {{file.get(), 7}};

  EXPECT_EQ(
      output_of(*start(std::move(spec))),
      "0\n1\n2\n3\n7\ntext|a b|1\n" + std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(Shepherded, GivesTheProgramDefaultSignals) {
  EXPECT_EQ(output_of(*start(shell("grep -cE '^Sig(Blk|Ign):.0*$' /proc/self/status"))), "2\n");
}

TEST(Shepherded, SignalsTheWholeTree) {
  const TemporaryFolder folder;
  ShepherdedSpec spec = shell_in(
      folder,
      "(setsid sh -c 'trap \"touch daemon_got_it; exit\" USR1; touch daemon_ready; "
      "while :; do sleep 0.02; done' &)\n"
      "trap 'touch main_got_it; exit 3' USR1; touch main_ready; while :; do sleep 0.02; done");
  spec.leftover_grace = 1h;  // the daemon ends by itself
  const auto program = start(std::move(spec));
  ASSERT_TRUE(has_soon(folder, {"daemon_ready", "main_ready"}));

  EXPECT_TRUE(program->signal(SIGUSR1));

  EXPECT_EQ(run_async(program->wait()).exit_code, 3);
  run_async(program->wait_for_tree());
  EXPECT_TRUE(has_soon(folder, {"daemon_got_it", "main_got_it"}));
}

TEST(Shepherded, SignalsADaemonThatLeftTheSession) {
  const TemporaryFolder folder;
  const auto program =
      start(shell_in(folder, std::string(kDaemon) + "trap '' TERM; touch ready; "
                                                    "while :; do sleep 0.02; done"));
  ASSERT_TRUE(has_soon(folder, {"ready"}));
  const pid_t daemon = read_pid(folder.path() / "daemon");

  EXPECT_TRUE(program->signal(SIGTERM));

  EXPECT_TRUE(exits_eventually(daemon));
  EXPECT_TRUE(is_alive(program->pid()));
}

TEST(Shepherded, KillsTheWholeTree) {
  const TemporaryFolder folder;
  const auto program =
      start(shell_in(folder, std::string(kDaemon) + "sleep 1000 & echo $! > child; wait"));
  const pid_t daemon = read_pid(folder.path() / "daemon");
  const pid_t child = read_pid(folder.path() / "child");
  ASSERT_TRUE(is_alive(daemon));

  EXPECT_TRUE(program->kill_tree());

  EXPECT_EQ(run_async(program->wait()).signal, SIGKILL);
  run_async(program->wait_for_tree());
  EXPECT_FALSE(is_alive(daemon));
  EXPECT_FALSE(is_alive(child));
  EXPECT_FALSE(program->signal(SIGTERM));
  EXPECT_FALSE(has_children());
}

TEST(Shepherded, KillsWhatTheProgramLeavesBehind) {
  const TemporaryFolder folder;
  const auto program = start(shell_in(folder, std::string(kDaemon) + "exit 0"));

  EXPECT_EQ(run_async(program->wait()).exit_code, 0);
  run_async(program->wait_for_tree());

  EXPECT_FALSE(is_alive(read_pid(folder.path() / "daemon")));
}

TEST(Shepherded, ReportsTheExitBeforeTheLeftoverGraceEnds) {
  const TemporaryFolder folder;
  ShepherdedSpec spec =
      shell_in(folder,
               "(setsid sh -c 'touch away; while ! [ -e go ]; do sleep 0.01; done;"
               " touch done' &); while ! [ -e away ]; do sleep 0.01; done; exit 4");
  spec.leftover_grace = 1h;
  const auto program = start(std::move(spec));

  EXPECT_EQ(run_async(program->wait()).exit_code, 4);  // while the leftover still waits
  folder.write("go", "");
  run_async(program->wait_for_tree());

  EXPECT_TRUE(std::filesystem::exists(folder.path() / "done"));
}

TEST(Shepherded, KillsLeftoversWhenTheGraceEnds) {
  const TemporaryFolder folder;
  ShepherdedSpec spec = shell_in(folder, std::string(kDaemon) + "exit 0");
  spec.leftover_grace = 50ms;
  const auto program = start(std::move(spec));

  run_async(program->wait());
  run_async(program->wait_for_tree());

  EXPECT_FALSE(is_alive(read_pid(folder.path() / "daemon")));
}

TEST(Shepherded, KillsTheTreeOnDestruction) {
  const TemporaryFolder folder;
  pid_t program_pid = 0;
  {
    const auto program = start(shell_in(folder, std::string(kDaemon) + "touch ready; sleep 1000"));
    ASSERT_TRUE(has_soon(folder, {"ready"}));
    program_pid = program->pid();
  }
  EXPECT_FALSE(is_alive(program_pid));
  EXPECT_FALSE(is_alive(read_pid(folder.path() / "daemon")));
  EXPECT_FALSE(has_children());
}

// Acts as a coordinator until it is killed.
[[noreturn]] void run_coordinator(ShepherdedSpec spec, const std::filesystem::path& file) {
  const auto program = start(std::move(spec));
  std::ofstream(file) << program->shepherd_pid() << '\n';
  while (true) pause();
}

TEST(Shepherded, LeavesNothingWhenTheCoordinatorIsKilled) {
  const TemporaryFolder folder;
  ShepherdedSpec spec = shell_in(folder, "echo $$ > program; " + std::string(kDaemon) +
                                             "trap '' TERM HUP INT; while :; do sleep 1; done");
  spec.leftover_grace = 1h;  // must not matter
  const pid_t coordinator = fork();
  if (coordinator == 0) run_coordinator(std::move(spec), folder.path() / "shepherd");
  const std::vector<pid_t> all{read_pid(folder.path() / "shepherd"),
                               read_pid(folder.path() / "program"),
                               read_pid(folder.path() / "daemon")};
  ASSERT_TRUE(std::all_of(all.begin(), all.end(), is_alive));

  kill(coordinator, SIGKILL);
  waitpid(coordinator, nullptr, 0);

  EXPECT_TRUE(std::all_of(all.begin(), all.end(), exits_eventually));
}

TEST(Shepherded, IgnoresSignalsToTheShepherd) {
  const auto program = start(shell("sleep 1000"));
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM,
                           SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGRTMIN})
    EXPECT_EQ(kill(program->shepherd_pid(), signal), 0);

  EXPECT_TRUE(program->signal(SIGTERM));  // it still reads commands

  EXPECT_EQ(run_async(program->wait()).signal, SIGTERM);
}

TEST(Shepherded, SurvivesAScriptThatKillsItsWholeGroup) {
  const auto program = start(shell("trap '' TERM; kill -TERM 0; exit 4"));

  EXPECT_EQ(run_async(program->wait()).exit_code, 4);
}

TEST(Shepherded, KillsTheTreeWhenTheShepherdIsKilled) {
  const TemporaryFolder folder;
  const auto program = start(shell_in(folder, std::string(kDaemon) + "touch ready; sleep 1000"));
  ASSERT_TRUE(has_soon(folder, {"ready"}));

  kill(program->shepherd_pid(), SIGKILL);

  const ExitStatus exit_status = run_async(program->wait());
  EXPECT_EQ(exit_status.pid, program->pid());
  EXPECT_EQ(exit_status.signal, SIGKILL);
  EXPECT_TRUE(exits_eventually(program->pid()));
  EXPECT_TRUE(exits_eventually(read_pid(folder.path() / "daemon")));
  EXPECT_FALSE(program->kill_tree());
}

TEST(Shepherded, KillsTheTreeOfAKilledShepherdOnDestruction) {
  const TemporaryFolder folder;
  auto program = start(shell_in(folder, std::string(kDaemon) + "touch ready; sleep 1000"));
  ASSERT_TRUE(has_soon(folder, {"ready"}));

  kill(program->shepherd_pid(), SIGKILL);
  program.reset();

  EXPECT_TRUE(exits_eventually(read_pid(folder.path() / "daemon")));
  EXPECT_FALSE(has_children());
}

TEST(Shepherded, KillsThroughAStoppedShepherd) {
  const auto program = start(shell("sleep 1000"));
  kill(program->shepherd_pid(), SIGSTOP);
  ASSERT_TRUE(eventually([&] { return state_of(program->shepherd_pid()) == 'T'; }));

  EXPECT_TRUE(program->kill_tree());

  EXPECT_EQ(run_async(program->wait()).signal, SIGKILL);
}

TEST(Shepherded, ReapsOrphansWhileTheProgramRuns) {
  const TemporaryFolder folder;
  const auto program =
      start(shell_in(folder, "(sh -c 'echo $$ > orphan.new; mv orphan.new orphan' &); sleep 1000"));
  const pid_t orphan = read_pid(folder.path() / "orphan");

  EXPECT_TRUE(eventually([&] { return state_of(orphan) == 0; }));  // not even a zombie
  EXPECT_TRUE(is_alive(program->pid()));
}

std::size_t count_processes_naming(const std::string& text) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string command = testing::read_file(entry.path() / "cmdline");
    if (command.starts_with("/bin/sh") && command.find(text) != std::string::npos) ++count;
  }
  return count;
}

TEST(Shepherded, KillsAProgramThatForksEndlessly) {
  const TemporaryFolder folder;
  const std::string mark = folder.path().string();
  const auto program =
      start(shell("while :; do setsid /bin/sh -c 'sleep 1000; :' " + mark + " & done; : " + mark));
  ASSERT_TRUE(eventually([&] { return count_processes_naming(mark) > 20; }));

  EXPECT_TRUE(program->kill_tree());
  run_async(program->wait_for_tree());

  EXPECT_EQ(count_processes_naming(mark), 0U);
}

Async<bool> ends_within(Shepherded& program, std::chrono::milliseconds timeout) {
  using namespace boost::asio::experimental::awaitable_operators;
  boost::asio::steady_timer alarm(co_await boost::asio::this_coro::executor, timeout);
  const auto first = co_await (program.wait() ||
                               alarm.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable)));
  co_return first.index() == 0;
}

TEST(Shepherded, KeepsTheTreeRunningWhenTheWaitIsCancelled) {
  const auto program = start(shell("sleep 1000"));

  EXPECT_FALSE(run_async(ends_within(*program, 10ms)));
  EXPECT_TRUE(is_alive(program->pid()));

  program->signal(SIGTERM);
  EXPECT_EQ(run_async(program->wait()).signal, SIGTERM);
}

Async<void> run_one(std::vector<int>& codes, std::size_t index) {
  ShepherdedSpec spec = shell("sleep 1000 & exit " + std::to_string(index));
  auto program = co_await Shepherded::start(std::move(spec));
  if (!program) co_return;
  const ExitStatus exit_status = co_await (*program)->wait();
  codes[index] = exit_status.exit_code.value_or(-1);
  co_await (*program)->wait_for_tree();
}

TEST(Shepherded, RunsManyAtOnceAndLeaksNothing) {
  const std::size_t open_before = testing::count_open_descriptors();
  std::vector<int> codes(50, -1);
  std::vector<int> expected(codes.size());
  std::iota(expected.begin(), expected.end(), 0);
  {
    boost::asio::io_context loop;
    for (std::size_t i = 0; i < codes.size(); ++i)
      boost::asio::co_spawn(loop, run_one(codes, i), boost::asio::detached);
    loop.run();
  }
  EXPECT_EQ(codes, expected);
  EXPECT_EQ(testing::count_open_descriptors(), open_before);
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace heddle::process
