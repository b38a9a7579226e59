#include "model/job/program.hpp"

#include <algorithm>

#include <signal.h>

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<HookPhase, 4> kPhases{{{HookPhase::pre_start, "pre_start"},
                                           {HookPhase::post_start, "post_start"},
                                           {HookPhase::pre_stop, "pre_stop"},
                                           {HookPhase::post_stop, "post_stop"}}};

constexpr NameTable<HookFailure, 3> kFailures{
    {{HookFailure::fail, "fail"}, {HookFailure::retry, "retry"}, {HookFailure::ignore, "ignore"}}};

constexpr NameTable<HookMode, 2> kModes{
    {{HookMode::blocking, "blocking"}, {HookMode::async, "async"}}};

constexpr NameTable<RestartRule, 3> kRestarts{{{RestartRule::never, "never"},
                                               {RestartRule::on_failure, "on_failure"},
                                               {RestartRule::always, "always"}}};

constexpr NameTable<int, 7> kSignals{{{SIGTERM, "TERM"},
                                      {SIGINT, "INT"},
                                      {SIGHUP, "HUP"},
                                      {SIGQUIT, "QUIT"},
                                      {SIGUSR1, "USR1"},
                                      {SIGUSR2, "USR2"},
                                      {SIGKILL, "KILL"}}};

bool is_name_character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string_view to_text(HookPhase phase) {
  return name_of(kPhases, phase);
}
std::optional<HookPhase> hook_phase_from(std::string_view text) {
  return value_of(kPhases, text);
}

std::string_view to_text(HookFailure failure) {
  return name_of(kFailures, failure);
}
std::optional<HookFailure> hook_failure_from(std::string_view text) {
  return value_of(kFailures, text);
}

std::string_view to_text(HookMode mode) {
  return name_of(kModes, mode);
}
std::optional<HookMode> hook_mode_from(std::string_view text) {
  return value_of(kModes, text);
}

std::string_view to_text(RestartRule rule) {
  return name_of(kRestarts, rule);
}

std::optional<int> signal_from(std::string_view name) {
  return value_of(kSignals, name);
}

bool is_environment_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_character) &&
         !(name.front() >= '0' && name.front() <= '9');
}

bool is_reserved_variable(std::string_view name) {
  return name.starts_with("HEDDLE_");
}

}  // namespace heddle
