#include "supervise/supervisor_core.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"

namespace heddle::supervise {

SupervisorCore::SupervisorCore(boost::asio::any_io_executor executor, Log& log, const Clock& clock,
                               SlotOwner* owner)
    : executor_(std::move(executor)),
      log_(log),
      clock_(clock),
      owner_(owner),
      events_(log),
      gate_(std::make_shared<LoopGate>(executor_)),
      respawn_threads_(gate_) {
  if (owner_)
    owner_subscription_ = events_.subscribe([owner](const auto& event) { owner->on_event(event); });
}

void SupervisorCore::run(Async<void> coroutine) {
  boost::asio::co_spawn(executor_, std::move(coroutine), rethrow_bug);
}

SlotId SupervisorCore::add(SlotSpec spec) {
  const SlotId id = next_id_++;
  slots_.emplace(id, std::make_unique<Slot>(id, std::move(spec)));
  return id;
}

bool SupervisorCore::remove(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return true;
  if (!slot->children().empty()) return false;
  slot->cancel_recovery();
  slots_.erase(id);
  return true;
}

Slot* SupervisorCore::find(SlotId id) {
  const auto found = slots_.find(id);
  return found == slots_.end() ? nullptr : found->second.get();
}

Status SupervisorCore::start(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return Error{ErrorCode::not_found, "there is no such slot"};
  if (shutdown_deadline_) return Error{ErrorCode::conflict, "shutdown has begun"};
  if (slot->current) return Error{ErrorCode::conflict, "the slot has a process"};
  slot->cancel_recovery();
  slot->budget.clear();
  Status started = launch_current(*slot);
  if (!started) on_start_failed(*slot, started.error(), slot->spec.recover);
  return started;
}

Status SupervisorCore::launch_current(Slot& slot) {
  auto child = launch(slot);
  if (!child) return std::move(child.error()).during("cannot start " + slot.spec.name);
  slot.current = *child;
  publish_about(*child, SlotEventKind::started);
  return Done{};
}

Result<ChildProcessPtr> SupervisorCore::launch(Slot& slot) {
  ChildProcessPtr child = take_spare(slot);
  if (!child) {
    auto launched = ChildProcess::launch(slot.spec, {slot.id, slot.next_occurrence++}, executor_);
    if (!launched) return launched;
    child = std::move(*launched);
    run(watch(shared_from_this(), child));
    run(receive(shared_from_this(), child));
  }
  child->set_generation(slot.generation);
  run(guard(shared_from_this(), child));
  return child;
}

SlotEvent SupervisorCore::event_of(const Slot& slot, SlotEventKind kind) {
  SlotEvent event;
  event.kind = kind;
  event.slot.slot = slot.id;
  event.slot.occurrence = slot.next_occurrence == 0 ? 0 : slot.next_occurrence - 1;
  event.name = slot.spec.name;
  event.number = slot.spec.number;
  return event;
}

void SupervisorCore::publish_about(const ChildProcessPtr& child, SlotEventKind kind,
                                   std::string detail) {
  const Slot* slot = find(child->ref().slot);
  if (!slot) return;
  SlotEvent event = event_of(*slot, kind);
  event.slot = child->ref();
  event.pid = child->pid();
  event.uptime = child->uptime();
  event.detail = std::move(detail);
  publish(std::move(event));
}

void SupervisorCore::publish(SlotEvent event) {
  event.time = clock_.now();
  if (Slot* slot = find(event.slot.slot)) slot->last_event = event;
  events_.publish(std::move(event));
}

std::vector<SlotStatus> SupervisorCore::status() {
  std::vector<SlotStatus> all;
  all.reserve(slots_.size());
  for (const auto& [id, slot] : slots_) all.push_back(slot->status());
  return all;
}

std::vector<SlotId> SupervisorCore::slots() const {
  std::vector<SlotId> all;
  for (const auto& [id, slot] : slots_) all.push_back(id);
  return all;
}

std::shared_ptr<ipc::Channel> SupervisorCore::channel(SlotRef ref) {
  const Slot* slot = find(ref.slot);
  const ChildProcessPtr child = slot ? slot->find(ref.occurrence) : nullptr;
  return child ? child->channel() : nullptr;
}

void SupervisorCore::abandon() {
  is_abandoned_ = true;
  shutdown_deadline_ = Deadline{};
  owner_ = nullptr;
  owner_subscription_.cancel();
  gate_->close();
  cancel_all_recovery();
  for (const auto& [id, slot] : slots_) {
    for (const ChildProcessPtr& child : slot->children()) {
      child->kill(KillCause::not_wanted, "the supervisor is gone");
      child->channel()->close();
      child->gone.close();
    }
  }
  no_more_spares_.close();
  for (const auto& [kind, spare] : spares_)
    if (spare.child) spare.child->kill(KillCause::not_wanted, "the supervisor is gone");
  shutdown_begun_.close();
  all_gone_.close();
}

}  // namespace heddle::supervise
