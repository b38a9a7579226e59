// One process of a slot from its start to its end.
#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"
#include "supervise/core.hpp"
#include "supervise/process_memory.hpp"
#include "supervise/watchdog.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;

namespace {

// For a process that closed its channel, by the contract.
constexpr auto kLingerTime = 200ms;
// What a process sent before its end is still read, unless its owner is too busy.
constexpr auto kReadOutTime = 200ms;
constexpr auto kRecycleLook = 1000ms;
// A replacement that did not work out is not tried again at once.
constexpr auto kRecyclePause = 60s;

}  // namespace

Async<void> Core::watch(std::shared_ptr<Core> core, OccupantPtr who) {
  const process::ExitFacts exit = co_await who->wait_end();
  co_await who->read_out.wait_for(kReadOutTime);
  if (!core->is_abandoned_) core->on_end(who, exit);
}

Async<void> Core::receive(std::shared_ptr<Core> core, OccupantPtr who) {
  const auto channel = who->channel();
  while (!who->gone.rings_for_good()) {
    auto frame = co_await channel->receive();
    if (core->is_abandoned_) co_return;
    if (!frame) {
      core->on_channel_end(who, frame.error());
      break;
    }
    if (frame->type >= kFirstOwnType && who->is_attached() && !who->is_spare()) {
      const SlotRef from = who->ref();
      if (core->owner_) co_await core->owner_->on_frame(from, std::move(*frame));
      continue;
    }
    if (const Status understood = core->on_control(who, *frame); !understood) {
      who->kill(KillCause::bad_frame, understood.error().message);
      break;
    }
  }
  who->read_out.ring_for_good();
}

Status Core::on_control(const OccupantPtr& who, const ipc::Frame& frame) {
  if (frame.type == static_cast<std::uint16_t>(Control::hello)) return on_hello(who, frame);
  if (!who->is_attached())
    return Error{ErrorCode::corrupt, fmt::format("frame {} before its hello", frame.type)};
  if (who->is_spare())
    return Error{ErrorCode::corrupt, fmt::format("frame {} before its assignment", frame.type)};
  if (frame.type == static_cast<std::uint16_t>(Control::ready)) {
    on_ready(who);
    return Done{};
  }
  if (frame.type == static_cast<std::uint16_t>(Control::draining)) {
    if (!who->page().has(Mark::draining))
      return Error{ErrorCode::corrupt, "it said it is draining, but its page does not"};
    publish_about(who, EventKind::draining);
    return Done{};
  }
  return Error{ErrorCode::corrupt, fmt::format("unknown control frame {}", frame.type)};
}

Status Core::on_hello(const OccupantPtr& who, const ipc::Frame& frame) {
  if (who->is_attached()) return Error{ErrorCode::corrupt, "a second hello"};
  const auto hello = read_hello(frame);
  if (!hello) return hello.error();
  who->attach(*hello);
  return Done{};
}

void Core::on_ready(const OccupantPtr& who) {
  Slot* slot = find(who->ref().slot);
  if (!slot || who->is_ready()) return;
  who->set_ready();
  if (who == slot->successor) {
    const OccupantPtr before = slot->promote_successor();
    const auto patience =
        slot->is_outdated(*before) ? patience_with(*slot) : slot->spec.drain_timeout;
    ask_to_leave(before, std::chrono::steady_clock::now() + patience);
  }
  slot->renewal_pause = 0ms;
  const bool is_outdated = slot->is_outdated(*who);
  publish_about(who, EventKind::ready);
  if (owner_ && !who->is_asked_to_stop() && !is_outdated) owner_->on_ready(who->ref());
  slot = find(who->ref().slot);
  if (!slot) return;
  run(keep_spare_soon(shared_from_this(), slot->spec));
  renew_if_outdated(slot->id);
}

void Core::on_channel_end(const OccupantPtr& who, const Error& error) {
  if (error.code == ErrorCode::corrupt) who->kill(KillCause::bad_frame, error.message);
  // A program that never attached may close what it does not know.
  if (who->is_attached() && !who->is_draining() && !who->is_asked_to_stop()) run(linger(who));
}

