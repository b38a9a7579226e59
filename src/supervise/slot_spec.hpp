// What a slot runs and how it is kept running. Plain values.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "process/spawn.hpp"
#include "supervise/recovery.hpp"
#include "supervise/recycling.hpp"
#include "supervise/restart_budget.hpp"

namespace heddle::supervise {

struct SlotSpec {
  std::string name{};
  int number = 0;
  std::vector<std::string> argv{};         // argv[0] is the file to execute, not searched for
  std::vector<std::string> environment{};  // "NAME=value"; the HEDDLE_ names of the link are added
  std::filesystem::path directory{};       // empty: ours
  // Besides 3 and 4, which are the child's link to us.
  std::vector<process::HandedDescriptor> descriptors{};

  bool recover = false;  // opts in; a child may also do so itself
  RecoveryPolicy policy{};
  RecoveryRunner runner{};
  std::optional<RestartRules> restart{};  // the built-in runner, when there is no other

  std::chrono::milliseconds hang_timeout{0};        // 0: no watchdog
  std::chrono::milliseconds drain_timeout{20'000};  // for a process that is being replaced
  RecycleRules recycle{};
  // A replacement starts before the old process is asked to leave. Not for programs that cannot be
  // there twice, such as one that listens on a port.
  bool may_overlap = false;
  // One more process of this kind is started ahead; it must wait for its assignment. Slots of one
  // kind share it, so they must run the same program. "": none.
  std::string spare_kind{};
  // What a process reads while it starts, as a text that differs when that has changed: a spare
  // that has read something older is not used. Empty: nothing can change.
  std::function<std::string()> version{};
};

enum class SlotState { idle, starting, ready, draining, waiting, down, stopped, gave_up };

std::string_view name_of(SlotState state);

struct SlotStatus {
  SlotRef slot{};
  std::string name{};
  int number = 0;
  SlotState state = SlotState::idle;
  pid_t pid = 0;  // 0: no process
  std::chrono::milliseconds uptime{0};
  std::int64_t rss_bytes = 0;
  std::size_t restarts_in_window = 0;
  std::uint64_t working_on = 0;
  bool is_being_replaced = false;
  std::optional<ProcessEvent> last_event{};
};

}  // namespace heddle::supervise
