#include "supervise/slot.hpp"

#include "model/names.hpp"
#include "supervise/process_memory.hpp"

namespace heddle::supervise {

namespace {

constexpr NameTable<SlotState, 8> kStateNames{{
    {SlotState::idle, "idle"},
    {SlotState::starting, "starting"},
    {SlotState::ready, "ready"},
    {SlotState::draining, "draining"},
    {SlotState::waiting, "waiting"},
    {SlotState::down, "down"},
    {SlotState::stopped, "stopped"},
    {SlotState::gave_up, "gave_up"},
}};

}  // namespace

std::string_view name_of(SlotState state) {
  return heddle::name_of(kStateNames, state);
}

Slot::Slot(SlotId id_in, SlotSpec spec_in)
    : id(id_in), spec(std::move(spec_in)), budget(spec.restart.value_or(RestartRules{})) {}

std::vector<OccupantPtr> Slot::occupants() const {
  std::vector<OccupantPtr> all = leaving;
  for (const OccupantPtr& who : {current, successor})
    if (who) all.push_back(who);
  return all;
}

OccupantPtr Slot::find(std::uint32_t occurrence) const {
  for (const OccupantPtr& who : occupants())
    if (who->ref().occurrence == occurrence) return who;
  return nullptr;
}

bool Slot::is_being_replaced() const {
  return successor || !leaving.empty() || starts_when_left;
}

SlotState Slot::state() const {
  if (!current) return ticket ? SlotState::waiting : rest;
  if (current->is_draining() || current->is_asked_to_stop()) return SlotState::draining;
  return current->is_ready() ? SlotState::ready : SlotState::starting;
}

SlotStatus Slot::status() {
  SlotStatus status;
  status.slot = {id, next_occurrence == 0 ? 0 : next_occurrence - 1};
  status.name = spec.name;
  status.number = spec.number;
  status.state = state();
  status.restarts_in_window = budget.restarts_in_window(RestartBudget::Clock::now());
  status.is_being_replaced = is_being_replaced();
  status.last_event = last_event;
  if (!current) return status;
  status.slot = current->ref();
  status.pid = current->pid();
  status.uptime = current->uptime();
  status.rss_bytes = resident_bytes(status.pid);
  status.working_on = current->page().working_on();
  return status;
}

bool Slot::vacate(const OccupantPtr& who) {
  if (who == current) {
    current = std::move(successor);
    return !current;
  }
  if (who == successor) successor.reset();
  std::erase(leaving, who);
  return false;
}

OccupantPtr Slot::promote_successor() {
  OccupantPtr before = std::exchange(current, std::exchange(successor, nullptr));
  if (before) leaving.push_back(before);
  return before;
}

void Slot::cancel_recovery() {
  if (ticket) std::exchange(ticket, nullptr)->cancel();
  if (delay) std::exchange(delay, nullptr)->ring_for_good();
}

}  // namespace heddle::supervise
