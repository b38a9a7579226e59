// Tests the public coordinator with real processes.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <heddle/coordinator.hpp>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "embed/supervise/coordinator_impl.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle {
namespace {

using namespace std::chrono_literals;
using heddle::testing::exits_eventually;
using heddle::testing::is_alive;
using ::testing::ElementsAre;

ProcessSpec child(std::vector<std::string> actions) {
  ProcessSpec spec;
  spec.name = "worker";
  spec.argv = {HEDDLE_CHILD};
  for (std::string& action : actions) spec.argv.push_back(std::move(action));
  return spec;
}

ProcessSpec shell(std::string script) {
  ProcessSpec spec;
  spec.name = "shell";
  spec.argv = {"sh", "-c", std::move(script)};
  return spec;
}

// A coordinator whose run() ends when `is_enough` returns true, or fails after a timeout.
class CoordinatorOf {
 public:
  explicit CoordinatorOf(Options options = {})
      : coordinator_(Coordinator::create(std::move(options))) {}

  Coordinator* operator->() { return coordinator_.get(); }

  template <class IsEnough>
  ShutdownReport run_until(IsEnough is_enough, std::chrono::milliseconds timeout = 10s) {
    const auto subscription = coordinator_->subscribe([&](const ProcessEvent& event) {
      events_.push_back(event);
      if (is_enough(event)) coordinator_->begin_shutdown(timeout);
    });
    return coordinator_->run();
  }
  ShutdownReport run_until_death() {
    return run_until([](const ProcessEvent& event) { return is_death(event.reason); });
  }

  std::vector<Reason> reasons() const {
    std::vector<Reason> all;
    for (const ProcessEvent& event : events_) all.push_back(event.reason);
    return all;
  }
  const std::vector<ProcessEvent>& events() const { return events_; }
  void destroy() { coordinator_.reset(); }

