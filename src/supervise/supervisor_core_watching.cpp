// Watches one process of a slot from its start to its exit.
#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"
#include "supervise/recovery/watchdog.hpp"
#include "supervise/supervisor_core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;

namespace {

// Until a process that closed its channel is killed, by the contract.
constexpr auto kLingerTime = 200ms;
// Frames sent before the exit are still read, unless the owner is too busy.
constexpr auto kFinalReadTimeout = 200ms;
constexpr auto kRecycleCheckInterval = 1000ms;
// Before a failed replacement is retried.
constexpr auto kRecyclePause = 60s;

}  // namespace

Async<void> SupervisorCore::watch(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child) {
  const process::ExitStatus exit = co_await child->wait_end();
  co_await child->frames_read.wait_for(kFinalReadTimeout);
  if (!core->is_abandoned_) core->on_end(child, exit);
}

Async<void> SupervisorCore::receive(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child) {
  const auto channel = child->channel();
  while (!child->gone.is_closed()) {
    auto frame = co_await channel->receive();
    if (core->is_abandoned_) co_return;
    if (!frame) {
      core->on_channel_end(child, frame.error());
      break;
    }
    if (frame->type >= kFirstOwnerType && child->is_attached() && !child->is_spare()) {
      const SlotRef from = child->ref();
      if (core->owner_) co_await core->owner_->on_frame(from, std::move(*frame));
      continue;
    }
    if (const Status understood = core->on_control(child, *frame); !understood) {
      child->kill(KillCause::bad_frame, understood.error().message);
      break;
    }
  }
  child->frames_read.close();
}

Status SupervisorCore::on_control(const ChildProcessPtr& child, const ipc::Frame& frame) {
  if (frame.type == static_cast<std::uint16_t>(ControlFrameType::hello))
    return on_hello(child, frame);
  if (!child->is_attached())
    return Error{ErrorCode::corrupt, fmt::format("frame {} before its hello", frame.type)};
  if (child->is_spare())
    return Error{ErrorCode::corrupt, fmt::format("frame {} before its assignment", frame.type)};
  if (frame.type == static_cast<std::uint16_t>(ControlFrameType::ready)) {
    on_ready(child);
    return Done{};
  }
  if (frame.type == static_cast<std::uint16_t>(ControlFrameType::draining)) {
    if (!child->page().has(ChildFlag::draining))
      return Error{ErrorCode::corrupt,
                   "it reported that it is draining, but its shared memory page does not "
                   "show it (a bug: please report it)"};
    publish_about(child, SlotEventKind::draining);
    return Done{};
  }
  return Error{ErrorCode::corrupt, fmt::format("unknown control frame {}", frame.type)};
}

Status SupervisorCore::on_hello(const ChildProcessPtr& child, const ipc::Frame& frame) {
  if (child->is_attached()) return Error{ErrorCode::corrupt, "a second hello"};
  const auto hello = read_hello(frame);
  if (!hello) return hello.error();
  child->attach(*hello);
  return Done{};
}

void SupervisorCore::on_ready(const ChildProcessPtr& child) {
  Slot* slot = find(child->ref().slot);
  if (!slot || child->is_ready()) return;
  child->set_ready();
  if (child == slot->successor) {
    const ChildProcessPtr before = slot->promote_successor();
    const auto timeout =
        slot->is_outdated(*before) ? drain_timeout_of(*slot) : slot->spec.drain_timeout;
    stop_child(before, std::chrono::steady_clock::now() + timeout);
  }
  slot->renewal_pause = 0ms;
  const bool is_outdated = slot->is_outdated(*child);
  publish_about(child, SlotEventKind::ready);
  if (owner_ && !child->is_stop_requested() && !is_outdated) owner_->on_ready(child->ref());
  slot = find(child->ref().slot);
  if (!slot) return;
  run(ensure_spare_soon(shared_from_this(), slot->spec));
  renew_if_outdated(slot->id);
}

