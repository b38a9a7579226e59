#include "process/spawn.hpp"

#include <algorithm>
#include <csignal>
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
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using testing::exits_eventually;
using testing::is_alive;
using testing::read_pid;
using testing::run_async;
using testing::TemporaryFolder;

SpawnSpec shell(std::string script) {
  SpawnSpec spec;
  spec.argv = {"/bin/sh", "-c", std::move(script)};
  spec.environment = {"PATH=/usr/bin:/bin"};
  return spec;
}

Spawned start(const SpawnSpec& spec) {
  auto spawned = spawn(spec);
  if (!spawned) throw std::runtime_error(spawned.error().message);
  return std::move(*spawned);
}

ExitStatus end_of(const SpawnSpec& spec) {
  Spawned spawned = start(spec);
  return run_async(spawned.wait());
}

// Runs the script with a file as its standard output and returns what it wrote.
std::string output_of(SpawnSpec spec) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "output";
  const FileDescriptor output(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  spec.descriptors.push_back({output.get(), STDOUT_FILENO});
  end_of(spec);
  return testing::read_file(file);
}

TEST(Spawn, SetsTheDescriptorLimitOfTheChild) {
  SpawnSpec spec = shell("ulimit -Sn; ulimit -Hn");
  const std::string ours = output_of(spec);
  spec.descriptor_limit = 100;
  EXPECT_EQ(output_of(spec), "100" + ours.substr(ours.find('\n'))) << "the hard one stays";
}

TEST(Spawn, ReportsTheExitCode) {
  const ExitStatus exit_status = end_of(shell("exit 7"));

  EXPECT_EQ(exit_status.exit_code, 7);
  EXPECT_EQ(exit_status.signal, std::nullopt);
  EXPECT_FALSE(exit_status.succeeded());
  EXPECT_EQ(describe(exit_status), "exit code 7");
}

TEST(Spawn, ReportsTheSignalOfAKill) {
  const ExitStatus exit_status = end_of(shell("kill -KILL $$"));

  EXPECT_EQ(exit_status.exit_code, std::nullopt);
  EXPECT_EQ(exit_status.signal, SIGKILL);
  EXPECT_EQ(describe(exit_status), "killed by signal 9 (Killed)");
}

TEST(Spawn, ReportsNoStatusWhenTheChildWasReapedElsewhere) {
  Spawned spawned = start(shell("exit 7"));
  int status = 0;
  ASSERT_EQ(waitpid(spawned.pid(), &status, 0), spawned.pid());
  const ExitStatus exit_status = run_async(spawned.wait());
  EXPECT_FALSE(exit_status.exit_code || exit_status.signal);
  EXPECT_EQ(describe(exit_status),
            "its exit status is unknown: another part of this program has collected it");
}

TEST(Spawn, ReportsABusErrorWithoutACoreDump) {
  const ExitStatus exit_status = end_of(shell("ulimit -c 0; kill -BUS $$"));

  EXPECT_EQ(exit_status.signal, SIGBUS);
  EXPECT_FALSE(exit_status.dumped_core);
}

// The machine may forbid core files or pipe them to a program.
TEST(Spawn, ReportsTheCoreDumpOfASegmentationFault) {
  std::string pattern;
  std::getline(std::ifstream("/proc/sys/kernel/core_pattern"), pattern);
  rlimit limit{};
  getrlimit(RLIMIT_CORE, &limit);
  const std::filesystem::path where = std::filesystem::path(pattern).parent_path();
  const bool has_folder = where.empty() || std::filesystem::is_directory(where);
  if (pattern.empty() || pattern[0] == '|' || limit.rlim_max == 0 || !has_folder)
    GTEST_SKIP() << "no core files here";
  const TemporaryFolder folder;
  SpawnSpec spec = shell("ulimit -c unlimited; kill -SEGV $$");
  spec.directory = folder.path();

  const ExitStatus exit_status = end_of(spec);

  EXPECT_EQ(exit_status.signal, SIGSEGV);
  EXPECT_TRUE(exit_status.dumped_core);
  EXPECT_EQ(describe(exit_status), "killed by signal 11 (Segmentation fault) (core dumped)");
}

