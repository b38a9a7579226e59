// A program with everything it starts, kept together by a shepherd of its own: it can be signalled
// and killed as a whole, and nothing of it outlives this object or this process, even after
// SIGKILL. It lives no longer than the thread that starts it. One event loop.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "process/exit_facts.hpp"
#include "process/spawn.hpp"
#include "process/start_thread.hpp"

namespace heddle::process {

struct ShepherdedSpec {
  // Standard output and error become pipes unless they are listed in its descriptors.
  SpawnSpec program;
  std::filesystem::path shepherd;               // see find_shepherd()
  std::chrono::milliseconds leftover_grace{0};  // for processes that outlive the program
};

class Shepherded {
 public:
  // Returns once the program runs. `not_found` when there is no such program or folder. Sets
  // HEDDLE_TREE in the program's environment.
  static Async<Result<std::unique_ptr<Shepherded>>> start(ShepherdedSpec spec);
  // Without holding the loop.
  static Async<Result<std::unique_ptr<Shepherded>>> start(ShepherdedSpec spec, StartThread& thread);

  ~Shepherded();  // kills the tree and waits for its end, blocking, for at most 2 s
  Shepherded(const Shepherded&) = delete;
  Shepherded& operator=(const Shepherded&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] pid_t shepherd_pid() const { return shepherd_.pid(); }

  // Our ends of the program's streams, for an OutputCapture each; empty the second time.
  FileDescriptor take_output() { return std::move(output_); }
  FileDescriptor take_errors() { return std::move(errors_); }

  // To the program and all that descends from it; false when the shepherd is gone.
  bool signal(int signal);
  bool kill_tree();
  // A program may have stopped its shepherd, which then does not tell of its end.
  void wake();

  // The program's end, told at once; what it left behind is killed after the grace. One wait at a
  // time. Cancelling leaves everything as it is; a later wait tells the same facts again.
  Async<ExitFacts> wait();

  // Until nothing of the tree is left.
  Async<void> wait_for_tree();

 private:
  Shepherded(Spawned shepherd, FileDescriptor control, std::string tag);
  using Begun = Result<std::unique_ptr<Shepherded>>;
  static Begun start_shepherd(ShepherdedSpec& spec);
  static Async<Begun> await_start(Begun begun, SpawnSpec program);
  Async<Status> await_report(const SpawnSpec& program);

  Async<void> kill_leftovers();

  Spawned shepherd_;
  StartThread* thread_ = nullptr;  // for what would hold the loop
  FileDescriptor control_;
  std::string tag_;
  FileDescriptor output_;
  FileDescriptor errors_;
  pid_t pid_ = 0;
  std::optional<ExitFacts> facts_;
};

}  // namespace heddle::process
