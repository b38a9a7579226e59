// Requested exits of processes: stop, replacement, shutdown.
#include <algorithm>

#include "supervise/supervisor_core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr auto kKillTimeout = 900ms;  // after SIGKILL
constexpr auto kWaitStep = 100ms;

}  // namespace

void SupervisorCore::request_stop(SlotId id, Deadline deadline) {
  Slot* slot = find(id);
  if (!slot) return;
  slot->restarts_after_exit = false;
  slot->cancel_recovery();
  slot->inactive_state = SlotState::stopped;
  for (const ChildProcessPtr& child : slot->children()) stop_child(child, deadline);
}

void SupervisorCore::stop_child(const ChildProcessPtr& child, Deadline deadline) {
  child->request_stop();
  run(kill_at(shared_from_this(), child, deadline));
}

Async<void> SupervisorCore::kill_at(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child,
                                    Deadline deadline) {
  const bool is_alive = co_await child->gone.wait(deadline);
  if (!is_alive) co_return;
  core->record_kill(child);
  child->kill(KillCause::stop_timed_out, "it did not exit in time");
}

void SupervisorCore::record_kill(const ChildProcessPtr& child) {
  const Slot* slot = find(child->ref().slot);
  const auto is_same = [&child](const Straggler& known) { return known.slot == child->ref(); };
  const bool is_recorded = std::any_of(report_.killed.begin(), report_.killed.end(), is_same);
  if (!slot || !shutdown_deadline_ || is_recorded) return;
  report_.killed.push_back({child->ref(), slot->spec.name, slot->spec.number, child->pid(), true});
}

Status SupervisorCore::replace(SlotId id) {
  Slot* slot = find(id);
  if (!slot) return Error{ErrorCode::not_found, "there is no such slot"};
  if (!slot->current) return start(id);
  if (shutdown_deadline_) return Error{ErrorCode::conflict, "shutdown has begun"};
  if (slot->successor || slot->restarts_after_exit) return Done{};
  if (slot->current->is_stop_requested())
    return Error{ErrorCode::conflict, "the slot is being stopped"};
  // A program that never reports ready can only be replaced after its exit.
  if (slot->spec.may_overlap && slot->current->is_ready()) return replace_overlapping(*slot);
  slot->restarts_after_exit = true;
  stop_child(slot->current, steady_clock::now() + slot->spec.drain_timeout);
  return Done{};
}

Status SupervisorCore::replace_overlapping(Slot& slot) {
  auto child = launch(slot);
  if (!child) return std::move(child.error()).during("cannot replace " + slot.spec.name);
  slot.successor = *child;
  publish_about(*child, SlotEventKind::started);
  return Done{};
}

bool SupervisorCore::has_children() const {
  const bool is_in_a_slot = std::any_of(slots_.begin(), slots_.end(), [](const auto& entry) {
    return !entry.second->children().empty();
  });
  return is_in_a_slot || std::any_of(spares_.begin(), spares_.end(), [](const auto& entry) {
           return entry.second.child != nullptr;
         });
}

bool SupervisorCore::is_any_slot_being_replaced() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const auto& entry) { return entry.second->is_being_replaced(); });
}

void SupervisorCore::begin_shutdown(Deadline deadline) {
  if (shutdown_deadline_ && *shutdown_deadline_ <= deadline) return;
  shutdown_deadline_ = deadline;
  shutdown_begun_.close();
  cancel_all_recovery();
  for (const auto& [id, slot] : slots_) request_stop(id, deadline);
  // A spare has no work to finish.
  no_more_spares_.close();
  for (const auto& [kind, spare] : spares_)
    if (spare.child) spare.child->kill(KillCause::not_wanted, "it is not needed any more");
  if (!has_children()) all_gone_.close();
}

bool SupervisorCore::is_past_kill_timeout() const {
  return shutdown_deadline_ && steady_clock::now() >= *shutdown_deadline_ + kKillTimeout;
}

void SupervisorCore::cancel_all_recovery() {
  for (const auto& [id, slot] : slots_) slot->cancel_recovery();
  // A runner may continue after its spawn() and must also be cancelled.
  for (const auto& known : std::exchange(permits_, {}))
    if (const auto permit = known.lock()) permit->cancel();
}

Async<StopReport> SupervisorCore::shutdown_ended(std::shared_ptr<SupervisorCore> core) {
  while (!core->shutdown_begun_.is_closed()) co_await core->shutdown_begun_.wait();
  // In short steps, because the deadline may be shortened.
  while (!core->all_gone_.is_closed() && !core->is_past_kill_timeout())
    co_await core->all_gone_.wait_for(kWaitStep);
  StopReport report = core->report_;
  std::sort(report.killed.begin(), report.killed.end(),
            [](const Straggler& a, const Straggler& b) { return a.slot < b.slot; });
  for (Straggler& straggler : report.killed)
    straggler.is_gone = core->channel(straggler.slot) == nullptr;
  co_return report;
}

}  // namespace heddle::supervise
