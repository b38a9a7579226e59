// Recovery after a death: policy, runner, delay, respawn.
#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "supervise/supervisor_core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

// Without a restart policy a respawn is immediate; a crash loop must not occupy the event loop.
constexpr std::size_t kMaxImmediateRestarts = 10;
constexpr auto kMinRespawnPause = 1000ms;
constexpr auto kCountdownStep = 1000ms;

}  // namespace

SupervisorCore::Death SupervisorCore::death_of(Slot& slot, const ChildProcessPtr& child,
                                               const SlotEvent& event, bool may_recover) {
  Death death;
  death.crash = {event.slot,   event.name,
                 event.number, event.pid,
                 event.kind,   event.exit_code,
                 event.signal, slot.budget.restarts_in_window(steady_clock::now()),
                 event.uptime};
  const bool opted_in = slot.spec.recover || child->page().has(ChildFlag::wants_recovery);
  death.may_recover = may_recover && opted_in;
  death.was_stop_requested = child->is_stop_requested();
  return death;
}

void SupervisorCore::refill(SlotId id, const Death& death) {
  Slot* slot = find_recoverable(id);
  if (!slot) return;
  if (std::exchange(slot->restarts_after_exit, false))
    fill(*slot, slot->spec.recover || death.may_recover);
  else if (death.may_recover)
    recover(id, death.crash);
}

// Handlers and policies may have stopped, started or removed the slot in the meantime.
Slot* SupervisorCore::find_recoverable(SlotId id) {
  Slot* slot = find(id);
  const bool is_wanted = slot && !shutdown_deadline_ && !slot->current && !slot->permit;
  return is_wanted ? slot : nullptr;
}

void SupervisorCore::recover(SlotId id, const CrashReport& crash) {
  Slot* slot = find_recoverable(id);
  if (!slot || slot->inactive_state != SlotState::down || !is_allowed(*slot, crash)) return;
  slot = find_recoverable(id);
  if (!slot || slot->inactive_state != SlotState::down) return;
  RespawnRunner runner = slot->spec.runner ? slot->spec.runner : default_runner_;
  // A slot's restart policy takes precedence over the default runner.
  if (slot->spec.restart && !slot->spec.runner) runner = nullptr;
  if (runner)
    start_runner(*slot, crash, std::move(runner));
  else
    start_delay(*slot, crash);
}

bool SupervisorCore::is_allowed(const Slot& slot, const CrashReport& crash) {
  const RespawnPolicy policy = slot.spec.policy ? slot.spec.policy : default_policy_;
  if (!policy) return true;
  try {
    return policy(crash);
  } catch (const std::exception& error) {
    log_.error(fmt::format("the recovery policy of {} failed: {}", crash.name, error.what()));
  } catch (...) {
    log_.error(fmt::format("the recovery policy of {} failed", crash.name));
  }
  return false;
}

// Used on any thread; the respawn runs on the loop, if the core still exists.
std::shared_ptr<RespawnPermit> SupervisorCore::issue_permit(SlotId id) {
  // The permit's handler refers to the permit but is created before it.
  auto itself = std::make_shared<std::weak_ptr<RespawnPermit>>();
  auto permit =
      std::make_shared<RespawnPermit>([core = weak_from_this(), gate = gate_, id, itself] {
        gate->post([core, id, itself] {
          const auto alive = core.lock();
          const auto used = itself->lock();
          if (alive && used) alive->on_permit_used(id, used.get());
        });
      });
  *itself = permit;
  std::erase_if(permits_, [](const auto& known) { return known.expired(); });
  permits_.push_back(permit);
  return permit;
}

void SupervisorCore::start_runner(Slot& slot, const CrashReport& crash, RespawnRunner runner) {
  slot.permit = issue_permit(slot.id);
  RespawnThreads::Work work{std::move(runner), crash, slot.permit, {}};
  work.on_return = [core = weak_from_this(), id = slot.id,
                    permit = std::weak_ptr(slot.permit)](const std::string& error) {
    const auto alive = core.lock();
    if (alive) alive->on_runner_returned(id, permit.lock().get(), error);
  };
  respawn_threads_.run(std::move(work));
}