 private:
  std::unique_ptr<Coordinator> coordinator_;
  std::vector<ProcessEvent> events_;
};

TEST(Coordinator, RemovesSlotsWithoutHandles) {
  const auto coordinator = Coordinator::create({});
  std::size_t spawned = 0;
  const auto spawn_another = [&] {
    coordinator->spawn(shell("exit 0"));  // its handle is dropped immediately
    ++spawned;
  };
  const auto subscription = coordinator->subscribe([&](const ProcessEvent& event) {
    if (!is_death(event.reason)) return;
    const std::size_t known = CoordinatorAccess::of(*coordinator).known_slots();
    if (spawned > 100 && known < spawned / 2) return coordinator->begin_shutdown(10s);
    spawn_another();
  });
  const ProcessHandle kept = coordinator->spawn(shell("exit 0"));
  coordinator->run();
  EXPECT_LT(CoordinatorAccess::of(*coordinator).known_slots(), spawned);
}

TEST(Coordinator, ReportsHowAProcessEnded) {
  CoordinatorOf coordinator;
  const ProcessHandle handle = coordinator->spawn(shell("exit 7"));
  coordinator.run_until_death();
  EXPECT_THAT(coordinator.reasons(), ElementsAre(Reason::started, Reason::crash));
  const ProcessEvent& event = coordinator.events().back();
  EXPECT_EQ(event.slot, handle.slot());
  EXPECT_EQ(event.name, "shell");
  EXPECT_EQ(event.occurrence, 0u);
  EXPECT_EQ(event.exit_code, 7);
  EXPECT_EQ(event.detail, "exit code 7");
  EXPECT_EQ(to_string(event.reason), "crash");
}

TEST(Coordinator, ReportsEachKindOfExitOnce) {
  CoordinatorOf coordinator;
  const auto crashing = coordinator->spawn(child({"attach", "ready", "signal=9"})).slot();
  const auto leaving = coordinator->spawn(child({"attach", "ready", "draining", "exit=0"})).slot();
  const auto vanishing = coordinator->spawn(child({"attach", "ready", "exit=0"})).slot();
  std::map<std::uint32_t, std::vector<Reason>> deaths;
  coordinator.run_until([&deaths](const ProcessEvent& event) {
    if (is_death(event.reason)) deaths[event.slot].push_back(event.reason);
    return deaths.size() == 3;
  });
  EXPECT_THAT(deaths[crashing], ElementsAre(Reason::crash));
  EXPECT_THAT(deaths[leaving], ElementsAre(Reason::normal_exit));
  EXPECT_THAT(deaths[vanishing], ElementsAre(Reason::unpublished));
}

TEST(Coordinator, AddsVariablesToItsOwnEnvironment) {
  const heddle::testing::TemporaryFolder folder;
  CoordinatorOf coordinator;
  ProcessSpec spec = shell("echo $MINE $HOME > " + (folder.path() / "out").string());
  spec.env = {"MINE=yes", "HOME=elsewhere"};
  coordinator->spawn(spec);
  coordinator.run_until_death();
  EXPECT_EQ(heddle::testing::read_file(folder.path() / "out"), "yes elsewhere\n");
}

TEST(Coordinator, RejectsInvalidSpecs) {
  CoordinatorOf coordinator;
  EXPECT_THROW(coordinator->spawn({}), std::invalid_argument);
  ProcessSpec spec = shell("exit 0");
  spec.env = {"nonsense"};
  EXPECT_THROW(coordinator->spawn(spec), std::invalid_argument);
  EXPECT_THROW((void)coordinator->subscribe({}), std::invalid_argument);
  EXPECT_THROW(Coordinator::create({}), std::logic_error) << "one is there";
}

TEST(Coordinator, ReportsAProgramThatCannotBeStarted) {
  CoordinatorOf coordinator;
  ProcessSpec spec;
  spec.argv = {"no-such-program-anywhere"};
  coordinator->spawn(spec);
  coordinator.run_until(
      [](const ProcessEvent& event) { return event.reason == Reason::start_failed; });
  EXPECT_THAT(coordinator.events().at(0).detail, ::testing::HasSubstr("no-such-program-anywhere"));
}

TEST(Coordinator, RespawnsProcessesThatOptIn) {
  CoordinatorOf coordinator;
  coordinator->spawn(child({"attach", "recover", "ready", "first=exit=7", "beat-forever"}));
  coordinator.run_until([](const ProcessEvent& event) {
    return event.reason == Reason::ready && event.occurrence == 1;
  });
  using enum Reason;
  EXPECT_THAT(coordinator.reasons(),
              ElementsAre(started, ready, crash, started, ready, normal_exit));
}

TEST(Coordinator, CallsThePolicyOnItsLoopThreadAndTheRunnerElsewhere) {
  CoordinatorOf coordinator;
  ProcessSpec spec = child({"attach", "ready", "first=exit=7", "beat-forever"});
  spec.recover = true;
  const auto loop_thread = std::this_thread::get_id();
  bool policy_was_here = false;
  std::atomic<bool> runner_was_elsewhere = false;
  spec.policy = [&](const RecoveryInfo& info) {
    policy_was_here = std::this_thread::get_id() == loop_thread && info.exit_code == 7;
    return true;
  };
  spec.runner = [&](const RecoveryInfo&, const RecoveryControl& control) {
    runner_was_elsewhere = std::this_thread::get_id() != loop_thread;
    control.spawn();
    control.spawn();
  };
  coordinator->spawn(spec);
  coordinator.run_until([](const ProcessEvent& event) {
    return event.reason == Reason::ready && event.occurrence == 1;
  });
  EXPECT_TRUE(policy_was_here);
  EXPECT_TRUE(runner_was_elsewhere);
}

TEST(Coordinator, KeepsControlsAndHandlesSafeAfterDestruction) {
  std::optional<RecoveryControl> kept;
  std::atomic<bool> is_kept = false;
  std::optional<ProcessHandle> handle;
  SubscriptionHandle subscription;
  {
    CoordinatorOf coordinator;
    ProcessSpec spec = child({"attach", "exit=7"});
    spec.recover = true;
    spec.runner = [&](const RecoveryInfo&, const RecoveryControl& control) {
      kept = control;
      is_kept = true;
      (void)control.wait_for(1h);
    };
    handle = coordinator->spawn(spec);
    subscription = coordinator->subscribe([](const ProcessEvent&) {});
    coordinator.run_until_death();
  }
  ASSERT_TRUE(heddle::testing::eventually([&] { return is_kept.load(); }));
  EXPECT_TRUE(kept->should_cancel());
  kept->spawn();
  handle->restart();
  handle->request_stop(0s);
  subscription.cancel();
  EXPECT_FALSE(heddle::testing::has_children());
}

TEST(Coordinator, StopsAndRestartsThroughHandles) {
  CoordinatorOf coordinator;
  ProcessSpec spec = child({"serve"});
  spec.recover = true;
  const ProcessHandle handle = coordinator->spawn(spec);
  std::vector<Reason> reasons;
  const auto watching = coordinator->subscribe([&](const ProcessEvent& event) {
    if (event.reason == Reason::ready && event.occurrence == 0) handle.request_stop(10s);
    if (event.reason == Reason::normal_exit && event.occurrence == 0) handle.restart();
  });
  coordinator.run_until([](const ProcessEvent& event) {
    return event.reason == Reason::ready && event.occurrence == 1;
  });
  for (const ProcessEvent& event : coordinator.events()) EXPECT_NE(event.reason, Reason::crash);
}

TEST(Coordinator, NamesTheProcessesItKilled) {
  CoordinatorOf coordinator;
  coordinator->spawn(child({"attach-asking", "ready", "hang"}));
  const ShutdownReport report = coordinator.run_until(
      [](const ProcessEvent& event) { return event.reason == Reason::ready; }, 100ms);
  ASSERT_EQ(report.killed.size(), 1u);
  EXPECT_EQ(report.killed[0].name, "worker");
}

TEST(Coordinator, ReapsOnlyItsOwnChildren) {
  const pid_t own = fork();
  if (own == 0) _exit(42);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(own), &info, WEXITED | WNOWAIT), 0);
  Options options;
  options.subreaper = true;
  {
    CoordinatorOf coordinator(std::move(options));
    coordinator->spawn(shell("exit 1"));
    coordinator.run_until_death();
  }
  int status = 0;
  EXPECT_EQ(waitpid(own, &status, 0), own) << "it was still there for its parent";
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(Coordinator, KillsAndReapsOrphansAsASubreaper) {
  const heddle::testing::TemporaryFolder folder;
  const auto file = (folder.path() / "pid").string();
  const pid_t host_child = fork();
  if (host_child == 0) {
    for (;;) pause();
  }
  pid_t left_behind = 0;
  {
    Options options;
    options.subreaper = true;
    CoordinatorOf coordinator(std::move(options));
    coordinator->spawn(shell("setsid sh -c 'echo $$ > " + file +
                             "; exec sleep 1000' & while [ ! -s " + file +
                             " ]; do sleep 0.01; done; exit 3"));
    coordinator.run_until_death();
    left_behind = heddle::testing::read_pid(file);
    ASSERT_GT(left_behind, 0);
  }
  EXPECT_EQ(heddle::testing::state_of(left_behind), 0) << "killed and reaped";
  EXPECT_TRUE(is_alive(host_child)) << "the host's own";
  kill(host_child, SIGKILL);
  waitpid(host_child, nullptr, 0);
  int is_subreaper = 1;
  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper, 0, 0, 0);
  EXPECT_EQ(is_subreaper, 0);
}