TEST(Spawn, ReportsCpuTimeAndPeakMemory) {
  const ExitStatus exit_status = end_of(shell("exec dd if=/dev/zero of=/dev/null bs=64M count=4"));

  EXPECT_EQ(exit_status.exit_code, 0);
  EXPECT_GT(exit_status.user_time + exit_status.system_time, 0us);
  EXPECT_GT(exit_status.peak_memory_bytes, 60'000'000);
  EXPECT_LT(exit_status.peak_memory_bytes, 200'000'000);
}

TEST(Spawn, PassesArgumentsEnvironmentAndFolder) {
  const TemporaryFolder folder;
  SpawnSpec spec;
  spec.argv = {"/bin/sh", "-c", "printf '%s|' \"$@\"; env | sort; pwd -P", "sh", "a b", "", "*"};
  spec.environment = {"B=2 3", "A=", "PATH=/usr/bin:/bin", "PWD=/"};
  spec.directory = folder.path();

  EXPECT_EQ(output_of(spec), "a b||*|A=\nB=2 3\nPATH=/usr/bin:/bin\nPWD=" + folder.path().string() +
                                 "\n" + std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(Spawn, ResetsSignalDispositions) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto handler = std::signal(SIGPIPE, SIG_IGN);
  SpawnSpec spec;
  spec.argv = {"/bin/grep", "-cE", "^Sig(Blk|Ign):.0*$", "/proc/self/status"};

  EXPECT_EQ(output_of(spec), "2\n");

  std::signal(SIGPIPE, handler);
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGTERM), 1);
  EXPECT_EQ(sigismember(&after, SIGINT), 0);
}

TEST(Spawn, PassesOnlyTheListedDescriptors) {
  const FileDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor inheritable(open("/dev/null", O_RDONLY));  // not even this one
  SpawnSpec spec;
  spec.argv = {"/bin/ls", "/proc/self/fd"};
  spec.descriptors = {{null.get(), 7}, {null.get(), 40}};

  EXPECT_EQ(output_of(spec), "0\n1\n2\n3\n40\n7\n");  // 3: the folder itself
}

TEST(Spawn, OpensDevNullForUnlistedStandardStreams) {
  EXPECT_EQ(end_of(shell("[ \"$(readlink /proc/$$/fd/0)$(readlink /proc/$$/fd/1)"
                         "$(readlink /proc/$$/fd/2)\" = /dev/null/dev/null/dev/null ]"))
                .exit_code,
            0);
}

