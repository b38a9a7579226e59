// Runs programs as jobs, with hooks around them: so many successes, so many at a time, failed ones
// replaced, everything a job started gone when it ends. All calls are safe from any thread;
// on_output is called on a thread of the runner's, without a lock held.
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
  int retries = 3;  // after the first try, for FailureMode::retry
  std::chrono::milliseconds retry_delay{1'000};
  std::chrono::milliseconds timeout{30'000};  // then all that it started is killed
  std::map<std::string, std::string> env{};
  std::string work_dir{};
  bool always = false;  // post_stop: also when the job itself never started
};

struct Hooks {
  std::vector<Hook> pre_start{};   // one after another, before the job
  std::vector<Hook> post_start{};  // once it runs
  std::vector<Hook> pre_stop{};    // when a stop was asked for
  std::vector<Hook> post_stop{};   // exactly once, however it ended
};

// What a program has written, without the line's end.
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
  std::string work_dir{};           // empty: this process's
  std::map<std::string, std::string> env{};
  std::vector<std::string> env_pass{};  // handed on, besides PATH, HOME, LANG and TZ

  int parallelism = 1;
  int completions = 1;              // each index from 0 on must succeed once; see HEDDLE_INDEX
  bool restart_on_failure = false;  // a failed process is replaced
  int backoff_limit = 6;            // failed processes before the job fails
  std::chrono::milliseconds backoff{1'000};  // before the first replacement
  double backoff_factor = 3;                 // each further one
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
  std::string output{};  // its end
};

struct Status {
  Phase phase = Phase::pending;
  int active = 0;
  int succeeded = 0;
  int failed = 0;
  std::string reason{};             // of a failure: "deadline_exceeded"; empty: none
  std::string message{};            // the same for people
  std::vector<HookStatus> hooks{};  // every try

  [[nodiscard]] bool is_over() const { return phase == Phase::succeeded || phase == Phase::failed; }
};
// "Running (Active: 1, Succeeded: 0, Failed: 0)"
HEDDLE_API std::string to_text(const Status& status);

// Names one job that was started. Copies are the same job.
class HEDDLE_API Handle {
 public:
  class State;
  explicit Handle(std::shared_ptr<State> state);

  [[nodiscard]] Status status() const;
  // Returns when it has ended, its hooks included.
  Status wait() const;
  // The same, but for so long at most; then where it stands.
  [[nodiscard]] Status wait_for(std::chrono::milliseconds time) const;
  // Until the condition holds for its status, or it has ended.
  Status wait_until(const std::function<bool(const Status&)>& holds) const;

  // pre_stop hooks, the stop signal, killed after the timeout; returns at once.
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
  // Kills what still runs.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Returns at once. Throws std::invalid_argument when the specification makes no sense.
  Handle start(Spec spec);

  // Starts it at each time that a cron expression names (five fields, or six with seconds first),
  // in a zone of the time zone database; `on_start` is told of each. A time that comes while the
  // former one runs is skipped, or waits for it. Ends with unschedule(), or with this object.
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
