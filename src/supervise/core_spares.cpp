// Processes started ahead: attached and idle, they take the next free slot of their kind at once.
#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"
#include "supervise/core.hpp"

namespace heddle::supervise {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

// Who has just become ready is waited for: a process that starts beside it would slow it down.
constexpr milliseconds kSettlingTime = 100ms;
// Between a spare that ended by itself and the next; doubles while none lives long.
constexpr milliseconds kFirstPause = 1s;
constexpr milliseconds kLongestPause = 60s;
constexpr milliseconds kLongLife = 60s;

std::string version_of(const SlotSpec& spec) {
  return spec.version ? spec.version() : std::string();
}

}  // namespace

OccupantPtr Core::take_spare(Slot& slot) {
  const auto found = spares_.find(slot.spec.spare_kind);
  if (found == spares_.end() || !found->second.who) return nullptr;
  Spare& spare = found->second;
  // Who is still starting would not be faster than a new one; who has just ended is no help.
  if (!spare.who->is_attached() || !spare.who->channel()->is_open()) return nullptr;
  OccupantPtr who = std::exchange(spare.who, nullptr);
  spare.pause = 0ms;
  if (spare.version != version_of(slot.spec)) {
    who->kill(KillCause::not_wanted, "it is outdated");
    return nullptr;
  }
  who->assign({{slot.id, slot.next_occurrence++}, slot.spec.name, slot.spec.number});
  return who;
}

void Core::keep_spare(const SlotSpec& spec) {
  if (spec.spare_kind.empty() || shutdown_deadline_) return;
  Spare& spare = spares_[spec.spare_kind];
  if (spare.who || spare.is_pausing) return;
  spare.spec = spec;
  launch_spare(spare);
}

void Core::launch_spare(Spare& spare) {
  // Before it starts: what changes meanwhile is a reason not to trust it.
  spare.version = version_of(spare.spec);
  auto launched = Occupant::launch_spare(spare.spec, executor_);
  if (!launched) {
    log_.warn(fmt::format("no spare {}: {}", spare.spec.spare_kind, launched.error().message));
    return pause_spare(spare);
  }
  spare.who = std::move(*launched);
  run(watch(shared_from_this(), spare.who));
  run(receive(shared_from_this(), spare.who));
  run(expect_spare(shared_from_this(), spare.who, spare.spec));
}

// Nobody would miss one that hangs while it starts, and no other would ever come.
Async<void> Core::expect_spare(std::shared_ptr<Core> core, OccupantPtr who, SlotSpec spec) {
  if (spec.hang_timeout.count() == 0) co_return;
  const bool is_there = co_await who->gone.wait_for(spec.hang_timeout);
  if (!is_there || core->is_abandoned_ || who->is_attached()) co_return;
  core->log_.warn(fmt::format("a spare {} (pid {}) was not ready after {}", spec.spare_kind,
                              who->pid(), to_short_text(spec.hang_timeout)));
  who->kill(KillCause::hung, "it did not attach");
}

void Core::on_spare_end(const OccupantPtr& who, const process::ExitFacts& exit) {
  for (auto& [kind, spare] : spares_) {
    if (spare.who != who) continue;
    spare.who.reset();
    if (shutdown_deadline_) break;
    log_.warn(fmt::format("a spare {} has ended: {}", kind, process::describe(exit)));
    if (who->uptime() >= kLongLife) spare.pause = 0ms;
    pause_spare(spare);
  }
  if (shutdown_deadline_ && !is_anybody_there()) all_gone_.ring_for_good();
}

void Core::pause_spare(Spare& spare) {
  spare.pause = std::clamp(spare.pause * 2, kFirstPause, kLongestPause);
  spare.is_pausing = true;
  run(keep_spare_later(shared_from_this(), spare.spec, spare.pause));
}

Async<void> Core::keep_spare_soon(std::shared_ptr<Core> core, SlotSpec spec) {
  const bool is_wanted = co_await core->no_more_spares_.wait_for(kSettlingTime);
  if (is_wanted) core->keep_spare(spec);
}

Async<void> Core::keep_spare_later(std::shared_ptr<Core> core, SlotSpec spec, milliseconds pause) {
  const bool is_wanted = co_await core->no_more_spares_.wait_for(pause);
  if (!is_wanted) co_return;
  Spare& spare = core->spares_[spec.spare_kind];
  spare.is_pausing = false;
  spec = spare.spec;  // it may be another by now
  core->keep_spare(spec);
}

// The next one is started when those have settled who need processes more.
void Core::refresh_spare(const SlotSpec& spec) {
  const auto found = spares_.find(spec.spare_kind);
  if (found == spares_.end()) return;
  Spare& spare = found->second;
  spare.spec = spec;
  if (!spare.who || spare.version == version_of(spec)) return;
  const OccupantPtr outdated = std::exchange(spare.who, nullptr);
  outdated->kill(KillCause::not_wanted, "it is outdated");
}

std::vector<pid_t> Core::spares() const {
  std::vector<pid_t> all;
  for (const auto& [kind, spare] : spares_)
    if (spare.who && spare.who->is_attached()) all.push_back(spare.who->pid());
  return all;
}

}  // namespace heddle::supervise
