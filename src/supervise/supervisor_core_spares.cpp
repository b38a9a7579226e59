// Spare processes: attached and idle, they fill the next free slot of their kind immediately.
#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"
#include "supervise/supervisor_core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

// A spare that starts while another process becomes ready would slow that one down.
constexpr milliseconds kSettlingTime = 100ms;
// Between an unexpected exit of a spare and the next start; doubles until one is stable.
constexpr milliseconds kFirstPause = 1s;
constexpr milliseconds kLongestPause = 60s;
constexpr milliseconds kStableUptime = 60s;

std::string version_of(const SlotSpec& spec) {
  return spec.version ? spec.version() : std::string();
}

}  // namespace

ChildProcessPtr SupervisorCore::take_spare(Slot& slot) {
  const auto found = spares_.find(slot.spec.spare_kind);
  if (found == spares_.end() || !found->second.child) return nullptr;
  Spare& spare = found->second;
  // A spare that is still starting is no faster than a new process; one that ended is useless.
  if (!spare.child->is_attached() || !spare.child->channel()->is_open()) return nullptr;
  ChildProcessPtr child = std::exchange(spare.child, nullptr);
  spare.pause = 0ms;
  if (spare.version != version_of(slot.spec)) {
    child->kill(KillCause::not_wanted, "it is outdated");
    return nullptr;
  }
  child->assign({{slot.id, slot.next_occurrence++}, slot.spec.name, slot.spec.number});
  return child;
}

void SupervisorCore::ensure_spare(const SlotSpec& spec) {
  if (spec.spare_kind.empty() || shutdown_deadline_) return;
  Spare& spare = spares_[spec.spare_kind];
  if (spare.child || spare.is_pausing) return;
  spare.spec = spec;
  launch_spare(spare);
}

void SupervisorCore::launch_spare(Spare& spare) {
  // Read before the start: a change during the start makes the spare outdated.
  spare.version = version_of(spare.spec);
  auto launched = ChildProcess::launch_spare(spare.spec, executor_);
  if (!launched) {
    log_.warn(fmt::format("cannot start the spare {} (it replaces one that dies): {}",
                          spare.spec.spare_kind, launched.error().message));
    return pause_spare(spare);
  }
  spare.child = std::move(*launched);
  run(watch(shared_from_this(), spare.child));
  run(receive(shared_from_this(), spare.child));
  run(watch_spare_start(shared_from_this(), spare.child, spare.spec));
}

// No watchdog runs yet, and a spare that hangs in its start would never be replaced.
Async<void> SupervisorCore::watch_spare_start(std::shared_ptr<SupervisorCore> core,
                                              ChildProcessPtr child, SlotSpec spec) {
  if (spec.hang_timeout.count() == 0) co_return;
  const bool is_alive = co_await child->gone.wait_for(spec.hang_timeout);
  if (!is_alive || core->is_abandoned_ || child->is_attached()) co_return;
  core->log_.warn(fmt::format("the spare {} (pid {}) was not ready after {} and is replaced",
                              spec.spare_kind, child->pid(), to_short_text(spec.hang_timeout)));
  child->kill(KillCause::hung, "it did not attach");
}

void SupervisorCore::on_spare_end(const ChildProcessPtr& child, const process::ExitStatus& exit) {
  for (auto& [kind, spare] : spares_) {
    if (spare.child != child) continue;
    spare.child.reset();
    if (shutdown_deadline_) break;
    log_.warn(fmt::format("the spare {} has ended: {}", kind, process::describe(exit)));
    if (child->uptime() >= kStableUptime) spare.pause = 0ms;
    pause_spare(spare);
  }
  if (shutdown_deadline_ && !has_children()) all_gone_.close();
}

void SupervisorCore::pause_spare(Spare& spare) {
  spare.pause = std::clamp(spare.pause * 2, kFirstPause, kLongestPause);
  spare.is_pausing = true;
  run(ensure_spare_later(shared_from_this(), spare.spec, spare.pause));
}

Async<void> SupervisorCore::ensure_spare_soon(std::shared_ptr<SupervisorCore> core, SlotSpec spec) {
  const bool is_wanted = co_await core->no_more_spares_.wait_for(kSettlingTime);
  if (is_wanted) core->ensure_spare(spec);
}

Async<void> SupervisorCore::ensure_spare_later(std::shared_ptr<SupervisorCore> core, SlotSpec spec,
                                               milliseconds pause) {
  const bool is_wanted = co_await core->no_more_spares_.wait_for(pause);
  if (!is_wanted) co_return;
  Spare& spare = core->spares_[spec.spare_kind];
  spare.is_pausing = false;
  spec = spare.spec;  // it may have changed
  core->ensure_spare(spec);
}

// The next spare starts when a process of the kind becomes ready, after the slots are filled.
void SupervisorCore::refresh_spare(const SlotSpec& spec) {
  const auto found = spares_.find(spec.spare_kind);
  if (found == spares_.end()) return;
  Spare& spare = found->second;
  spare.spec = spec;
  if (!spare.child || spare.version == version_of(spec)) return;
  const ChildProcessPtr outdated = std::exchange(spare.child, nullptr);
  outdated->kill(KillCause::not_wanted, "it is outdated");
}

std::vector<pid_t> SupervisorCore::spares() const {
  std::vector<pid_t> all;
  for (const auto& [kind, spare] : spares_)
    if (spare.child && spare.child->is_attached()) all.push_back(spare.child->pid());
  return all;
}

}  // namespace heddle::supervise
