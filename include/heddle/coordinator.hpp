// Runs processes in slots, sees every death, respawns those that want it. All calls are safe from
// any thread unless they say otherwise; handlers and policies are called on the loop thread,
// runners on threads of their own, none with a lock held.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/export.hpp"
#include "heddle/process_event.hpp"
#include "heddle/recovery.hpp"

namespace heddle {

enum class Severity { debug, info, warning, error };

// Runs functions one at a time, in order, always on the same thread, which outlives the
// coordinator.
using Executor = std::function<void(std::function<void()>)>;

struct ShutdownReport {
  struct Killed {
    std::uint32_t slot = 0;
    std::string name{};
    pid_t pid = 0;
  };
  std::vector<Killed> killed{};  // did not leave in time
};

struct Options {
  // SIGTERM and SIGINT begin the shutdown, a second one ends this process at once. The handlers
  // that were there before come back with the coordinator's end.
  bool signals = false;
  std::chrono::milliseconds shutdown_timeout{20'000};  // of a shutdown that a signal began
  // What supervised processes leave behind becomes ours, is killed and reaped.
  bool subreaper = false;
  std::function<void(Severity, std::string_view)> log{};  // from any thread; empty: to nowhere
  // Empty: the thread that calls run() is the loop thread. Otherwise the thread this executor uses
  // is: run() must not be called then, and `on_end` tells when a shutdown is over.
  Executor executor{};
  std::function<void(const ShutdownReport&)> on_end{};  // on the loop thread
};

struct ProcessSpec {
  std::string name{};
  std::vector<std::string> argv{};  // a program without "/" is looked up in PATH
  std::vector<std::string> env{};   // "NAME=value", added to this process's environment
  bool recover = false;             // opts in; the process may do so itself with enable_recovery()
  RecoveryPolicy policy{};          // none: the one set for all, or yes
  RecoveryRunner runner{};          // none: `restart`, or the one set for all, or at once
  std::optional<RestartRules> restart{};
  std::chrono::milliseconds hang_timeout{0};  // without a heartbeat for so long: killed; 0: never
  // Instead of argv: this program itself, where run_if_worker() calls the worker of that name.
  std::string worker{};
};

// Names one slot. Copies are the same slot; does nothing once the coordinator is gone. A slot of
// which nobody has a handle any more is forgotten some time after its last process has ended.
class HEDDLE_API ProcessHandle {
 public:
  class State;
  explicit ProcessHandle(std::shared_ptr<State> state);

  [[nodiscard]] std::uint32_t slot() const;

  // Never a crash; the slot stays down, also during a recovery. Killed after the timeout.
  void request_stop(std::chrono::milliseconds timeout) const;

  // A new process, after the old one has left; also for a slot that is down or gave up.
  void restart() const;

 private:
  std::shared_ptr<State> state_;
};

using ProcessEventHandler = std::function<void(const ProcessEvent&)>;

// Ends the subscription when destroyed, also inside its own handler. On the loop thread nothing is
// called after that; on another thread a call under way may still finish.
class HEDDLE_API SubscriptionHandle {
 public:
  class State;
  SubscriptionHandle();
  explicit SubscriptionHandle(std::unique_ptr<State> state);
  ~SubscriptionHandle();
  SubscriptionHandle(SubscriptionHandle&& other) noexcept;
  SubscriptionHandle& operator=(SubscriptionHandle&& other) noexcept;

  void cancel();

 private:
  std::unique_ptr<State> state_;
};

class HEDDLE_API Coordinator {
 public:
  // Throws std::logic_error while this process has another one.
  static std::unique_ptr<Coordinator> create(Options options);

  // On the loop thread. Kills what is left.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // Makes the calling thread the loop thread; returns when a shutdown is over. Processes live no
  // longer than this thread. Once.
  ShutdownReport run();

  // The process starts on the loop thread, after run() was called. Throws std::invalid_argument
  // when the specification makes no sense; a program that cannot be started is an event.
  ProcessHandle spawn(ProcessSpec spec);

  [[nodiscard]] SubscriptionHandle subscribe(ProcessEventHandler handler);

  // No respawn any more; all are asked to leave, and killed at the deadline. It is over one second
  // after that at the latest. A second call can only shorten it.
  void begin_shutdown(std::chrono::steady_clock::time_point deadline);
  void begin_shutdown(std::chrono::milliseconds timeout);

 private:
  class Impl;
  friend class CoordinatorAccess;
  explicit Coordinator(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

// For all slots that have none of their own, in the process that has a coordinator; elsewhere they
// do nothing but say so at debug level (to standard error when HEDDLE_LOG=debug). An empty function
// takes the one before back. The lifecycle handler hears of deaths only.
HEDDLE_API void set_recovery_policy(RecoveryPolicy policy);
HEDDLE_API void set_recovery_runner(RecoveryRunner runner);
HEDDLE_API void set_lifecycle_handler(ProcessEventHandler handler);

}  // namespace heddle