Async<void> Core::linger(OccupantPtr who) {
  const bool is_still_there = co_await who->gone.wait_for(kLingerTime);
  if (is_still_there) who->kill(KillCause::lingered, "it closed its channel and stayed");
}

Async<void> Core::guard(std::shared_ptr<Core> core, OccupantPtr who) {
  const Slot* slot = core->find(who->ref().slot);
  if (!slot) co_return;
  const auto hang_timeout = slot->spec.hang_timeout;
  const bool recycles = has_any(slot->spec.recycle);
  if (hang_timeout.count() == 0 && !recycles) co_return;
  Watchdog watchdog(hang_timeout, std::chrono::steady_clock::now());
  const auto period = hang_timeout.count() == 0 ? kRecycleLook : watchdog.period();
  for (;;) {
    const bool is_there = co_await who->gone.wait_for(period);
    if (!is_there) co_return;
    const auto now = std::chrono::steady_clock::now();
    const bool is_hung = hang_timeout.count() > 0 && watchdog.is_hung(who->page().beats(), now);
    // Who was asked to stop has a deadline already.
    if (is_hung && (!who->is_asked_to_stop() || core->may_take_its_time(who)))
      who->kill(KillCause::hung, "no heartbeat for " + to_short_text(hang_timeout));
    else if (recycles)
      core->recycle_if_due(who);
  }
}

// It was asked to leave, but has far more time for that than a process that hangs deserves.
bool Core::may_take_its_time(const OccupantPtr& who) {
  const Slot* slot = find(who->ref().slot);
  if (!slot || shutdown_deadline_) return false;
  const auto& leaving = slot->leaving;
  return slot->is_retiring || (slot->is_outdated(*who) &&
                               std::find(leaving.begin(), leaving.end(), who) != leaving.end());
}

void Core::recycle_if_due(const OccupantPtr& who) {
  Slot* slot = find(who->ref().slot);
  const auto now = std::chrono::steady_clock::now();
  if (!slot || slot->current != who || !who->is_ready() || who->is_draining()) return;
  if (shutdown_deadline_ || now < slot->next_recycling || is_anybody_being_replaced()) return;
  const auto reason = recycle_reason(slot->spec.recycle, who->uptime(), resident_bytes(who->pid()));
  if (!reason) return;
  slot->next_recycling = now + kRecyclePause;
  log_.info(fmt::format("{} is replaced: {}", slot->spec.name, *reason));
  if (const Status replaced = replace(slot->id); !replaced)
    log_.warn(fmt::format("{} cannot be replaced: {}", slot->spec.name, replaced.error().message));
}

void Core::on_end(const OccupantPtr& who, const process::ExitFacts& exit) {
  who->gone.ring_for_good();
  who->channel()->close();
  if (who->is_spare()) return on_spare_end(who, exit);
  Slot* slot = find(who->ref().slot);
  if (!slot) return;
  const Verdict verdict = judge(who->death_facts(exit));
  ProcessEvent event = event_of(*slot, verdict.reason);
  event.slot = who->ref();
  event.pid = exit.pid;
  event.exit_code = exit.exit_code;
  event.signal = exit.signal;
  event.uptime = who->uptime();
  event.detail = verdict.detail;
  event.working_on = who->page().working_on();
  const Death death = death_of(*slot, who, event, verdict.may_recover);
  const SlotId id = slot->id;
  const bool was_successor = who == slot->successor;
  const bool left_a_gap = slot->vacate(who);
  if (left_a_gap) slot->rest = death.was_asked_to_stop ? SlotState::stopped : SlotState::down;
  publish(std::move(event));
  if (left_a_gap) fill_gap(id, death);
  if (was_successor) renew_later(id);
  slot = find(id);
  if (slot && slot->is_retiring) forget(id);
  if (shutdown_deadline_ && !is_anybody_there()) all_gone_.ring_for_good();
}

}  // namespace heddle::supervise