// A grandchild without environment, in a session of its own. Runs in a forked process.
int leave_a_stranger_behind() {
  int told[2];
  int written[2];
  if (pipe(told) != 0 || pipe(written) != 0) return 1;
  embed::OrphanReaper reaper("HEDDLE_NO_SUCH=1");
  const pid_t host_child = fork();
  if (host_child == 0) {
    for (;;) pause();
  }
  const pid_t supervised = fork();
  if (supervised == 0) {
    if (const pid_t left = fork(); left == 0) {
      setsid();
      for (;;) pause();
    } else if (write(written[1], &left, sizeof left) != sizeof left) {
      _exit(1);
    }
    char ignored = 0;
    _exit(read(told[0], &ignored, 1) == 1 ? 0 : 1);
  }
  pid_t left = 0;
  if (read(written[0], &left, sizeof left) != sizeof left) return 2;
  reaper.add_supervised(supervised);
  reaper.sweep();
  if (!is_alive(left) || !is_alive(supervised)) return 3;
  if (write(told[1], "x", 1) != 1 || waitpid(supervised, nullptr, 0) != supervised) return 4;
  reaper.on_death(supervised);
  const bool is_gone = heddle::testing::eventually([&] {
    reaper.sweep();
    return heddle::testing::state_of(left) == 0;
  });
  const bool is_host_child_alive = is_alive(host_child);
  kill(host_child, SIGKILL);
  waitpid(host_child, nullptr, 0);
  if (!is_gone) return 5;
  return is_host_child_alive ? 0 : 6;
}

