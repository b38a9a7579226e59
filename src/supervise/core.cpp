#include "supervise/core.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"

namespace heddle::supervise {

Core::Core(boost::asio::any_io_executor executor, Log& log, const Clock& clock, SlotOwner* owner)
    : executor_(std::move(executor)),
      log_(log),
      clock_(clock),
      owner_(owner),
      events_(log),
      gate_(std::make_shared<LoopGate>(executor_)),
      recovery_threads_(gate_) {
  if (owner_)
    owner_subscription_ = events_.subscribe([owner](const auto& event) { owner->on_event(event); });
}

void Core::run(Async<void> coroutine) {
  boost::asio::co_spawn(executor_, std::move(coroutine), rethrow_bug);
}

SlotId Core::add(SlotSpec spec) {
  const SlotId id = next_id_++;
  slots_.emplace(id, std::make_unique<Slot>(id, std::move(spec)));
  return id;
}

bool Core::forget(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return true;
  if (!slot->occupants().empty()) return false;
  slot->cancel_recovery();
  slots_.erase(id);
  return true;
}

Slot* Core::find(SlotId id) {
  const auto found = slots_.find(id);
  return found == slots_.end() ? nullptr : found->second.get();
}

Status Core::start(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return Error{ErrorCode::not_found, "there is no such slot"};
  if (shutdown_deadline_) return Error{ErrorCode::conflict, "shutdown has begun"};
  if (slot->current) return Error{ErrorCode::conflict, "the slot has a process"};
  slot->cancel_recovery();
  slot->budget.forget_all();
  Status started = launch_current(*slot);
  if (!started) on_start_failed(*slot, started.error(), slot->spec.recover);
  return started;
}

Status Core::launch_current(Slot& slot) {
  auto who = launch(slot);
  if (!who) return std::move(who.error()).during("start " + slot.spec.name);
  slot.current = *who;
  publish_about(*who, EventKind::started);
  return Done{};
}

Result<OccupantPtr> Core::launch(Slot& slot) {
  OccupantPtr who = take_spare(slot);
  if (!who) {
    auto launched = Occupant::launch(slot.spec, {slot.id, slot.next_occurrence++}, executor_);
    if (!launched) return launched;
    who = std::move(*launched);
    run(watch(shared_from_this(), who));
    run(receive(shared_from_this(), who));
  }
  who->set_generation(slot.generation);
  run(guard(shared_from_this(), who));
  return who;
}

ProcessEvent Core::event_of(const Slot& slot, EventKind kind) {
  ProcessEvent event;
  event.kind = kind;
  event.slot.slot = slot.id;
  event.slot.occurrence = slot.next_occurrence == 0 ? 0 : slot.next_occurrence - 1;
  event.name = slot.spec.name;
  event.number = slot.spec.number;
  return event;
}

void Core::publish_about(const OccupantPtr& who, EventKind kind, std::string detail) {
  const Slot* slot = find(who->ref().slot);
  if (!slot) return;
  ProcessEvent event = event_of(*slot, kind);
  event.slot = who->ref();
  event.pid = who->pid();
  event.uptime = who->uptime();
  event.detail = std::move(detail);
  publish(std::move(event));
}

void Core::publish(ProcessEvent event) {
  event.time = clock_.now();
  if (Slot* slot = find(event.slot.slot)) slot->last_event = event;
  events_.publish(std::move(event));
}

std::vector<SlotStatus> Core::status() {
  std::vector<SlotStatus> all;
  all.reserve(slots_.size());
  for (const auto& [id, slot] : slots_) all.push_back(slot->status());
  return all;
}

std::vector<SlotId> Core::slots() const {
  std::vector<SlotId> all;
  for (const auto& [id, slot] : slots_) all.push_back(id);
  return all;
}

std::shared_ptr<ipc::Channel> Core::channel(SlotRef ref) {
  const Slot* slot = find(ref.slot);
  const OccupantPtr who = slot ? slot->find(ref.occurrence) : nullptr;
  return who ? who->channel() : nullptr;
}

void Core::abandon() {
  is_abandoned_ = true;
  shutdown_deadline_ = Deadline{};
  owner_ = nullptr;
  owner_subscription_.cancel();
  gate_->close();
  cancel_all_recovery();
  for (const auto& [id, slot] : slots_) {
    for (const OccupantPtr& who : slot->occupants()) {
      who->kill(KillCause::not_wanted, "the supervisor is gone");
      who->channel()->close();
      who->gone.ring_for_good();
    }
  }
  no_more_spares_.ring_for_good();
  for (const auto& [kind, spare] : spares_)
    if (spare.who) spare.who->kill(KillCause::not_wanted, "the supervisor is gone");
  shutdown_begun_.ring_for_good();
  all_gone_.ring_for_good();
}

}  // namespace heddle::supervise
