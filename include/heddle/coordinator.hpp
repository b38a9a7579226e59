// Supervises processes in slots: reports every death and respawns processes that opt in. All calls
// are safe from any thread unless documented otherwise. Handlers and policies are called on the
// loop thread, runners on their own threads, all without a lock.
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

// Runs functions one at a time, in order, on one thread that outlives the coordinator.
using Executor = std::function<void(std::function<void()>)>;

struct ShutdownReport {
  struct Killed {
    std::uint32_t slot = 0;
    std::string name{};
    pid_t pid = 0;
  };
  std::vector<Killed> killed{};  // did not exit in time
};

struct Options {
  // SIGTERM and SIGINT begin the shutdown, a second one ends this process immediately. The
  // destructor restores the previous handlers.
  bool signals = false;
  std::chrono::milliseconds shutdown_timeout{20'000};  // of a shutdown that a signal began
  // Makes this process a subreaper that kills and reaps orphans of supervised processes.
  bool subreaper = false;
  std::function<void(Severity, std::string_view)> log{};  // from any thread; empty: no log
  // Empty: the thread that calls run() is the loop thread. Otherwise the executor's thread is; then
  // run() must not be called, and `on_end` reports the end of a shutdown.
  Executor executor{};
  std::function<void(const ShutdownReport&)> on_end{};  // on the loop thread
};

struct ProcessSpec {
  std::string name{};
  std::vector<std::string> argv{};  // a program without "/" is searched in PATH
  std::vector<std::string> env{};   // "NAME=value", added to this process's environment
  bool recover = false;             // the process may also opt in itself with enable_recovery()
  RecoveryPolicy policy{};          // empty: the process-wide one, or always allowed
  RecoveryRunner runner{};          // empty: `restart`, the process-wide one, or immediate
  std::optional<RestartRules> restart{};
  std::chrono::milliseconds hang_timeout{0};  // killed without a heartbeat for this time; 0: never
  // Instead of a program in argv: runs this program, where run_if_worker() calls this worker.
  std::string worker{};
};

// Refers to one slot. Copies refer to the same slot; calls do nothing once the coordinator is gone.
// A slot without handles is removed some time after its last process has ended.
class HEDDLE_API ProcessHandle {
 public:
  class State;
  explicit ProcessHandle(std::shared_ptr<State> state);

  [[nodiscard]] std::uint32_t slot() const;

  // Kills after the timeout. Never reported as a crash; also cancels a recovery. The slot stays
  // down.
  void request_stop(std::chrono::milliseconds timeout) const;

  // Starts a new process after the old one has exited; also in a slot that is down or gave up.
  void restart() const;

 private:
  std::shared_ptr<State> state_;
};

using ProcessEventHandler = std::function<void(const ProcessEvent&)>;

// Ends the subscription when destroyed, also inside its own handler. On the loop thread no call
// follows; on another thread a running call may still finish.
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

  // On the loop thread. Kills the remaining processes.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // Makes the calling thread the loop thread and returns when a shutdown is over. The processes die
  // with this thread. Call it once.
  ShutdownReport run();

  // Starts the process on the loop thread, once run() was called. Throws std::invalid_argument for
  // an invalid specification; a program that cannot be started is reported as an event.
  ProcessHandle spawn(ProcessSpec spec);

  [[nodiscard]] SubscriptionHandle subscribe(ProcessEventHandler handler);

  // Respawns nothing any more, requests all processes to stop and kills them at the deadline. Ends
  // at the latest one second after the deadline. A second call can only shorten it.
  void begin_shutdown(std::chrono::steady_clock::time_point deadline);
  void begin_shutdown(std::chrono::milliseconds timeout);

 private:
  class Impl;
  friend class CoordinatorAccess;
  explicit Coordinator(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

// Set the defaults of all slots without their own. In a process without a coordinator they only log
// at debug level (to standard error when HEDDLE_LOG=debug). An empty function removes the default.
// The lifecycle handler receives deaths only.
HEDDLE_API void set_recovery_policy(RecoveryPolicy policy);
HEDDLE_API void set_recovery_runner(RecoveryRunner runner);
HEDDLE_API void set_lifecycle_handler(ProcessEventHandler handler);

}  // namespace heddle
