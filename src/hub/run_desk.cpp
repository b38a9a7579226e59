#include "hub/run_desk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ipc/messages/worker_message_values.hpp"

namespace heddle::hub {

using ipc::WorkerMessage;
using supervise::EventKind;
using supervise::ProcessEvent;
using supervise::SlotId;
using supervise::SlotRef;
using supervise::SlotState;

namespace {

std::chrono::milliseconds time_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

WorkEnd end_of(std::optional<Halt> halt) {
  switch (halt.value_or(Halt::cancel)) {
    case Halt::pause:
      return WorkEnd::paused;
    case Halt::stop:
      return WorkEnd::stopped;
    case Halt::cancel:
      break;
  }
  return WorkEnd::cancelled;
}

// What kept a worker from working on the run, though it may be mended.
std::optional<WorkEnd> obstacle_of(ipc::RunEnd end) {
  if (end == ipc::RunEnd::unreadable) return WorkEnd::unreadable;
  if (end == ipc::RunEnd::not_loaded) return WorkEnd::not_loaded;
  return std::nullopt;
}

// By what the worker said last.
void conclude(WorkDone& done, const ipc::RunEnded& ended, std::optional<Halt> halt) {
  if (ended.end == ipc::RunEnd::stopped) done.end = end_of(halt);
  if (ended.report.broke_down) {
    done.end = WorkEnd::failed;
    done.problem = ended.report.errors.back();
  }
  if (const auto obstacle = obstacle_of(ended.end)) {
    done.end = halt ? end_of(halt) : *obstacle;
    if (!halt) done.problem = ended.problem;
  }
  if (ended.end == ipc::RunEnd::not_begun) {
    done.end = WorkEnd::failed;
    done.problem = ended.problem;
  }
}

}  // namespace

RunDesk::RunDesk(boost::asio::any_io_executor loop, DeskParts parts)
    : loop_(std::move(loop)), parts_(parts), suspects_(parts.poison_limit) {}

RunDesk::~RunDesk() {
  for (const auto& [slot, service] : services_) service->end();
}

void RunDesk::attach(supervise::Supervisor& supervisor, std::optional<SlotId> alone) {
  attach(std::make_unique<SupervisedSlots>(supervisor), alone);
}

void RunDesk::attach(std::unique_ptr<WorkerSlots> slots, std::optional<SlotId> alone) {
  slots_ = std::move(slots);
  alone_ = alone;
}

Async<WorkDone> RunDesk::work_through(Job job, RunId id, RunFollower* follower,
                                      std::function<void()> on_listed) {
  const auto run = std::make_unique<ActiveRun>();
  run->id = std::move(id);
  run->job = std::move(job);
  run->follower = follower;
  const auto entry = std::make_unique<ActiveRuns::Entry>(runs_, *run);
  if (on_listed) on_listed();
  std::chrono::nanoseconds time_left = run->job.limits.run_time;  // waiting for a slot is no work
  WorkDone done;
  forgive_alone_slot(*run);
  while (true) {
    const auto slot = co_await find_slot(*run);
    if (!slot) {
      WorkDone early = early_end(*run);
      early.costs = done.costs;
      co_return early;
    }
    const auto begun = std::chrono::steady_clock::now();
    const bool is_handed_over = co_await hand_over(*run, *slot, begun + time_left);
    if (!is_handed_over) continue;
    co_await wait_for_end(*run);
    time_left -= std::chrono::steady_clock::now() - begun;
    if (!run->ended) continue;  // its worker died
    add(done.costs, run->ended->report.costs);
    done.ran_out_of_time = run->ended->report.ran_out_of_time;
    if (run->ended->end == ipc::RunEnd::interrupted) continue;
    conclude(done, *run->ended, run->halt);
    co_return done;
  }
}

bool RunDesk::must_end(const ActiveRun& run) const {
  return is_shutting_down_ || run.halt || suspects_.is_quarantined(run.job);
}

WorkDone RunDesk::early_end(const ActiveRun& run) const {
  WorkDone done;
  if (run.halt) {
    done.end = end_of(run.halt);
  } else if (suspects_.is_quarantined(run.job)) {
    done.end = WorkEnd::quarantined;
    done.problem =
        RunError{"quarantined",
                 fmt::format("{} workers died in a row while they worked on this job; it "
                             "runs again when its script or configuration has changed, or "
                             "when `heddle resume` lets it try",
                             suspects_.deaths(run.job.id)),
                 ""};
  } else if (is_shutting_down_) {
    done.end = WorkEnd::interrupted;
  } else {
    done.end = WorkEnd::failed;
    done.problem = RunError{
        "no_worker",
        works_alone(run.job) ? "workers died under this job, so it works alone, but the worker for "
                               "suspect jobs has given up after dying too often or could not be "
                               "started; the next run tries it again"
                             : "all workers have given up after dying too often or could not be "
                               "started; `heddle workers` lists them, `heddle workers restart N` "
                               "tries one again",
        ""};
  }
  return done;
}

// nullopt: there is no use in waiting.
Async<std::optional<SlotRef>> RunDesk::find_slot(ActiveRun& run) {
  while (!must_end(run)) {
    const auto chosen = choose_slot(run.job);
    if (chosen) co_return chosen;
    if (is_hopeless(run.job)) break;
    const bool waits_to_be_alone = works_alone(run.job);
    if (waits_to_be_alone) ++waiting_to_be_alone_;
    make_room_alone();
    co_await slots_changed_.wait();
    if (waits_to_be_alone) --waiting_to_be_alone_;
  }
  co_return std::nullopt;
}

std::optional<SlotRef> RunDesk::choose_slot(const Job& job) {
  if (works_alone(job)) return choose_alone_slot();
  const auto slot = assignment_.choose(job);
  if (!slot) return std::nullopt;
  return ready_.at(*slot);
}

std::optional<SlotRef> RunDesk::choose_alone_slot() {
  if (is_alone_taken_) return std::nullopt;
  const auto ready = ready_.find(*alone_);
  if (ready != ready_.end()) return ready->second;
  // Once its process has died the slot's own rules decide when, and whether, there is another.
  const SlotState state = slots_->state(*alone_);
  if (state == SlotState::idle || state == SlotState::stopped) start_alone_slot();
  return std::nullopt;
}

void RunDesk::start_alone_slot() {
  const auto started = slots_->start(*alone_);
  if (started) return;
  not_started_.insert(*alone_);
  parts_.log.warn("worker for suspect jobs: " + started.error().message);
}

// Who asks for a new run wants it tried again.
void RunDesk::forgive_alone_slot(const ActiveRun& run) {
  if (must_end(run) || !works_alone(run.job)) return;
  if (stays_empty(*alone_)) start_alone_slot();
}

bool RunDesk::works_alone(const Job& job) const {
  return alone_ && suspects_.is_suspect(job.id);
}

// Nobody will put a process there unless somebody asks for it. A slot is also down for a moment
// between a death and its recovery: that does not count.
bool RunDesk::stays_empty(SlotId slot) const {
  const SlotState state = slots_->state(slot);
  if (state == SlotState::down) return not_started_.contains(slot);
  return state == SlotState::gave_up || state == SlotState::stopped;
}

bool RunDesk::is_hopeless(const Job& job) const {
  if (works_alone(job)) return stays_empty(*alone_);
  const std::vector<SlotId> all = slots_->all();
  return std::all_of(all.begin(), all.end(),
                     [this](SlotId slot) { return slot == alone_ || stays_empty(slot); });
}

// False: the slot was gone before the run could begin there.
Async<bool> RunDesk::hand_over(ActiveRun& run, SlotRef slot, Deadline deadline) {
  const bool is_alone = alone_ == slot.slot;
  if (is_alone) is_alone_taken_ = true;
  run.holder = slot;  // from now on it may lease, once it knows
  run.ended.reset();
  run.is_lost = false;
  run.has_done_page = false;
  run.is_moving = false;
  if (!is_alone) assignment_.begin(run.job, slot.slot);
  auto released = co_await parts_.store.release_leases(run.id);
  if (!released) parts_.log.error("run " + run.id.text + ": " + released.error().message);
  const auto channel = slots_->channel(slot);
  // Whoever halted the run meanwhile has told a worker that did not know it yet.
  if (released && !run.is_lost && !must_end(run) && channel) {
    const ipc::StartRun order{run.id, run.job.id, run.job.revision, time_until(deadline),
                              run.job.page_circle != 0};
    if (channel->post(ipc::to_frame(WorkerMessage::start_run, order))) co_return true;
  }
  run.holder.reset();
  if (is_alone) release_alone_slot();
  if (!is_alone) assignment_.end(run.job, slot.slot);
  if (!released) {  // the disk is full, perhaps: not in a hot loop
    co_await slots_changed_.wait(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  }
  co_return false;
}

Async<void> RunDesk::wait_for_end(ActiveRun& run) {
  while (!run.ended && !run.is_lost) co_await run.news.wait();
  const SlotRef slot = *run.holder;
  run.holder.reset();
  if (alone_ == slot.slot)
    release_alone_slot();
  else
    assignment_.end(run.job, slot.slot);
}

void RunDesk::release_alone_slot() {
  is_alone_taken_ = false;
  slots_changed_.ring();
}

// A job that has done a page is no suspect any more: when others wait to be alone it goes on among
// the rest. While nobody waits it stays, where its death would hurt nobody else.
void RunDesk::make_room_alone() {
  if (waiting_to_be_alone_ == 0) return;
  for (ActiveRun* run : runs_.all()) {
    if (!run->holder || alone_ != run->holder->slot || !run->has_done_page) continue;
    if (run->is_moving || suspects_.is_suspect(run->job.id)) continue;
    run->is_moving = true;
    const ipc::StopRun order{run->id, false};
    const auto channel = slots_->channel(*run->holder);
    if (channel) channel->post(ipc::to_frame(WorkerMessage::stop_run, order));
  }
}

void RunDesk::halt(const RunId& id, Halt how) {
  ActiveRun* run = runs_.find(id);
  if (run == nullptr || (run->halt && *run->halt >= how)) return;
  run->halt = how;
  slots_changed_.ring();
  if (!run->holder) return;
  const auto channel = slots_->channel(*run->holder);
  const ipc::StopRun order{id, how != Halt::pause};
  if (channel) channel->post(ipc::to_frame(WorkerMessage::stop_run, order));
}

void RunDesk::cancel_all() {
  for (const ActiveRun* run : runs_.all()) cancel(run->id);
}

void RunDesk::let_all_rest() {
  for (const auto& [slot, occurrence] : std::exchange(ready_, {})) assignment_.remove(slot);
}

void RunDesk::begin_shutdown() {
  is_shutting_down_ = true;
  slots_changed_.ring();
}

std::vector<JobId> RunDesk::jobs_at(SlotRef slot) const {
  std::set<JobId> jobs;
  for (const ActiveRun* run : runs_.all_held_by(slot)) jobs.insert(run->job.id);
  return {jobs.begin(), jobs.end()};
}

const Job* RunDesk::job_of_mark(std::uint64_t mark) const {
  if (mark == 0) return nullptr;
  for (const ActiveRun* run : runs_.all())
    if (mark_of(run->job.id) == mark) return &run->job;
  return nullptr;
}

void RunDesk::on_ready(SlotRef slot) {
  const ServiceParts parts{parts_.store,
                           parts_.gate,
                           runs_,
                           parts_.log,
                           [this](const JobId& job) { note_page_done(job); },
                           [this](const RunId& run, TaskState state) { note_task(run, state); },
                           slots_->number(slot.slot)};
  services_.emplace(slot,
                    std::make_shared<WorkerService>(loop_, parts, slot, slots_->channel(slot)));
  ready_.insert_or_assign(slot.slot, slot);
  if (alone_ != slot.slot) assignment_.add(slot.slot);
  slots_changed_.ring();
}

Async<void> RunDesk::on_frame(SlotRef slot, ipc::Frame frame) {
  const auto found = services_.find(slot);
  if (found == services_.end()) {  // declared dead, but it still speaks
    parts_.log.debug(
        fmt::format("worker {}.{} is not served any more: its message of type {} is dropped",
                    slot.slot, slot.occurrence, frame.type));
    co_return;
  }
  const auto service = found->second;
  auto handled = co_await service->handle(std::move(frame));
  if (handled) co_return;
  parts_.log.error(fmt::format("worker {}.{} broke the rules and is ended: {}", slot.slot,
                               slot.occurrence, handled.error().message));
  if (const auto channel = slots_->channel(slot)) channel->close();
}

void RunDesk::on_event(const ProcessEvent& event) {
  if (supervise::is_death(event.kind)) {
    if (event.kind == EventKind::crash || event.kind == EventKind::unpublished) blame(event);
    take_away(event.slot);
  }
  if (event.kind == EventKind::draining) let_rest(event.slot);
  if (event.kind == EventKind::started) not_started_.erase(event.slot.slot);
  if (event.kind == EventKind::start_failed) not_started_.insert(event.slot.slot);
  // Whoever waits for a slot looks whether there is still hope.
  if (event.kind == EventKind::gave_up || event.kind == EventKind::start_failed)
    slots_changed_.ring();
}

void RunDesk::note_page_done(const JobId& job) {
  suspects_.note_page_done(job);
  for (ActiveRun* run : runs_.all())
    if (run->job.id == job) run->has_done_page = true;
  make_room_alone();
}

void RunDesk::note_task(const RunId& id, TaskState state) {
  ++tasks_.at(static_cast<std::size_t>(state));
  if (ActiveRun* run = runs_.find(id)) ++run->steps;
}

std::vector<RunProgress> RunDesk::progress() const {
  std::vector<RunProgress> all;
  for (const ActiveRun* run : runs_.all()) all.push_back({run->id, run->job.id, run->steps});
  return all;
}

// When it is not known for whom the worker computed, it could be every job of which it has done no
// page yet: each of those works alone from now on, until one is done, so that the next death tells.
void RunDesk::blame(const ProcessEvent& death) {
  const auto held = runs_.all_held_by(death.slot);
  const auto is_marked = [&death](const ActiveRun* run) {
    return mark_of(run->job.id) == death.working_on;
  };
  const bool is_known = std::any_of(held.begin(), held.end(), is_marked);
  for (const ActiveRun* run : held) {
    const bool is_suspect = is_known ? is_marked(run) : !run->has_done_page;
    if (!is_suspect) continue;
    suspects_.note_death(run->job);
    parts_.log.error(fmt::format("{} died ({}) while it worked on job '{}'", death.name,
                                 death.detail, run->job.name));
  }
}

// It gets no new runs; those it has may end there.
void RunDesk::let_rest(SlotRef slot) {
  const auto ready = ready_.find(slot.slot);
  if (ready == ready_.end() || ready->second != slot) return;
  ready_.erase(ready);
  assignment_.remove(slot.slot);
}

void RunDesk::take_away(SlotRef slot) {
  if (const auto service = services_.find(slot); service != services_.end()) {
    service->second->end();
    services_.erase(service);
  }
  let_rest(slot);
  for (ActiveRun* run : runs_.all_held_by(slot)) {
    run->is_lost = true;
    run->news.ring();
  }
  slots_changed_.ring();
}

}  // namespace heddle::hub
