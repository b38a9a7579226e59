// Replaces processes with an outdated spec and removes retired slots.
#include <algorithm>

#include <fmt/format.h>

#include "supervise/supervisor_core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kFirstPause = 1s;
constexpr milliseconds kLongestPause = 60s;
// Long, because the next process already runs; the watchdog kills a process that hangs.
constexpr milliseconds kOutdatedDrainTimeout = 10min;

}  // namespace

void SupervisorCore::update(SlotId id, SlotSpec spec) {
  Slot* slot = find(id);
  if (!slot) return;
  slot->spec = std::move(spec);
  slot->budget.set_policy(slot->spec.restart.value_or(RestartPolicy{}));
}

void SupervisorCore::renew(SlotId id, SlotSpec spec) {
  update(id, std::move(spec));
  Slot* slot = find(id);
  if (!slot) return;
  ++slot->generation;
  slot->renewal_pause = 0ms;
  refresh_spare(slot->spec);
  renew_if_outdated(id);
}

void SupervisorCore::retire(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return;
  slot->is_retiring = true;
  request_stop(id, std::chrono::steady_clock::now() + drain_timeout_of(*slot));
  remove(id);  // without a process; otherwise after its exit
}

void SupervisorCore::renew_if_outdated(SlotId id) {
  Slot* slot = find(id);
  if (!slot || shutdown_deadline_ || slot->is_renewal_pausing) return;
  // A running replacement calls this again when it is ready or has failed.
  if (slot->successor || slot->restarts_after_exit) return;
  const ChildProcessPtr child = slot->current;
  // A starting process also does when it is ready; a respawn uses the new spec anyway.
  if (!child || !child->is_ready() || child->is_stop_requested() || !slot->is_outdated(*child))
    return;
  const Status replaced = replace(id);
  if (replaced) return;
  log_.warn(
      fmt::format("{} cannot be replaced yet: {}", slot->spec.name, replaced.error().message));
  renew_later(id);
}

void SupervisorCore::renew_later(SlotId id) {
  Slot* slot = find(id);
  if (!slot || shutdown_deadline_ || slot->is_renewal_pausing) return;
  if (!slot->current || !slot->is_outdated(*slot->current)) return;
  slot->renewal_pause = std::clamp(slot->renewal_pause * 2, kFirstPause, kLongestPause);
  slot->is_renewal_pausing = true;
  run(renew_after(shared_from_this(), id, slot->renewal_pause));
}

Async<void> SupervisorCore::renew_after(std::shared_ptr<SupervisorCore> core, SlotId id,
                                        milliseconds pause) {
  const bool is_wanted = co_await core->shutdown_begun_.wait_for(pause);
  Slot* slot = core->find(id);
  if (!is_wanted || !slot) co_return;
  slot->is_renewal_pausing = false;
  core->renew_if_outdated(id);
}

milliseconds SupervisorCore::drain_timeout_of(const Slot& slot) {
  return std::max(slot.spec.drain_timeout, kOutdatedDrainTimeout);
}

}  // namespace heddle::supervise
