// Describes what a slot runs and how it is supervised. Plain values.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "process/spawn.hpp"
#include "supervise/recovery/recycling.hpp"
#include "supervise/recovery/respawn.hpp"
#include "supervise/recovery/restart_budget.hpp"

namespace heddle::supervise {

// What the processes of a slot are for. Code that iterates over slots filters by it.
enum class SlotKind {
  worker,
  isolated,  // a worker for one suspect job at a time
  api,       // serves HTTP and runs no job
};
constexpr bool runs_jobs(SlotKind kind) {
  return kind != SlotKind::api;
}

struct SlotSpec {
  SlotKind kind = SlotKind::worker;
  std::string name{};
  int number = 0;
  std::vector<std::string> argv{};         // argv[0] is a path, not searched in PATH
  std::vector<std::string> environment{};  // "NAME=value"; the variables of the link are added
  std::filesystem::path directory{};       // empty: the current one
  // Besides 3 and 4, which are the child's link.
  std::vector<process::InheritedDescriptor> descriptors{};

  bool recover = false;  // a child may also opt in itself
  RespawnPolicy policy{};
  RespawnRunner runner{};
  std::optional<RestartPolicy> restart{};  // of the built-in runner, used without another

  std::chrono::milliseconds hang_timeout{0};        // 0: no watchdog
  std::chrono::milliseconds drain_timeout{20'000};  // for a process that is being replaced
  RecycleRules recycle{};
  // A replacement starts before the old process is stopped. Not for programs that cannot run twice,
  // such as one that listens on a port.
  bool may_overlap = false;
  // Keeps one spare process of this kind, which waits for its assignment. Slots of one kind share
  // it and must run the same program. "": none.
  std::string spare_kind{};
  // Returns a text that changes with the files a process reads at its start: a spare with an older
  // version is not used. Empty: nothing can change.
  std::function<std::string()> version{};
};

enum class SlotState { idle, starting, ready, draining, waiting, down, stopped, gave_up };

std::string_view name_of(SlotState state);

struct SlotStatus {
  SlotRef slot{};
  SlotKind kind = SlotKind::worker;
  std::string name{};
  int number = 0;
  SlotState state = SlotState::idle;
  pid_t pid = 0;  // 0: no process
  std::chrono::milliseconds uptime{0};
  std::int64_t rss_bytes = 0;
  std::size_t restarts_in_window = 0;
  std::uint64_t working_on = 0;
  bool is_being_replaced = false;
  std::optional<SlotEvent> last_event{};
};

}  // namespace heddle::supervise
