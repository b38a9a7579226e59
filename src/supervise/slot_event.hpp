// Describes the events that a supervisor reports about its slots. Plain values.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/time.hpp"

namespace heddle::supervise {

using SlotId = std::uint32_t;  // 0, 1, … in the order of adding; never reused

// Identifies one process of a slot: the first is occurrence 0, each respawn increments it.
struct SlotRef {
  SlotId slot = 0;
  std::uint32_t occurrence = 0;
  auto operator<=>(const SlotRef&) const = default;
};

enum class SlotEventKind {
  started,
  ready,
  draining,
  crash,         // a death: exactly one of these three
  normal_exit,   //
  unpublished,   //
  start_failed,  // no process was created; counts as a death for recovery
  countdown,     // each second of a respawn delay
  gave_up,       // too many restarts: the slot stays down until it is started again
};

[[nodiscard]] constexpr bool is_death(SlotEventKind kind) {
  return kind == SlotEventKind::crash || kind == SlotEventKind::normal_exit ||
         kind == SlotEventKind::unpublished;
}

// "crash", "normal_exit", …: stable names for logs, the API and the dashboard.
std::string_view name_of(SlotEventKind kind);

struct SlotEvent {
  SlotEventKind kind = SlotEventKind::started;
  SlotRef slot{};
  std::string name{};  // of the slot
  int number = 0;      // of the slot
  pid_t pid = 0;
  std::optional<int> exit_code{};  // of a death: exactly one of these two
  std::optional<int> signal{};
  std::chrono::milliseconds uptime{0};
  WallTime time{};
  std::string detail{};          // for people
  std::uint64_t working_on = 0;  // the last ChildLink::set_working_on() of a process that died
  std::chrono::milliseconds delay{0};  // countdown: until the respawn
};

}  // namespace heddle::supervise
