#include "process/start_child.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>

#include "process/spawn.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

// Makes this process a subreaper until destruction.
class Subreaper {
 public:
  Subreaper() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Subreaper() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;
};

SpawnSpec touching(const std::filesystem::path& file) {
  SpawnSpec spec;
  spec.argv = {"/usr/bin/touch", file.string()};
  return spec;
}

// A process that waits to be traced and then spawns.
pid_t fork_spawner(const SpawnSpec& spec) {
  const pid_t pid = fork();
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    _exit(spawn(spec) ? 0 : 1);
  }
  return pid;
}

// Lets it run until it has cloned its child, which stops before its first instruction.
pid_t hold_new_child_of(pid_t parent) {
  int status = 0;
  waitpid(parent, &status, 0);
  ptrace(PTRACE_SETOPTIONS, parent, nullptr,
         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE);
  ptrace(PTRACE_CONT, parent, nullptr, nullptr);
  waitpid(parent, &status, 0);
  unsigned long child = 0;
  ptrace(PTRACE_GETEVENTMSG, parent, nullptr, &child);
  waitpid(static_cast<pid_t>(child), &status, __WALL);
  return static_cast<pid_t>(child);
}

TEST(StartChild, DoesNotExecuteWhenTheParentHasDied) {
  const Subreaper subreaper;
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "was_executed";
  const pid_t parent = fork_spawner(touching(file));
  const pid_t child = hold_new_child_of(parent);
  ASSERT_GT(child, 0);

  int status = 0;
  kill(parent, SIGKILL);
  waitpid(parent, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ptrace(PTRACE_DETACH, child, nullptr, nullptr);
  waitpid(child, &status, 0);

  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 127) << status;
  EXPECT_FALSE(std::filesystem::exists(file));
}

// The same tracing without the death shows that the test above can fail.
TEST(StartChild, ExecutesWhenTheParentIsAlive) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "was_executed";
  SpawnSpec spec;
  spec.argv = {"/bin/sh", "-c", "exec touch " + file.string()};
  spec.environment = {"PATH=/usr/bin:/bin"};
  const pid_t parent = fork();
  if (parent == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    auto spawned = spawn(spec);
    _exit(spawned && spawned->wait_at_most(std::chrono::minutes(1)) ? 0 : 1);
  }
  const pid_t child = hold_new_child_of(parent);
  ptrace(PTRACE_DETACH, child, nullptr, nullptr);
  ptrace(PTRACE_DETACH, parent, nullptr, nullptr);
  int status = 0;
  waitpid(parent, &status, 0);

  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(StartChild, DiesWithAParentThatIsKilledLater) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  const pid_t parent = fork();
  if (parent == 0) {
    SpawnSpec spec;
    spec.argv = {"/bin/sh", "-c", "echo $$ > " + file.string() + "; exec sleep 1000"};
    spec.environment = {"PATH=/usr/bin:/bin"};
    const auto spawned = spawn(spec);
    while (true) pause();
  }
  const pid_t child = testing::read_pid(file);
  ASSERT_TRUE(testing::is_alive(child));

  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);

  EXPECT_TRUE(testing::exits_eventually(child));
}

}  // namespace
}  // namespace heddle::process
