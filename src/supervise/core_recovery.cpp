// What happens after a death: policy, runner, delay, respawn.
#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "supervise/core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

// Without rules a respawn is immediate; a process that dies at once must not keep us from all else.
constexpr std::size_t kRestartsInARow = 10;
constexpr auto kBreath = 1000ms;
constexpr auto kCountdownStep = 1000ms;

}  // namespace

Core::Death Core::death_of(Slot& slot, const OccupantPtr& who, const ProcessEvent& event,
                           bool may_recover) {
  Death death;
  death.info = {event.slot,   event.name,
                event.number, event.pid,
                event.kind,   event.exit_code,
                event.signal, slot.budget.restarts_in_window(steady_clock::now()),
                event.uptime};
  const bool opted_in = slot.spec.recover || who->page().has(Mark::wants_recovery);
  death.may_recover = may_recover && opted_in;
  death.was_asked_to_stop = who->is_asked_to_stop();
  return death;
}

void Core::fill_gap(SlotId id, const Death& death) {
  Slot* slot = find_recoverable(id);
  if (!slot) return;
  if (std::exchange(slot->starts_when_left, false))
    fill(*slot, slot->spec.recover || death.may_recover);
  else if (death.may_recover)
    recover(id, death.info);
}

// Handlers and policies may have stopped, started or forgotten the slot in the meantime.
Slot* Core::find_recoverable(SlotId id) {
  Slot* slot = find(id);
  const bool is_wanted = slot && !shutdown_deadline_ && !slot->current && !slot->ticket;
  return is_wanted ? slot : nullptr;
}

void Core::recover(SlotId id, const RecoveryInfo& info) {
  Slot* slot = find_recoverable(id);
  if (!slot || slot->rest != SlotState::down || !is_allowed(*slot, info)) return;
  slot = find_recoverable(id);
  if (!slot || slot->rest != SlotState::down) return;
  RecoveryRunner runner = slot->spec.runner ? slot->spec.runner : default_runner_;
  // The built-in runner is the slot's own, too.
  if (slot->spec.restart && !slot->spec.runner) runner = nullptr;
  if (runner)
    start_runner(*slot, info, std::move(runner));
  else
    start_delay(*slot, info);
}

bool Core::is_allowed(const Slot& slot, const RecoveryInfo& info) {
  const RecoveryPolicy policy = slot.spec.policy ? slot.spec.policy : default_policy_;
  if (!policy) return true;
  try {
    return policy(info);
  } catch (const std::exception& error) {
    log_.error(fmt::format("the recovery policy of {} failed: {}", info.name, error.what()));
  } catch (...) {
    log_.error(fmt::format("the recovery policy of {} failed", info.name));
  }
  return false;
}

// Redeemed from any thread; what follows happens here, if here still is anywhere.
std::shared_ptr<RecoveryTicket> Core::issue_ticket(SlotId id) {
  // The ticket's own handler has to name it, and is made before it is.
  auto itself = std::make_shared<std::weak_ptr<RecoveryTicket>>();
  auto ticket =
      std::make_shared<RecoveryTicket>([core = weak_from_this(), gate = gate_, id, itself] {
        gate->post([core, id, itself] {
          const auto alive = core.lock();
          const auto redeemed = itself->lock();
          if (alive && redeemed) alive->on_redeemed(id, redeemed.get());
        });
      });
  *itself = ticket;
  std::erase_if(tickets_, [](const auto& known) { return known.expired(); });
  tickets_.push_back(ticket);
  return ticket;
}

void Core::start_runner(Slot& slot, const RecoveryInfo& info, RecoveryRunner runner) {
  slot.ticket = issue_ticket(slot.id);
  RecoveryThreads::Work work{std::move(runner), info, slot.ticket, {}};
  work.on_return = [core = weak_from_this(), id = slot.id,
                    ticket = std::weak_ptr(slot.ticket)](const std::string& error) {
    const auto alive = core.lock();
    if (alive) alive->on_runner_returned(id, ticket.lock().get(), error);
  };
  recovery_threads_.run(std::move(work));
}

