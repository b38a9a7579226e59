// Holds the state of one slot: its processes and its pending respawn or replacement.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/wake_signal.hpp"
#include "supervise/child_process.hpp"
#include "supervise/recovery/respawn_permit.hpp"
#include "supervise/slot_spec.hpp"

namespace heddle::supervise {

using ChildProcessPtr = std::shared_ptr<ChildProcess>;

struct Slot {
  Slot(SlotId id_in, SlotSpec spec_in);

  SlotId id;
  SlotSpec spec;
  std::uint64_t generation = 0;  // of the spec; increases when running processes become outdated
  RestartBudget budget;
  std::uint32_t next_occurrence = 0;

  ChildProcessPtr current;                // receives the slot's work
  ChildProcessPtr successor;              // started to replace `current`, not ready yet
  std::vector<ChildProcessPtr> outgoing;  // replaced, draining

  std::shared_ptr<RespawnPermit> permit;       // set while a respawn is pending
  std::shared_ptr<WakeSignal> delay;           // cancels the delay of the built-in runner
  SlotState inactive_state = SlotState::idle;  // without a process and a pending respawn
  bool restarts_after_exit = false;            // a replacement without overlap
  std::chrono::steady_clock::time_point next_recycling{};
  std::chrono::milliseconds renewal_pause{0};  // before a failed renewal is retried
  bool is_renewal_pausing = false;
  bool is_retiring = false;  // removed with its last process
  std::optional<SlotEvent> last_event;

  [[nodiscard]] std::vector<ChildProcessPtr> children() const;
  [[nodiscard]] ChildProcessPtr find(std::uint32_t occurrence) const;
  [[nodiscard]] bool is_being_replaced() const;
  [[nodiscard]] bool is_outdated(const ChildProcess& child) const {
    return child.generation() != generation;
  }
  [[nodiscard]] SlotState state() const;
  [[nodiscard]] SlotStatus status();

  // Removes a process that has ended. True: it was the current one and has no successor.
  bool remove(const ChildProcessPtr& child);
  // Makes the ready successor current and returns the previous process, now outgoing.
  ChildProcessPtr promote_successor();
  // Cancels the pending respawn.
  void cancel_recovery();
};

}  // namespace heddle::supervise
