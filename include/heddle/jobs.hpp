// Runs programs as jobs with hooks: completions, parallelism, retries of failed processes, and no
// process left behind when a job ends. All calls are safe from any thread; on_output is called on a
// thread of the runner, without a lock.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/export.hpp"

namespace heddle::jobs {

enum class FailureMode { fail, retry, ignore };
enum class RunMode { blocking, async };

struct Hook {
  std::string name{};               // unique within the job
  std::string command{};            // for `sh -c`; or:
  std::vector<std::string> args{};  // a program and its arguments
  FailureMode failure = FailureMode::fail;
  RunMode mode = RunMode::blocking;
  int retries = 3;  // after the first attempt, for FailureMode::retry
  std::chrono::milliseconds retry_delay{1'000};
  std::chrono::milliseconds timeout{30'000};  // then its whole process tree is killed
  std::map<std::string, std::string> env{};
  std::string work_dir{};
  bool always = false;  // post_stop: also runs when the job itself never started
};

struct Hooks {
  std::vector<Hook> pre_start{};   // in order, before the job
  std::vector<Hook> post_start{};  // once it runs
  std::vector<Hook> pre_stop{};    // on a requested stop
  std::vector<Hook> post_stop{};   // exactly once, however it ended
};

// One line that a program has written, without the newline.
struct OutputLine {
  std::string_view job{};
  std::string_view program{};  // "0.1" for index 0, attempt 1; "pre_start/fetch.1" for a hook
  bool is_error = false;       // from its standard error
  std::string_view text{};
};

struct Spec {
  std::string name{};
  std::string command{};            // for `sh -c`; or:
  std::vector<std::string> args{};  // a program and its arguments
  std::string work_dir{};           // empty: the current one of this process
  std::map<std::string, std::string> env{};
  std::vector<std::string> env_pass{};  // variables passed through, besides PATH, HOME, LANG and TZ

  int parallelism = 1;
  int completions = 1;              // each index from 0 on must succeed once; see HEDDLE_INDEX
  bool restart_on_failure = false;  // a failed process is replaced
  int backoff_limit = 6;            // failed processes before the job fails
  std::chrono::milliseconds backoff{1'000};  // before the first replacement
  double backoff_factor = 3;                 // for each further one
  std::chrono::milliseconds backoff_cap{300'000};
  std::optional<std::chrono::milliseconds> deadline{};  // of the whole job
  int stop_signal = 15;
  std::chrono::milliseconds stop_timeout{30'000};  // then it is killed

  Hooks hooks{};
  std::function<void(const OutputLine&)> on_output{};
};

enum class Phase { pending, running, succeeded, failed };
HEDDLE_API std::string_view to_text(Phase phase);  // "Running"

struct HookStatus {
  std::string name{};
  std::string phase{};  // "pre_start"
  int attempt = 1;
  std::string state{};  // "running", "succeeded", "failed", "timed_out", "stopped"
  std::optional<int> exit_code{};
  std::string output{};  // the tail
};

struct Status {
  Phase phase = Phase::pending;
  int active = 0;
  int succeeded = 0;
  int failed = 0;
  std::string reason{};             // of a failure: "deadline_exceeded"; empty: none
  std::string message{};            // the same for people
  std::vector<HookStatus> hooks{};  // every attempt

  [[nodiscard]] bool is_over() const { return phase == Phase::succeeded || phase == Phase::failed; }
};
// "Running (Active: 1, Succeeded: 0, Failed: 0)"
HEDDLE_API std::string to_text(const Status& status);

// Refers to one started job. Copies refer to the same job.
class HEDDLE_API Handle {
 public:
  class State;
  explicit Handle(std::shared_ptr<State> state);

  [[nodiscard]] Status status() const;
  // Returns when the job and its hooks have ended.
  Status wait() const;
  // Returns the current status after the given time at the latest.
  [[nodiscard]] Status wait_for(std::chrono::milliseconds time) const;
  // Returns when the condition holds for its status, or it has ended.
  Status wait_until(const std::function<bool(const Status&)>& holds) const;

  // Runs the pre_stop hooks, sends the stop signal and kills after the timeout. Does not block.
  void stop() const;

 private:
  std::shared_ptr<State> state_;
};

struct RunnerOptions {
  // The program heddle-shepherd; empty: the one of this library's installation.
  std::filesystem::path shepherd{};
};

enum class Overlap { skip, queue };

class HEDDLE_API Runner {
 public:
  // Throws std::runtime_error when there is no shepherd.
  static std::unique_ptr<Runner> create(RunnerOptions options = {});
  // Kills running jobs.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Does not block. Throws std::invalid_argument for an invalid specification.
  Handle start(Spec spec);

  // Starts the job by a cron expression (five fields, or six with seconds first) in a zone of the
  // time zone database and calls `on_start` for each start. A tick while the previous job runs is
  // skipped or queued. Ends with unschedule() or the destruction of this object.
  using ScheduleId = std::uint64_t;
  ScheduleId schedule(const std::string& cron, Spec spec,
                      std::function<void(const Handle&)> on_start = {},
                      Overlap overlap = Overlap::skip, const std::string& zone = "UTC");
  void unschedule(ScheduleId id);

 private:
  class Impl;
  explicit Runner(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace heddle::jobs
