// The configuration of programs: command and service jobs, and the hooks around any run. Plain
// values, all defaults resolved.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Exactly one of the two is given.
struct ProgramLine {
  std::string command;            // for `sh -c`
  std::vector<std::string> args;  // the program and its arguments, run directly

  bool operator==(const ProgramLine&) const = default;
};

enum class HookPhase { pre_start, post_start, pre_stop, post_stop };
inline constexpr std::array kAllHookPhases{HookPhase::pre_start, HookPhase::post_start,
                                           HookPhase::pre_stop, HookPhase::post_stop};
std::string_view to_text(HookPhase phase);
std::optional<HookPhase> hook_phase_from(std::string_view text);

enum class HookFailure { fail, retry, ignore };
std::string_view to_text(HookFailure failure);
std::optional<HookFailure> hook_failure_from(std::string_view text);

enum class HookMode { blocking, async };
std::string_view to_text(HookMode mode);
std::optional<HookMode> hook_mode_from(std::string_view text);

struct HookRule {
  HookPhase phase = HookPhase::pre_start;
  std::string name;  // unique within the job
  ProgramLine program;
  HookFailure failure = HookFailure::fail;
  HookMode mode = HookMode::blocking;
  int retries = 3;  // after the first try, for `retry`
  std::chrono::milliseconds retry_delay = std::chrono::seconds(1);
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  std::map<std::string, std::string> env;  // besides the job's
  std::string work_dir;                    // empty: the job's
  bool always = false;                     // post_stop: also when the job never started

  bool operator==(const HookRule&) const = default;
};

enum class CompletionMode { any, indexed };
enum class RestartRule { never, on_failure, always };
std::string_view to_text(RestartRule rule);

struct ProgramRule {
  ProgramLine line;
  std::filesystem::path home;  // the base of relative paths
  // `${NAME}` in these is filled in once, when a process starts.
  std::string work_dir;                                       // empty: `home`
  std::map<std::string, std::string> env;                     // wins over the file
  std::vector<std::pair<std::string, std::string>> file_env;  // the lines of `env_file`
  std::vector<std::string> env_pass;  // from the daemon, besides PATH, HOME, LANG and TZ

  int parallelism = 1;
  int completions = 1;
  CompletionMode completion_mode = CompletionMode::any;
  RestartRule restart = RestartRule::never;
  int backoff_limit = 6;                              // failed attempts before the run fails
  std::optional<std::chrono::milliseconds> deadline;  // of the whole run
  int stop_signal = 15;                               // SIGTERM

  // Services.
  int max_restarts = 20;  // within the window; then the service fails
  std::chrono::milliseconds restart_window = std::chrono::minutes(1);
  std::chrono::milliseconds ready_after{0};
  std::string ready_check;  // "tcp://127.0.0.1:80" or "http://127.0.0.1:80/health"; empty: none
};

// "TERM" for 15: the names `stop_signal` may have.
std::optional<int> signal_from(std::string_view name);

// Letters, digits and "_", not beginning with a digit: a valid shell variable name.
bool is_environment_name(std::string_view name);

// Names that the engine sets for programs; they are never inherited from the daemon.
bool is_reserved_variable(std::string_view name);

}  // namespace heddle