void SupervisorCore::start_delay(Slot& slot, const CrashReport& crash) {
  const auto pause = pause_before_restart(slot, crash.reason);
  if (!pause) {
    slot.inactive_state = SlotState::gave_up;
    SlotEvent event = event_of(slot, SlotEventKind::gave_up);
    event.pid = crash.pid;
    event.detail = fmt::format("{} within {}", counted(crash.restarts_in_window, "restart"),
                               to_short_text(slot.spec.restart->window));
    publish(std::move(event));
    return;
  }
  if (*pause == 0ms) return respawn(slot);
  slot.permit = issue_permit(slot.id);
  slot.delay = std::make_shared<WakeSignal>();
  run(respawn_later(shared_from_this(), slot.id, slot.permit, steady_clock::now() + *pause));
}

std::optional<milliseconds> SupervisorCore::pause_before_restart(Slot& slot, SlotEventKind reason) {
  const auto now = steady_clock::now();
  const milliseconds least = reason == SlotEventKind::start_failed ? kMinRespawnPause : 0ms;
  if (!slot.spec.restart)
    return slot.budget.restarts_since(now - kMinRespawnPause) < kMaxImmediateRestarts
               ? least
               : kMinRespawnPause;
  const auto pause = slot.budget.next_delay(now);
  if (!pause) return std::nullopt;
  return std::max(*pause, least);
}

Async<void> SupervisorCore::respawn_later(std::shared_ptr<SupervisorCore> core, SlotId id,
                                          std::shared_ptr<RespawnPermit> permit, SteadyTime when) {
  const Slot* slot = core->find(id);
  if (!slot || slot->permit != permit) co_return;
  const std::shared_ptr<WakeSignal> delay = slot->delay;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(when - steady_clock::now());
    if (left <= 0ms) break;
    SlotEvent event = event_of(*slot, SlotEventKind::countdown);
    event.delay = left;
    core->publish(std::move(event));
    // The first step makes the remaining time whole seconds.
    const auto odd = left % kCountdownStep;
    const auto step = odd.count() > 0 ? odd : kCountdownStep;
    const bool is_active = co_await delay->wait_for(step);
    if (!is_active) co_return;
  }
  core->on_permit_used(id, permit.get());
}

void SupervisorCore::on_permit_used(SlotId id, const RespawnPermit* permit) {
  Slot* slot = find(id);
  if (!slot || slot->permit.get() != permit || shutdown_deadline_) return;
  slot->permit.reset();
  slot->delay.reset();
  if (!slot->current) respawn(*slot);
}

void SupervisorCore::on_runner_returned(SlotId id, const RespawnPermit* permit,
                                        const std::string& error) {
  if (!error.empty()) log_.error(error);
  Slot* slot = find(id);
  if (!slot || !permit || slot->permit.get() != permit) return;
  // Another thread may have called spawn() just before: on_permit_used() follows.
  if (!permit->was_used()) slot->permit.reset();
}

void SupervisorCore::respawn(Slot& slot) {
  slot.budget.record_restart(steady_clock::now());
  fill(slot, true);
}

void SupervisorCore::fill(Slot& slot, bool may_recover) {
  const Status started = launch_current(slot);
  if (!started) on_start_failed(slot, started.error(), may_recover);
}

void SupervisorCore::on_start_failed(Slot& slot, const Error& error, bool may_recover) {
  const SlotId id = slot.id;
  SlotEvent event = event_of(slot, SlotEventKind::start_failed);
  event.detail = error.message;
  slot.inactive_state = SlotState::down;
  CrashReport crash;
  crash.slot = event.slot;
  crash.name = event.name;
  crash.number = event.number;
  crash.reason = event.kind;
  crash.restarts_in_window = slot.budget.restarts_in_window(steady_clock::now());
  publish(std::move(event));
  if (may_recover) recover(id, crash);
}

}  // namespace heddle::supervise
