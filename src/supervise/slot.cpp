#include "supervise/slot.hpp"

#include "base/process_memory.hpp"
#include "model/names.hpp"

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
    : id(id_in), spec(std::move(spec_in)), budget(spec.restart.value_or(RestartPolicy{})) {}

std::vector<ChildProcessPtr> Slot::children() const {
  std::vector<ChildProcessPtr> all = outgoing;
  for (const ChildProcessPtr& child : {current, successor})
    if (child) all.push_back(child);
  return all;
}

ChildProcessPtr Slot::find(std::uint32_t occurrence) const {
  for (const ChildProcessPtr& child : children())
    if (child->ref().occurrence == occurrence) return child;
  return nullptr;
}

bool Slot::is_being_replaced() const {
  return successor || !outgoing.empty() || restarts_after_exit;
}

SlotState Slot::state() const {
  if (!current) return permit ? SlotState::waiting : inactive_state;
  if (current->is_draining() || current->is_stop_requested()) return SlotState::draining;
  return current->is_ready() ? SlotState::ready : SlotState::starting;
}

SlotStatus Slot::status() {
  SlotStatus status;
  status.slot = {id, next_occurrence == 0 ? 0 : next_occurrence - 1};
  status.name = spec.name;
  status.kind = spec.kind;
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

bool Slot::remove(const ChildProcessPtr& child) {
  if (child == current) {
    current = std::move(successor);
    return !current;
  }
  if (child == successor) successor.reset();
  std::erase(outgoing, child);
  return false;
}

ChildProcessPtr Slot::promote_successor() {
  ChildProcessPtr before = std::exchange(current, std::exchange(successor, nullptr));
  if (before) outgoing.push_back(before);
  return before;
}

void Slot::cancel_recovery() {
  if (permit) std::exchange(permit, nullptr)->cancel();
  if (delay) std::exchange(delay, nullptr)->close();
}

}  // namespace heddle::supervise
