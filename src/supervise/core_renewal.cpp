// Processes that were started by a spec which is not their slot's any more, and slots that are not
// wanted any more.
#include <algorithm>

#include <fmt/format.h>

#include "supervise/core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kFirstPause = 1s;
constexpr milliseconds kLongestPause = 60s;
// Nobody hurries: the next process is there already. Whoever hangs is found by the watchdog.
constexpr milliseconds kPatience = 10min;

}  // namespace

void Core::update(SlotId id, SlotSpec spec) {
  Slot* slot = find(id);
  if (!slot) return;
  slot->spec = std::move(spec);
  slot->budget.set_rules(slot->spec.restart.value_or(RestartRules{}));
}

void Core::renew(SlotId id, SlotSpec spec) {
  update(id, std::move(spec));
  Slot* slot = find(id);
  if (!slot) return;
  ++slot->generation;
  slot->renewal_pause = 0ms;
  refresh_spare(slot->spec);
  renew_if_outdated(id);
}

void Core::retire(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return;
  slot->is_retiring = true;
  request_stop(id, std::chrono::steady_clock::now() + patience_with(*slot));
  forget(id);  // when there is no process
}

void Core::renew_if_outdated(SlotId id) {
  Slot* slot = find(id);
  if (!slot || shutdown_deadline_ || slot->is_renewal_pausing) return;
  // A replacement that is on its way comes back here when it is ready or has failed.
  if (slot->successor || slot->starts_when_left) return;
  const OccupantPtr who = slot->current;
  // Who is still starting does, too; and the process after one that is gone is of the new spec.
  if (!who || !who->is_ready() || who->is_asked_to_stop() || !slot->is_outdated(*who)) return;
  const Status replaced = replace(id);
  if (replaced) return;
  log_.warn(fmt::format("{} cannot be renewed yet: {}", slot->spec.name, replaced.error().message));
  renew_later(id);
}

void Core::renew_later(SlotId id) {
  Slot* slot = find(id);
  if (!slot || shutdown_deadline_ || slot->is_renewal_pausing) return;
  if (!slot->current || !slot->is_outdated(*slot->current)) return;
  slot->renewal_pause = std::clamp(slot->renewal_pause * 2, kFirstPause, kLongestPause);
  slot->is_renewal_pausing = true;
  run(renew_after(shared_from_this(), id, slot->renewal_pause));
}

Async<void> Core::renew_after(std::shared_ptr<Core> core, SlotId id, milliseconds pause) {
  const bool is_wanted = co_await core->shutdown_begun_.wait_for(pause);
  Slot* slot = core->find(id);
  if (!is_wanted || !slot) co_return;
  slot->is_renewal_pausing = false;
  core->renew_if_outdated(id);
}

milliseconds Core::patience_with(const Slot& slot) {
  return std::max(slot.spec.drain_timeout, kPatience);
}

}  // namespace heddle::supervise