TEST(OrphanReaper, KillsADescendantThatHidEverythingItInherited) {
  EXPECT_EQ(heddle::testing::exit_code_of(leave_a_stranger_behind), 0);
}

void own_handler(int) {}

TEST(Coordinator, ShutsDownOnASignalAndRestoresTheHostsHandlers) {
  struct sigaction own {};
  own.sa_handler = own_handler;
  sigaction(SIGTERM, &own, nullptr);
  {
    Options options;
    options.signals = true;
    CoordinatorOf coordinator(std::move(options));
    coordinator->spawn(child({"serve"}));
    const auto watching = coordinator->subscribe([](const ProcessEvent& event) {
      if (event.reason == Reason::ready) kill(getpid(), SIGTERM);
    });
    EXPECT_TRUE(coordinator.run_until([](const ProcessEvent&) { return false; }).killed.empty());
  }
  struct sigaction now {};
  sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, own_handler);
  signal(SIGTERM, SIG_DFL);
}

TEST(Coordinator, ExitsImmediatelyOnTheSecondSignal) {
  const int code = heddle::testing::exit_code_of([] {
    Options options;
    options.signals = true;
    options.shutdown_timeout = 1h;
    const auto coordinator = Coordinator::create(std::move(options));
    coordinator->spawn(child({"slow-drain=1000000", "serve"}));
    const auto watching = coordinator->subscribe([](const ProcessEvent& event) {
      if (event.reason == Reason::ready || event.reason == Reason::draining) kill(getpid(), SIGINT);
    });
    coordinator->run();
    return 1;
  });
  EXPECT_EQ(code, 128 + SIGINT);
}

TEST(Coordinator, KillsItsProcessesWhenItIsKilled) {
  const heddle::testing::TemporaryFolder folder;
  const auto file = (folder.path() / "pid").string();
  const pid_t host = fork();
  if (host == 0) {
    const auto coordinator = Coordinator::create({});
    coordinator->spawn(shell("echo $$ > " + file + "; exec sleep 1000"));
    coordinator->run();
    _exit(0);
  }
  const pid_t process = heddle::testing::read_pid(file);
  ASSERT_GT(process, 0);
  kill(host, SIGKILL);
  waitpid(host, nullptr, 0);
  EXPECT_TRUE(exits_eventually(process));
}

TEST(Coordinator, AppliesTheProcessWideFunctions) {
  CoordinatorOf coordinator;
  ProcessSpec spec = child({"attach", "exit=7"});
  spec.recover = true;
  int asked = 0;
  std::vector<Reason> deaths;
  set_recovery_policy([&asked](const RecoveryInfo&) { return ++asked < 3; });
  set_recovery_runner([](const RecoveryInfo&, const RecoveryControl& control) { control.spawn(); });
  set_lifecycle_handler([&deaths](const ProcessEvent& event) { deaths.push_back(event.reason); });
  coordinator->spawn(spec);
  coordinator.run_until([](const ProcessEvent& event) {
    return event.reason == Reason::crash && event.occurrence == 2;
  });
  EXPECT_EQ(asked, 3);
  EXPECT_THAT(deaths, ElementsAre(Reason::crash, Reason::crash, Reason::crash));
}

