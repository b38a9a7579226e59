// What a coordinator tells about the processes it supervises. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "heddle/export.hpp"

namespace heddle {

// Each supervised process has a slot; the first process in it is occurrence 0, every respawn
// counts on.
enum class Reason {
  // Why a process has left its slot: one of these, once for every process.
  crash,        // a signal nobody asked for, a status other than 0, or no heartbeat for too long
  normal_exit,  // it had begun draining and left with status 0, or it was asked to stop
  unpublished,  // it left with status 0, or closed its channel, without draining
  // What else happens in a slot.
  started,
  ready,
  draining,
  start_failed,  // there is no process: the program could not be started
  countdown,     // every second while the built-in runner waits; `delay` is left
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
  // Of a death, one of these two; neither when the host itself has waited for our process.
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::chrono::milliseconds uptime{0};
  std::chrono::system_clock::time_point time{};
  std::string detail{};                // for people
  std::uint64_t working_on = 0;        // the last heddle::child::set_working_on() of the process
  std::chrono::milliseconds delay{0};  // countdown
};

}  // namespace heddle
