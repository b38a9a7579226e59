// Describes the events that a coordinator reports about its processes. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "heddle/export.hpp"

namespace heddle {

// Each supervised process has a slot; its first process is occurrence 0, each respawn increments
// it.
enum class Reason {
  // Deaths: exactly one of these for every process.
  crash,        // an unexpected signal, a status other than 0, or no heartbeat for too long
  normal_exit,  // exited with status 0 after it began draining, or on a requested stop
  unpublished,  // exited with status 0, or closed its channel, without draining
  // Other events of a slot.
  started,
  ready,
  draining,
  start_failed,  // the program could not be started; there is no process
  countdown,     // each second of the built-in runner's delay; `delay` is the rest
  gave_up,       // too many restarts: the slot stays down until it is restarted
};

[[nodiscard]] constexpr bool is_death(Reason reason) {
  return reason == Reason::crash || reason == Reason::normal_exit || reason == Reason::unpublished;
}

// "crash", "normal_exit", …
HEDDLE_API std::string_view to_string(Reason reason);

struct ProcessEvent {
  std::uint32_t slot = 0;
  std::string name{};
  std::uint32_t occurrence = 0;
  pid_t pid = 0;
  Reason reason = Reason::started;
  // Of a death, one of these two; neither when the host itself has reaped the process.
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::chrono::milliseconds uptime{0};
  std::chrono::system_clock::time_point time{};
  std::string detail{};                // for people
  std::uint64_t working_on = 0;        // the last heddle::child::set_working_on() of the process
  std::chrono::milliseconds delay{0};  // countdown
};

}  // namespace heddle