// Every order of the three: source numbers are targets of one another.
TEST(Spawn, RenumbersDescriptorsInAnyOrder) {
  const TemporaryFolder folder;
  std::vector<FileDescriptor> files;
  std::vector<int> numbers;
  for (const std::string name : {"a", "b", "c"}) {
    files.emplace_back(open(folder.write(name, name).c_str(), O_RDONLY | O_CLOEXEC));
    numbers.push_back(files.back().get());
  }
  std::vector<std::size_t> order{0, 1, 2};
  do {
    std::string script = "cd /proc/self/fd; cat";
    for (const int number : numbers) script += " " + std::to_string(number);
    SpawnSpec spec = shell(script);
    std::string expected;
    for (std::size_t i = 0; i < order.size(); ++i) {
      spec.descriptors.push_back({numbers[order[i]], numbers[i]});
      expected += "abc"[order[i]];
    }
    EXPECT_EQ(output_of(spec), expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Spawn, SwapsTheStandardStreams) {
  const TemporaryFolder folder;
  const auto left = folder.path() / "left";
  const auto right = folder.path() / "right";
  const int code = testing::exit_code_of([&] {
    close(STDOUT_FILENO);
    open(left.c_str(), O_WRONLY | O_CREAT, 0600);
    close(STDERR_FILENO);
    open(right.c_str(), O_WRONLY | O_CREAT, 0600);
    SpawnSpec spec = shell("echo out; echo err >&2");
    spec.descriptors = {{STDOUT_FILENO, STDERR_FILENO}, {STDERR_FILENO, STDOUT_FILENO}};
    return end_of(spec).exit_code.value_or(1);
  });

  EXPECT_EQ(code, 0);
  EXPECT_EQ(testing::read_file(left), "err\n");
  EXPECT_EQ(testing::read_file(right), "out\n");
}

TEST(Spawn, WorksInAProcessWithoutStandardStreams) {
  const int code = testing::exit_code_of([] {
    close_range(0, 2, 0);
    return end_of(shell("[ -c /dev/stdin ] && exit 42")).exit_code.value_or(1);
  });

  EXPECT_EQ(code, 42);
}

TEST(Spawn, NeedsNoMoreThanOneFreeDescriptor) {
  const int code = testing::exit_code_of([] {
    const rlimit limit{64, 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    int last = -1;
    for (int next = 0; next >= 0; next = open("/dev/null", O_RDONLY)) last = next;
    close(last);
    SpawnSpec spec = shell("exit 0");
    spec.descriptors = {{5, 4}, {6, 5}, {4, 6}};
    return spawn(spec) ? 0 : 1;
  });

  EXPECT_EQ(code, 0);
}

TEST(Spawn, RunsInItsOwnGroup) {
  const Spawned spawned = start(shell("sleep 1000"));
  EXPECT_EQ(getpgid(spawned.pid()), spawned.pid());
}

TEST(Spawn, KillsTheRestOfTheGroupBeforeItReaps) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  const ExitStatus exit_status = end_of(shell("sleep 1000 & echo $! > " + file.string()));

  EXPECT_EQ(exit_status.exit_code, 0);
  EXPECT_TRUE(exits_eventually(read_pid(file)));
}

TEST(Spawn, SignalsTheProcessAloneOrItsGroup) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  Spawned spawned = start(shell("sleep 1000 & echo $! > " + file.string() + "; wait"));
  const pid_t grandchild = read_pid(file);

  EXPECT_TRUE(spawned.send_signal(SIGSTOP));
  EXPECT_TRUE(testing::eventually([&] { return testing::state_of(spawned.pid()) == 'T'; }));
  EXPECT_TRUE(is_alive(grandchild));
  EXPECT_NE(testing::state_of(grandchild), 'T');

  EXPECT_TRUE(spawned.kill_group(SIGKILL));
  EXPECT_TRUE(exits_eventually(grandchild));
  EXPECT_EQ(run_async(spawned.wait()).signal, SIGKILL);
}

TEST(Spawn, SendsNoSignalAfterReaping) {
  Spawned spawned = start(shell("exit 5"));
  const pid_t pid = spawned.pid();
  EXPECT_FALSE(spawned.is_reaped());

  EXPECT_EQ(run_async(spawned.wait()).pid, pid);

  EXPECT_TRUE(spawned.is_reaped());
  EXPECT_FALSE(spawned.send_signal(0));
  EXPECT_FALSE(spawned.kill_group(0));
  EXPECT_EQ(run_async(spawned.wait()).exit_code, 5);  // the status is kept
  EXPECT_EQ(spawned.pid(), pid);
}

Async<bool> ends_within(Spawned& spawned, std::chrono::milliseconds timeout) {
  using namespace boost::asio::experimental::awaitable_operators;
  boost::asio::steady_timer alarm(co_await boost::asio::this_coro::executor, timeout);
  const auto first = co_await (spawned.wait() ||
                               alarm.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable)));
  co_return first.index() == 0;
}

TEST(Spawn, KeepsTheProcessRunningWhenTheWaitIsCancelled) {
  Spawned spawned = start(shell("sleep 1000"));

  EXPECT_FALSE(run_async(ends_within(spawned, 10ms)));
  EXPECT_FALSE(spawned.is_reaped());
  EXPECT_TRUE(is_alive(spawned.pid()));

  EXPECT_TRUE(spawned.kill_group(SIGTERM));
  EXPECT_EQ(run_async(spawned.wait()).signal, SIGTERM);
}

TEST(Spawn, OutlivesTheLoopThatWaitedForIt) {
  Spawned spawned = start(shell("sleep 1000"));
  {
    boost::asio::io_context loop;
    boost::asio::co_spawn(loop, spawned.wait(), boost::asio::detached);
    loop.poll();
  }
  EXPECT_TRUE(is_alive(spawned.pid()));
  EXPECT_TRUE(spawned.send_signal(SIGKILL));
  EXPECT_EQ(run_async(spawned.wait()).signal, SIGKILL);
}

TEST(Spawn, KillsAndReapsOnDestruction) {
  pid_t pid = 0;
  {
    const Spawned first = start(shell("sleep 1000"));
    pid = first.pid();
  }
  EXPECT_FALSE(is_alive(pid));
  EXPECT_FALSE(testing::has_children());
}

