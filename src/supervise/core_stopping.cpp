// How processes leave because somebody wants them to: stop, replacement, shutdown.
#include <algorithm>

#include "supervise/core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr auto kTimeToDie = 900ms;  // after SIGKILL
constexpr auto kPatienceStep = 100ms;

}  // namespace

void Core::request_stop(SlotId id, Deadline deadline) {
  Slot* slot = find(id);
  if (!slot) return;
  slot->starts_when_left = false;
  slot->cancel_recovery();
  slot->rest = SlotState::stopped;
  for (const OccupantPtr& who : slot->occupants()) ask_to_leave(who, deadline);
}

void Core::ask_to_leave(const OccupantPtr& who, Deadline deadline) {
  who->ask_to_stop();
  run(kill_at(shared_from_this(), who, deadline));
}

Async<void> Core::kill_at(std::shared_ptr<Core> core, OccupantPtr who, Deadline deadline) {
  const bool is_still_there = co_await who->gone.wait(deadline);
  if (!is_still_there) co_return;
  core->note_kill(who);
  who->kill(KillCause::stop_took_too_long, "it did not leave in time");
}

void Core::note_kill(const OccupantPtr& who) {
  const Slot* slot = find(who->ref().slot);
  const auto is_same = [&who](const Straggler& known) { return known.slot == who->ref(); };
  const bool is_noted = std::any_of(report_.killed.begin(), report_.killed.end(), is_same);
  if (!slot || !shutdown_deadline_ || is_noted) return;
  report_.killed.push_back({who->ref(), slot->spec.name, slot->spec.number, who->pid(), true});
}

Status Core::replace(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return Error{ErrorCode::not_found, "there is no such slot"};
  if (!slot->current) return start(id);
  if (shutdown_deadline_) return Error{ErrorCode::conflict, "shutdown has begun"};
  if (slot->successor || slot->starts_when_left) return Done{};
  if (slot->current->is_asked_to_stop())
    return Error{ErrorCode::conflict, "the slot is being stopped"};
  // A program that never says that it is ready can only be replaced once it has left.
  if (slot->spec.may_overlap && slot->current->is_ready()) return replace_overlapping(*slot);
  slot->starts_when_left = true;
  ask_to_leave(slot->current, steady_clock::now() + slot->spec.drain_timeout);
  return Done{};
}

Status Core::replace_overlapping(Slot& slot) {
  auto who = launch(slot);
  if (!who) return std::move(who.error()).during("replace " + slot.spec.name);
  slot.successor = *who;
  publish_about(*who, EventKind::started);
  return Done{};
}

bool Core::is_anybody_there() const {
  const bool is_in_a_slot = std::any_of(slots_.begin(), slots_.end(), [](const auto& entry) {
    return !entry.second->occupants().empty();
  });
  return is_in_a_slot || std::any_of(spares_.begin(), spares_.end(),
                                     [](const auto& entry) { return entry.second.who != nullptr; });
}

bool Core::is_anybody_being_replaced() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const auto& entry) { return entry.second->is_being_replaced(); });
}

void Core::begin_shutdown(Deadline deadline) {
  if (shutdown_deadline_ && *shutdown_deadline_ <= deadline) return;
  shutdown_deadline_ = deadline;
  shutdown_begun_.ring_for_good();
  cancel_all_recovery();
  for (const auto& [id, slot] : slots_) request_stop(id, deadline);
  // A spare has no work to finish.
  no_more_spares_.ring_for_good();
  for (const auto& [kind, spare] : spares_)
    if (spare.who) spare.who->kill(KillCause::not_wanted, "it is not needed any more");
  if (!is_anybody_there()) all_gone_.ring_for_good();
}

bool Core::is_out_of_patience() const {
  return shutdown_deadline_ && steady_clock::now() >= *shutdown_deadline_ + kTimeToDie;
}

void Core::cancel_all_recovery() {
  for (const auto& [id, slot] : slots_) slot->cancel_recovery();
  // A runner goes on after its spawn(); it must hear of the shutdown, too.
  for (const auto& known : std::exchange(tickets_, {}))
    if (const auto ticket = known.lock()) ticket->cancel();
}

Async<ShutdownReport> Core::shutdown_ended(std::shared_ptr<Core> core) {
  while (!core->shutdown_begun_.rings_for_good()) co_await core->shutdown_begun_.wait();
  // In short steps: the deadline may be shortened meanwhile.
  while (!core->all_gone_.rings_for_good() && !core->is_out_of_patience())
    co_await core->all_gone_.wait_for(kPatienceStep);
  ShutdownReport report = core->report_;
  std::sort(report.killed.begin(), report.killed.end(),
            [](const Straggler& a, const Straggler& b) { return a.slot < b.slot; });
  for (Straggler& straggler : report.killed)
    straggler.is_gone = core->channel(straggler.slot) == nullptr;
  co_return report;
}

}  // namespace heddle::supervise
