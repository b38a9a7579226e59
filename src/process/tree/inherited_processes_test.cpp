// Each test runs in a forked process, because children belong to the whole process.
#include "process/tree/inherited_processes.hpp"

#include <atomic>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "process/shepherded.hpp"
#include "process/tree/own_children.hpp"
#include "process/tree/program_cgroup.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/shepherd_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using testing::exit_code_of;
using testing::is_alive;
using testing::read_pid;
using testing::run_async;
using testing::state_of;
using testing::TemporaryFolder;

// Clears its environment, leaves its session and, when the test has seen its start, kills its
// shepherd.
constexpr const char* kEscape =
    "(env -i setsid sh -c 'echo $$ > stray.new; mv stray.new stray; exec sleep 7023' &)\n"
    "while ! [ -e stray ] || ! [ -e started ]; do sleep 0.01; done\n"
    "kill -9 $PPID; sleep 7024";

ShepherdedSpec escaping(const TemporaryFolder& folder) {
  ShepherdedSpec spec;
  spec.program.argv = {"/bin/sh", "-c", kEscape};
  spec.program.environment = {"PATH=/usr/bin:/bin"};
  spec.program.directory = folder.path();
  spec.shepherd = testing::shepherd_file();
  return spec;
}

TEST(InheritedProcesses, AreKilledWhenAProgramKillsItsShepherd) {
  const TemporaryFolder folder;
  EXPECT_EQ(exit_code_of([&folder] {
              const SubreaperScope subreaper;
              ShepherdedSpec spec = escaping(folder);
              spec.kills_inherited = true;
              auto program = run_async(Shepherded::start(std::move(spec)));
              if (!program) return 1;
              folder.write("started", "");
              if (run_async((*program)->wait()).signal != SIGKILL) return 2;
              if (state_of(read_pid(folder.path() / "stray")) != 0) return 3;
              return testing::has_children() ? 4 : 0;
            }),
            0);
}

TEST(InheritedProcesses, AreKilledWhenTheObjectOfTheProgramIsDestroyed) {
  const TemporaryFolder folder;
  EXPECT_EQ(exit_code_of([&folder] {
              const SubreaperScope subreaper;
              ShepherdedSpec spec = escaping(folder);
              spec.kills_inherited = true;
              auto program = run_async(Shepherded::start(std::move(spec)));
              if (!program) return 1;
              folder.write("started", "");
              const pid_t shepherd = (*program)->shepherd_pid();
              const pid_t stray = read_pid(folder.path() / "stray");
              if (!testing::eventually([shepherd] { return state_of(shepherd) == 'Z'; })) return 2;
              program->reset();
              return state_of(stray) == 0 && !testing::has_children() ? 0 : 3;
            }),
            0);
}

TEST(InheritedProcesses, AreKilledWithTheirDescendants) {
  EXPECT_EQ(exit_code_of([] {
              const SubreaperScope subreaper;
              int pipe_ends[2];
              if (pipe(pipe_ends) != 0) return 1;
              const pid_t parent = fork();
              if (parent == 0) {  // leaves a tree of four processes and exits
                if (fork() == 0) {
                  fork();
                  fork();
                  if (write(pipe_ends[1], "x", 1) != 1) _exit(1);
                  while (true) pause();
                }
                _exit(0);
              }
              close(pipe_ends[1]);
              char seen = 0;
              for (int i = 0; i < 4; ++i)
                if (read(pipe_ends[0], &seen, 1) != 1) return 2;
              if (!kill_inherited_processes(10s)) return 3;
              // All ends of the pipe are closed.
              return read(pipe_ends[0], &seen, 1) == 0 && !testing::has_children() ? 0 : 4;
            }),
            0);
}

int run_true(int times) {
  for (int i = 0; i < times; ++i) {
    SpawnSpec spec;
    spec.argv = {"/bin/sh", "-c", "exit 7"};
    auto child = spawn(spec);
    if (!child) return 1;
    const auto end = child->wait_at_most(20s);
    if (!end || end->exit_code != 7) return 2;
  }
  return 0;
}