void Core::start_delay(Slot& slot, const RecoveryInfo& info) {
  const auto pause = pause_before_restart(slot, info.reason);
  if (!pause) {
    slot.rest = SlotState::gave_up;
    ProcessEvent event = event_of(slot, EventKind::gave_up);
    event.pid = info.pid;
    event.detail = fmt::format("{} restart{} within {}", info.restarts_in_window,
                               info.restarts_in_window == 1 ? "" : "s",
                               to_short_text(slot.spec.restart->window));
    publish(std::move(event));
    return;
  }
  if (*pause == 0ms) return respawn(slot);
  slot.ticket = issue_ticket(slot.id);
  slot.delay = std::make_shared<Doorbell>();
  run(respawn_later(shared_from_this(), slot.id, slot.ticket, steady_clock::now() + *pause));
}

std::optional<milliseconds> Core::pause_before_restart(Slot& slot, EventKind reason) {
  const auto now = steady_clock::now();
  const milliseconds least = reason == EventKind::start_failed ? kBreath : 0ms;
  if (!slot.spec.restart)
    return slot.budget.restarts_since(now - kBreath) < kRestartsInARow ? least : kBreath;
  const auto pause = slot.budget.next_delay(now);
  if (!pause) return std::nullopt;
  return std::max(*pause, least);
}

Async<void> Core::respawn_later(std::shared_ptr<Core> core, SlotId id,
                                std::shared_ptr<RecoveryTicket> ticket, SteadyTime when) {
  const Slot* slot = core->find(id);
  if (!slot || slot->ticket != ticket) co_return;
  const std::shared_ptr<Doorbell> delay = slot->delay;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(when - steady_clock::now());
    if (left <= 0ms) break;
    ProcessEvent event = event_of(*slot, EventKind::countdown);
    event.delay = left;
    core->publish(std::move(event));
    // Whole seconds are left at every step but the first.
    const auto odd = left % kCountdownStep;
    const auto step = odd.count() > 0 ? odd : kCountdownStep;
    const bool goes_on = co_await delay->wait_for(step);
    if (!goes_on) co_return;
  }
  core->on_redeemed(id, ticket.get());
}

void Core::on_redeemed(SlotId id, const RecoveryTicket* ticket) {
  Slot* slot = find(id);
  if (!slot || slot->ticket.get() != ticket || shutdown_deadline_) return;
  slot->ticket.reset();
  slot->delay.reset();
  if (!slot->current) respawn(*slot);
}

void Core::on_runner_returned(SlotId id, const RecoveryTicket* ticket, const std::string& error) {
  if (!error.empty()) log_.error(error);
  Slot* slot = find(id);
  if (!slot || !ticket || slot->ticket.get() != ticket) return;
  // Another thread may have called spawn() just before the runner returned: its news will come.
  if (!ticket->was_redeemed()) slot->ticket.reset();
}

void Core::respawn(Slot& slot) {
  slot.budget.record_restart(steady_clock::now());
  fill(slot, true);
}

void Core::fill(Slot& slot, bool may_recover) {
  const Status started = launch_current(slot);
  if (!started) on_start_failed(slot, started.error(), may_recover);
}

void Core::on_start_failed(Slot& slot, const Error& error, bool may_recover) {
  const SlotId id = slot.id;
  ProcessEvent event = event_of(slot, EventKind::start_failed);
  event.detail = error.message;
  slot.rest = SlotState::down;
  RecoveryInfo info;
  info.slot = event.slot;
  info.name = event.name;
  info.number = event.number;
  info.reason = event.kind;
  info.restarts_in_window = slot.budget.restarts_in_window(steady_clock::now());
  publish(std::move(event));
  if (may_recover) recover(id, info);
}

}  // namespace heddle::supervise
