// Runs one program with its whole process tree: writes its output to the OutputLog, stops and kills
// the tree, which never outlives this object. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "commands/output_log.hpp"
#include "commands/process_environment.hpp"
#include "model/run/program_run.hpp"
#include "process/start_thread.hpp"

namespace heddle::commands {

// What the starts of all programs share.
struct LaunchContext {
  std::filesystem::path shepherd;
  Variables daemon_environment;  // the environment of this process
  OutputLog& output_log;
  process::StartThread start_thread{};  // outlives all programs
  // Soft RLIMIT_NOFILE of programs when this process has raised its own: programs may depend on
  // the usual limit. 0: inherited.
  std::uint64_t descriptor_limit = 0;
  std::filesystem::path cgroup{};        // see find_delegated_cgroup(); empty: none
  bool kills_inherited = false;          // see ShepherdedSpec
  std::filesystem::path start_claims{};  // folder, see start_claims.hpp; empty: none are kept
};

struct LaunchSpec {
  ProgramLine line;
  ProcessEnvironment environment;
  OutputTag tag;
  std::optional<std::chrono::milliseconds> timeout{};  // then it is killed
};

struct ProcessResult {
  ProgramExit exit{};
  std::int64_t peak_memory_bytes = 0;
  std::chrono::milliseconds cpu_time{0};
  bool has_timed_out = false;
  bool was_stop_requested = false;  // before it had ended
  std::string output_tail{};        // both streams, readable

  // A program that was asked to end has not done its work, whatever its exit code.
  [[nodiscard]] bool has_succeeded() const {
    return exit.code == 0 && !has_timed_out && !was_stop_requested;
  }
};

class SupervisedProcess : public std::enable_shared_from_this<SupervisedProcess> {
 public:
  static Async<Result<std::shared_ptr<SupervisedProcess>>> start(LaunchSpec launch_spec,
                                                                 LaunchContext& launch_context);
  ~SupervisedProcess();
  SupervisedProcess(const SupervisedProcess&) = delete;
  SupervisedProcess& operator=(const SupervisedProcess&) = delete;

  [[nodiscard]] pid_t pid() const;

  // Sends the signal to the whole tree and kills it after the grace period. A second call does not
  // extend it.
  void request_stop(int signal, std::chrono::milliseconds grace);
  void kill();

  // Returns when no process of the tree is left. Call it once.
  Async<ProcessResult> wait();

 private:
  struct Parts;
  explicit SupervisedProcess(std::unique_ptr<Parts> parts);
  void keep_shepherd_awake();
  void kill_after(std::chrono::milliseconds time, bool is_timeout);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::commands