TEST(Spawn, KeepsOneOwnerWhenMoved) {
  Spawned first = start(shell("exit 6"));
  Spawned second(std::move(first));

  EXPECT_FALSE(first.send_signal(SIGKILL));  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(run_async(second.wait()).exit_code, 6);
}

// Runs one shell per code, all at once.
std::vector<int> exit_codes_of(const std::vector<int>& wanted) {
  std::vector<Spawned> all;
  all.reserve(wanted.size());
  for (const int code : wanted) all.push_back(start(shell("exit " + std::to_string(code))));
  std::vector<int> codes(all.size(), -1);
  boost::asio::io_context loop;
  for (std::size_t i = 0; i < all.size(); ++i)
    boost::asio::co_spawn(loop, all[i].wait(),
                          [&codes, i](const std::exception_ptr&, const ExitStatus& exit_status) {
                            codes[i] = exit_status.exit_code.value_or(-1);
                          });
  loop.run();
  return codes;
}

TEST(Spawn, ReapsHundredsAtOnceAndLeaksNothing) {
  const std::size_t open_before = testing::count_open_descriptors();
  std::vector<int> expected(200);
  std::iota(expected.begin(), expected.end(), 0);

  EXPECT_EQ(exit_codes_of(expected), expected);

  EXPECT_FALSE(testing::has_children());
  EXPECT_EQ(testing::count_open_descriptors(), open_before);
}

TEST(Spawn, ReportsAMissingProgram) {
  SpawnSpec spec;
  spec.argv = {"/no/such/program"};

  const auto spawned = spawn(spec);

  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, ErrorCode::not_found);
  EXPECT_NE(spawned.error().message.find("/no/such/program"), std::string::npos);
  EXPECT_FALSE(testing::has_children());
}

TEST(Spawn, ReportsAMissingFolder) {
  SpawnSpec spec = shell("exit 0");
  spec.directory = "/no/such/folder";

  const auto spawned = spawn(spec);

  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, ErrorCode::not_found);
  EXPECT_EQ(spawned.error().message, "folder /no/such/folder: No such file or directory");
}

TEST(Spawn, ReportsAMissingInterpreter) {
  const TemporaryFolder folder;
  const auto file = folder.write("script", "#!/no/such/interpreter\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  SpawnSpec spec;
  spec.argv = {file.string()};

  const auto spawned = spawn(spec);

  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, ErrorCode::not_found);
  EXPECT_EQ(spawned.error().message,
            file.string() + ": its interpreter: No such file or directory");
}

TEST(Spawn, ReportsAFileThatCannotBeExecuted) {
  const TemporaryFolder folder;
  SpawnSpec spec;
  spec.argv = {folder.path().string()};

  const auto spawned = spawn(spec);

  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, ErrorCode::unavailable);
  EXPECT_EQ(spawned.error().message, folder.path().string() + ": Permission denied");
}

TEST(Spawn, ReportsADescriptorThatIsNotOpen) {
  SpawnSpec spec = shell("exit 0");
  spec.descriptors = {{12345, 3}};

  const auto spawned = spawn(spec);

  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, ErrorCode::unavailable);
  EXPECT_EQ(spawned.error().message, "/bin/sh: descriptors: Bad file descriptor");
}

TEST(Spawn, RejectsInvalidSpecs) {
  SpawnSpec twice = shell("exit 0");
  twice.descriptors = {{0, 3}, {1, 3}};
  SpawnSpec negative = shell("exit 0");
  negative.descriptors = {{0, -1}};
  SpawnSpec cut = shell("exit 0");
  cut.argv.emplace_back("a\0b", 3);

  for (const SpawnSpec& spec : {SpawnSpec{}, twice, negative, cut}) {
    const auto spawned = spawn(spec);
    ASSERT_FALSE(spawned);
    EXPECT_EQ(spawned.error().code, ErrorCode::bad_input);
  }
}

TEST(Spawn, FailsWhileSigchldIsIgnored) {
  const int code = testing::exit_code_of([] {
    std::signal(SIGCHLD, SIG_IGN);
    const auto spawned = spawn(shell("exit 0"));
    return !spawned && spawned.error().code == ErrorCode::unavailable ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace heddle::process