// A sweep at any moment must neither kill a child that spawn() starts nor take its exit status.
TEST(InheritedProcesses, AreNeverTheOwnChildren) {
  EXPECT_EQ(exit_code_of([] {
              const SubreaperScope subreaper;
              std::atomic<int> running{3};
              std::atomic<int> failures{0};
              std::vector<std::thread> threads;
              for (int i = 0; i < 3; ++i)
                threads.emplace_back([&] {
                  if (run_true(100) != 0) ++failures;
                  --running;
                });
              while (running > 0) kill_inherited_children();
              for (auto& thread : threads) thread.join();
              if (failures > 0) return 1;
              return own_children().empty() && kill_inherited_children() ? 0 : 2;
            }),
            0);
}

TEST(InheritedProcesses, AreLeftAloneWithoutTheOption) {
  const TemporaryFolder folder;
  EXPECT_EQ(exit_code_of([&folder] {
              const SubreaperScope subreaper;  // as a host may be
              const pid_t own = fork();
              if (own == 0) {
                while (true) pause();
              }
              auto program = run_async(Shepherded::start(escaping(folder)));
              if (!program) return 1;
              folder.write("started", "");
              run_async((*program)->wait());
              const bool is_own_alive = is_alive(own);
              const pid_t stray = read_pid(folder.path() / "stray");
              kill(own, SIGKILL);
              kill(stray, SIGKILL);
              while (waitpid(-1, nullptr, 0) > 0) {
              }
              return is_own_alive ? 0 : 2;
            }),
            0);
}

// A cgroup that this process may use, or an empty path: the test needs root and a cgroup2 mount.
class DelegatedCgroup {
 public:
  DelegatedCgroup() {
    for (const char* mount : {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"}) {
      const std::filesystem::path folder =
          std::filesystem::path(mount) / ("heddle_test-" + std::to_string(getpid()));
      std::error_code failed;
      if (!std::filesystem::exists(std::filesystem::path(mount) / "cgroup.procs", failed)) continue;
      if (!std::filesystem::create_directory(folder, failed)) continue;
      path_ = folder;
      return;
    }
  }
  ~DelegatedCgroup() {
    std::error_code failed;
    if (!path_.empty()) rmdir(path_.c_str());
  }
  DelegatedCgroup(const DelegatedCgroup&) = delete;
  DelegatedCgroup& operator=(const DelegatedCgroup&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(ProgramCgroup, KillsWhatAKilledShepherdLeft) {
  const DelegatedCgroup delegated;
  if (delegated.path().empty()) GTEST_SKIP() << "no cgroup can be created here";
  const TemporaryFolder folder;
  ShepherdedSpec spec = escaping(folder);
  spec.cgroup = delegated.path();
  auto program = run_async(Shepherded::start(std::move(spec)));
  ASSERT_TRUE(program) << program.error().message;
  folder.write("started", "");
  run_async((*program)->wait());
  EXPECT_FALSE(is_alive(read_pid(folder.path() / "stray")));
  program->reset();
  std::size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(delegated.path()))
    left += entry.is_directory() ? 1 : 0;
  EXPECT_EQ(left, 0U);
}

TEST(ProgramCgroup, IsOptional) {
  const TemporaryFolder folder;  // not a cgroup
  ShepherdedSpec spec = escaping(folder);
  spec.program.argv = {"/bin/sh", "-c", "exit 4"};
  spec.cgroup = folder.path() / "missing";
  auto program = run_async(Shepherded::start(std::move(spec)));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(run_async((*program)->wait()).exit_code, 4);
}

int look_for_a_cgroup(const std::filesystem::path& own) {
  {
    std::ofstream entrance(own / "cgroup.procs");
    if (!(entrance << getpid() << std::flush)) return 1;
  }
  const bool belongs_to_user = geteuid() != 0;
  if (!belongs_to_user && !find_delegated_cgroup().empty()) return 2;
  if (setxattr(own.c_str(), "user.delegate", "1", 1, 0) != 0) return 3;
  std::filesystem::create_directory(own / "heddle-2147483646-1");  // no such process
  if (find_delegated_cgroup() != own) return 4;
  return std::filesystem::exists(own / "heddle-2147483646-1") ? 5 : 0;
}

TEST(ProgramCgroup, IsLookedForOnlyWhereItIsDelegated) {
  const DelegatedCgroup delegated;
  if (delegated.path().empty()) GTEST_SKIP() << "no cgroup can be created here";
  EXPECT_EQ(exit_code_of([&delegated] { return look_for_a_cgroup(delegated.path()); }), 0);
}

}  // namespace
}  // namespace heddle::process
