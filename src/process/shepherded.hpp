// Runs a program and all its descendants under a shepherd process, which signals and kills them as
// a whole. The tree never outlives this object, the thread that started it or this process, even
// after SIGKILL. One event loop.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "process/exit_status.hpp"
#include "process/spawn.hpp"
#include "process/start_thread.hpp"
#include "process/tree/program_cgroup.hpp"

namespace heddle::process {

struct ShepherdedSpec {
  // Standard output and error become pipes unless the descriptors list them.
  SpawnSpec program;
  std::filesystem::path shepherd;               // see find_shepherd()
  std::filesystem::path start_claim{};          // see start_claim.hpp; empty: none
  std::chrono::milliseconds leftover_grace{0};  // for processes that outlive the program
  std::filesystem::path cgroup{};               // see find_delegated_cgroup(); empty: none
  // This process is a subreaper and has no children but those that spawn() started: kills what it
  // inherits from a killed shepherd.
  bool kills_inherited = false;
};

class Shepherded {
 public:
  // Returns when the program runs. `not_found`: there is no such program or folder. Sets
  // HEDDLE_TREE in the program's environment.
  static Async<Result<std::unique_ptr<Shepherded>>> start(ShepherdedSpec spec);
  // Does not block the loop.
  static Async<Result<std::unique_ptr<Shepherded>>> start(ShepherdedSpec spec, StartThread& thread);

  ~Shepherded();  // kills the tree and blocks until it has ended, for at most 2 s
  Shepherded(const Shepherded&) = delete;
  Shepherded& operator=(const Shepherded&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] pid_t shepherd_pid() const { return shepherd_.pid(); }
  // Whether the program has ended, also when wait() has not returned yet.
  [[nodiscard]] bool has_ended() const;

  // Our ends of the program's streams, each for one OutputCapture; empty the second time.
  FileDescriptor take_output() { return std::move(output_); }
  FileDescriptor take_errors() { return std::move(errors_); }

  // Sends the signal to the program and all its descendants; false when the shepherd is gone.
  bool signal(int signal);
  bool kill_tree();
  // Resumes a shepherd that its program has stopped: a stopped shepherd reports no exit.
  void wake();

  // Returns as soon as the program has ended; leftover processes are killed after the grace period.
  // One wait at a time. Cancelling has no effect on the tree; a later wait returns the same status.
  Async<ExitStatus> wait();

  // Returns when no process of the tree is left.
  Async<void> wait_for_tree();

 private:
  Shepherded(Spawned shepherd, FileDescriptor control, std::string tag);
  using StartResult = Result<std::unique_ptr<Shepherded>>;
  static StartResult start_shepherd(ShepherdedSpec& spec);
  static Async<StartResult> await_start(StartResult begun, SpawnSpec program);
  Async<Status> await_report(const SpawnSpec& program);

  Async<void> kill_leftovers();
  [[nodiscard]] std::function<void()> leftover_killer() const;

  Spawned shepherd_;
  StartThread* thread_ = nullptr;  // for calls that would block the loop
  FileDescriptor control_;
  std::string tag_;
  std::shared_ptr<const ProgramCgroup> cgroup_;  // shared with the thread that kills leftovers
  bool kills_inherited_ = false;
  FileDescriptor output_;
  FileDescriptor errors_;
  pid_t pid_ = 0;
  std::optional<ExitStatus> exit_status_;
};

}  // namespace heddle::process