TEST(ProcessWideFunctions, DoNothingWithoutACoordinator) {
  set_recovery_policy([](const RecoveryInfo&) { return true; });
  set_recovery_runner({});
  set_lifecycle_handler({});
  setenv("HEDDLE_LOG", "debug", 1);
  ::testing::internal::CaptureStderr();
  set_recovery_policy({});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "debug: set_recovery_policy: this process has no coordinator\n");
  unsetenv("HEDDLE_LOG");
}

TEST(ProcessWideFunctions, DoNothingInAForkOfTheCoordinatorsProcess) {
  const auto coordinator = Coordinator::create({});
  const int code = heddle::testing::exit_code_of([] {
    setenv("HEDDLE_LOG", "debug", 1);
    ::testing::internal::CaptureStderr();
    set_lifecycle_handler({});
    return ::testing::internal::GetCapturedStderr().empty() ? 1 : 0;
  });
  EXPECT_EQ(code, 0);
}

// A host with its own loop.
class HostQueue {
 public:
  Executor executor() {
    return [this](std::function<void()> work) {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
      changed_.notify_one();
    };
  }
  void run_until(const bool& is_done) {
    while (!is_done) {
      std::unique_lock lock(mutex_);
      if (!changed_.wait_for(lock, 30s, [this] { return !queue_.empty(); })) return;
      const auto work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
};

TEST(Coordinator, RunsOnTheHostsLoop) {
  HostQueue queue;
  bool is_over = false;
  std::vector<Reason> reasons;
  const auto host_thread = std::this_thread::get_id();
  Options options;
  options.executor = queue.executor();
  options.on_end = [&](const ShutdownReport& report) {
    EXPECT_TRUE(report.killed.empty());
    is_over = true;
  };
  const auto coordinator = Coordinator::create(std::move(options));
  EXPECT_THROW(coordinator->run(), std::logic_error);
  ProcessSpec spec = child({"attach", "ready", "first=exit=7", "beat-forever"});
  spec.recover = true;
  spec.runner = [&](const RecoveryInfo&, const RecoveryControl& control) { control.spawn(); };
  coordinator->spawn(spec);
  const auto subscription = coordinator->subscribe([&](const ProcessEvent& event) {
    EXPECT_EQ(std::this_thread::get_id(), host_thread);
    reasons.push_back(event.reason);
    if (event.reason == Reason::ready && event.occurrence == 1) coordinator->begin_shutdown(10s);
  });
  queue.run_until(is_over);
  ASSERT_TRUE(is_over);
  using enum Reason;
  EXPECT_THAT(reasons, ElementsAre(started, ready, crash, started, ready, normal_exit));
}

TEST(Coordinator, MayBeDestroyedBeforeTheHostsQueueIsEmpty) {
  HostQueue queue;
  bool is_ready = false;
  {
    Options options;
    options.executor = queue.executor();
    const auto coordinator = Coordinator::create(std::move(options));
    coordinator->spawn(child({"serve"}));
    const auto subscription = coordinator->subscribe(
        [&](const ProcessEvent& event) { is_ready = event.reason == Reason::ready; });
    queue.run_until(is_ready);
    coordinator->begin_shutdown(10s);
    usleep(20'000);
  }
  ASSERT_TRUE(is_ready);
  bool is_done = false;  // functions queued before this one do nothing
  queue.executor()([&is_done] { is_done = true; });
  queue.run_until(is_done);
  EXPECT_TRUE(heddle::testing::eventually([] { return !heddle::testing::has_children(); }));
}

}  // namespace
}  // namespace heddle