void SupervisorCore::on_channel_end(const ChildProcessPtr& child, const Error& error) {
  if (error.code == ErrorCode::corrupt) child->kill(KillCause::bad_frame, error.message);
  // A program that never attached may close descriptors it does not know.
  if (child->is_attached() && !child->is_draining() && !child->is_stop_requested())
    run(kill_if_lingering(child));
}

Async<void> SupervisorCore::kill_if_lingering(ChildProcessPtr child) {
  const bool is_alive = co_await child->gone.wait_for(kLingerTime);
  if (is_alive) child->kill(KillCause::lingered, "it closed its channel but did not exit");
}

Async<void> SupervisorCore::guard(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child) {
  const Slot* slot = core->find(child->ref().slot);
  if (!slot) co_return;
  const auto hang_timeout = slot->spec.hang_timeout;
  const bool recycles = has_any(slot->spec.recycle);
  if (hang_timeout.count() == 0 && !recycles) co_return;
  Watchdog watchdog(hang_timeout, std::chrono::steady_clock::now());
  const auto period = hang_timeout.count() == 0 ? kRecycleCheckInterval : watchdog.period();
  for (;;) {
    const bool is_alive = co_await child->gone.wait_for(period);
    if (!is_alive) co_return;
    const auto now = std::chrono::steady_clock::now();
    const bool is_hung = hang_timeout.count() > 0 && watchdog.is_hung(child->page().beats(), now);
    // After a stop request the deadline applies instead.
    if (is_hung && (!child->is_stop_requested() || core->has_extended_drain(child)))
      child->kill(KillCause::hung, "no heartbeat for " + to_short_text(hang_timeout));
    else if (recycles)
      core->recycle_if_due(child);
  }
}

// Its drain timeout is so long that the watchdog still applies.
bool SupervisorCore::has_extended_drain(const ChildProcessPtr& child) {
  const Slot* slot = find(child->ref().slot);
  if (!slot || shutdown_deadline_) return false;
  const auto& outgoing = slot->outgoing;
  return slot->is_retiring ||
         (slot->is_outdated(*child) &&
          std::find(outgoing.begin(), outgoing.end(), child) != outgoing.end());
}

void SupervisorCore::recycle_if_due(const ChildProcessPtr& child) {
  Slot* slot = find(child->ref().slot);
  const auto now = std::chrono::steady_clock::now();
  if (!slot || slot->current != child || !child->is_ready() || child->is_draining()) return;
  if (shutdown_deadline_ || now < slot->next_recycling || is_any_slot_being_replaced()) return;
  const auto reason = recycle_reason(slot->spec.recycle, child->uptime(), child->memory());
  if (!reason) return;
  slot->next_recycling = now + kRecyclePause;
  log_.info(fmt::format("{} is replaced: {}", slot->spec.name, *reason));
  if (const Status replaced = replace(slot->id); !replaced)
    log_.warn(fmt::format("{} cannot be replaced: {}", slot->spec.name, replaced.error().message));
}

void SupervisorCore::on_end(const ChildProcessPtr& child, const process::ExitStatus& exit) {
  child->gone.close();
  child->channel()->close();
  if (child->is_spare()) return on_spare_end(child, exit);
  Slot* slot = find(child->ref().slot);
  if (!slot) return;
  const DeathCause cause = classify_death(child->death_facts(exit));
  SlotEvent event = event_of(*slot, cause.reason);
  event.slot = child->ref();
  event.pid = exit.pid;
  event.exit_code = exit.exit_code;
  event.signal = exit.signal;
  event.uptime = child->uptime();
  event.detail = cause.detail;
  event.working_on = child->page().working_on();
  const Death death = death_of(*slot, child, event, cause.may_recover);
  const SlotId id = slot->id;
  const bool was_successor = child == slot->successor;
  const bool is_vacant = slot->remove(child);
  if (is_vacant)
    slot->inactive_state = death.was_stop_requested ? SlotState::stopped : SlotState::down;
  publish(std::move(event));
  if (is_vacant) refill(id, death);
  if (was_successor) renew_later(id);
  slot = find(id);
  if (slot && slot->is_retiring) remove(id);
  if (shutdown_deadline_ && !has_children()) all_gone_.close();
}

}  // namespace heddle::supervise
