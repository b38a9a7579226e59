// A slot: its processes, present and leaving, and what is being done to fill it again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/doorbell.hpp"
#include "supervise/occupant.hpp"
#include "supervise/recovery_ticket.hpp"
#include "supervise/slot_spec.hpp"

namespace heddle::supervise {

using OccupantPtr = std::shared_ptr<Occupant>;

struct Slot {
  Slot(SlotId id_in, SlotSpec spec_in);

  SlotId id;
  SlotSpec spec;
  std::uint64_t generation = 0;  // of the spec; grows when those it started are outdated
  RestartBudget budget;
  std::uint32_t next_occurrence = 0;

  OccupantPtr current;               // the slot's work goes here
  OccupantPtr successor;             // started to replace `current`, not ready yet
  std::vector<OccupantPtr> leaving;  // replaced, finishing their work

  std::shared_ptr<RecoveryTicket> ticket;  // a respawn is being decided on or waited for
  std::shared_ptr<Doorbell> delay;         // ends the built-in runner's waiting
  SlotState rest = SlotState::idle;        // what it is while nothing of the above is there
  bool starts_when_left = false;           // a replacement without overlap
  std::chrono::steady_clock::time_point next_recycling{};
  std::chrono::milliseconds renewal_pause{0};  // before the next try, when one has failed
  bool is_renewal_pausing = false;
  bool is_retiring = false;  // forgotten with its last process
  std::optional<ProcessEvent> last_event;

  [[nodiscard]] std::vector<OccupantPtr> occupants() const;
  [[nodiscard]] OccupantPtr find(std::uint32_t occurrence) const;
  [[nodiscard]] bool is_being_replaced() const;
  [[nodiscard]] bool is_outdated(const Occupant& who) const {
    return who.generation() != generation;
  }
  [[nodiscard]] SlotState state() const;
  [[nodiscard]] SlotStatus status();

  // Takes a process that has ended out. True: the slot is empty now and was not before.
  bool vacate(const OccupantPtr& who);
  // The successor is ready: it takes over, the one before it is leaving.
  OccupantPtr promote_successor();
  // Nobody will respawn by what was decided so far.
  void cancel_recovery();
};

}  // namespace heddle::supervise
