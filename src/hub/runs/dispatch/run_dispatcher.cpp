#include "hub/runs/dispatch/run_dispatcher.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "ipc/worker_messages.hpp"

namespace heddle::hub {

using ipc::WorkerMessage;
using supervise::SlotEvent;
using supervise::SlotEventKind;
using supervise::SlotId;
using supervise::SlotRef;
using supervise::SlotState;

namespace {

// The slots of a supervisor, which outlives this.
class SupervisedSlots final : public WorkerSlots {
 public:
  explicit SupervisedSlots(supervise::Supervisor& supervisor) : supervisor_(supervisor) {}

  [[nodiscard]] std::vector<supervise::SlotStatus> status() const override {
    return supervisor_.status();
  }
  [[nodiscard]] supervise::SlotState state(supervise::SlotId slot) const override {
    return supervisor_.state(slot);
  }
  Status start(supervise::SlotId slot) override { return supervisor_.start(slot); }
  [[nodiscard]] std::shared_ptr<ipc::Channel> channel(supervise::SlotRef slot) const override {
    return supervisor_.channel(slot);
  }

 private:
  supervise::Supervisor& supervisor_;
};

std::chrono::milliseconds time_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

ExecutionResult halted(Halt how) {
  ExecutionResult result;
  if (how == Halt::pause)
    result.end = ExecutionEnd::paused;
  else
    result.outcome.state = halted_state(how);
  return result;
}

ExecutionResult failed(ErrorKind kind, std::string message) {
  ExecutionResult result;
  result.outcome.state = RunState::failed;
  result.outcome.reason = kind;
  result.outcome.message = message;
  result.errors.push_back({kind, std::move(message), ""});
  return result;
}

// A worker may say that it ran out of time or failed; who halted the run is known here.
ExecutionResult accepted(ExecutionResult reported, std::optional<Halt> halt) {
  const bool is_unreadable =
      reported.end == ExecutionEnd::unreadable || reported.end == ExecutionEnd::script_unreadable;
  if (is_unreadable && halt) return halted(*halt);
  const RunState state = reported.outcome.state;
  if (state != RunState::limited && state != RunState::failed)
    reported.outcome.state = RunState::completed;
  reported.is_quarantined = false;
  if (reported.errors.size() > kKeptRunErrors) reported.errors.resize(kKeptRunErrors);
  return reported;
}

}  // namespace

RunDispatcher::RunDispatcher(boost::asio::any_io_executor loop, RunDispatcherParts parts)
    : loop_(std::move(loop)), parts_(parts), crashes_(parts.poison_limit) {}

RunDispatcher::~RunDispatcher() {
  for (const auto& [slot, service] : services_) service->end();
}

void RunDispatcher::attach(supervise::Supervisor& supervisor, std::optional<SlotId> isolated) {
  attach(std::make_unique<SupervisedSlots>(supervisor), isolated);
}

void RunDispatcher::attach(std::unique_ptr<WorkerSlots> slots, std::optional<SlotId> isolated) {
  slots_ = std::move(slots);
  isolated_ = isolated;
}

Async<ExecutionResult> RunDispatcher::execute(Job job, RunId id, RunObserver* observer,
                                              std::function<void()> on_registered) {
  const auto run = std::make_unique<ActiveRun>();
  run->id = std::move(id);
  run->job = std::move(job);
  run->observer = observer;
  const auto registration = std::make_unique<ActiveRuns::Registration>(runs_, *run);
  if (on_registered) on_registered();
  std::chrono::nanoseconds time_left =
      run->job.limits.run_time;  // waiting for a slot does not count
  StageCosts costs;
  restart_isolated_slot(*run);
  while (true) {
    const auto slot = co_await find_slot(*run);
    if (!slot) {
      ExecutionResult early = early_end(*run);
      early.costs = costs;
      co_return early;
    }
    const auto begun = std::chrono::steady_clock::now();
    const bool is_assigned = co_await assign(*run, *slot, begun + time_left);
    if (!is_assigned) continue;
    co_await wait_for_end(*run);
    time_left -= std::chrono::steady_clock::now() - begun;
    if (!run->ended) continue;  // its worker died
    add(costs, run->ended->costs);
    if (run->ended->end == ExecutionEnd::interrupted) continue;
    ExecutionResult result = accepted(std::move(*run->ended), run->halt);
    result.costs = costs;
    co_return result;
  }
}

bool RunDispatcher::must_end(const ActiveRun& run) const {
  return is_shutting_down_ || run.halt || crashes_.is_quarantined(run.job);
}

ExecutionResult RunDispatcher::early_end(const ActiveRun& run) const {
  if (run.halt) return halted(*run.halt);
  if (crashes_.is_quarantined(run.job)) {
    ExecutionResult quarantined =
        failed(ErrorKind::quarantined,
               fmt::format("{} died while running this job; it runs again after a change of its "
                           "script or configuration, or after `heddle resume`",
                           counted(crashes_.crashes(run.job.id), "worker", "workers in a row")));
    quarantined.is_quarantined = true;
    return quarantined;
  }
  if (is_shutting_down_) {
    ExecutionResult interrupted;
    interrupted.end = ExecutionEnd::interrupted;
    return interrupted;
  }
  return failed(ErrorKind::no_worker,
                is_isolated(run.job)
                    ? "workers died while they ran this job, so it may run only in a worker of its "
                      "own, which died too often or could not be started; the next run tries again"
                    : "every worker died too often or could not be started; `heddle workers` lists "
                      "them, `heddle workers restart N` starts one again");
}

// nullopt: the run must end, or no slot will become usable.
Async<std::optional<SlotRef>> RunDispatcher::find_slot(ActiveRun& run) {
  while (!must_end(run)) {
    const auto chosen = choose_slot(run.job);
    if (chosen) co_return chosen;
    if (has_no_usable_slot(run.job)) break;
    const bool waits_for_isolation = is_isolated(run.job);
    if (waits_for_isolation) ++waiting_for_isolation_;
    free_isolated_slot();
    co_await slots_changed_.wait();
    if (waits_for_isolation) --waiting_for_isolation_;
  }
  co_return std::nullopt;
}

std::optional<SlotRef> RunDispatcher::choose_slot(const Job& job) {
  if (is_isolated(job)) return choose_isolated_slot();
  const auto slot = assignment_.choose(job);
  if (!slot) return std::nullopt;
  return ready_.at(*slot);
}

std::optional<SlotRef> RunDispatcher::choose_isolated_slot() {
  if (is_isolated_slot_taken_) return std::nullopt;
  const auto ready = ready_.find(*isolated_);
  if (ready != ready_.end()) return ready->second;
  // After a crash the restart rules of the slot decide whether and when it restarts.
  const SlotState state = slots_->state(*isolated_);
  if (state == SlotState::idle || state == SlotState::stopped) start_isolated_slot();
  return std::nullopt;
}

void RunDispatcher::start_isolated_slot() {
  const auto started = slots_->start(*isolated_);
  if (started) return;
  failed_starts_.insert(*isolated_);
  parts_.log.warn("isolated worker: " + started.error().message);
}

// A new run gives a slot that has given up another chance.
void RunDispatcher::restart_isolated_slot(const ActiveRun& run) {
  if (must_end(run) || !is_isolated(run.job)) return;
  if (is_out_of_service(*isolated_)) start_isolated_slot();
}

bool RunDispatcher::is_isolated(const Job& job) const {
  return isolated_ && crashes_.is_suspect(job.id);
}

// The slot will not restart by itself. It is also down between a crash and its recovery: that does
// not count.
bool RunDispatcher::is_out_of_service(SlotId slot) const {
  const SlotState state = slots_->state(slot);
  if (state == SlotState::down) return failed_starts_.contains(slot);
  return state == SlotState::gave_up || state == SlotState::stopped;
}

bool RunDispatcher::has_no_usable_slot(const Job& job) const {
  if (is_isolated(job)) return is_out_of_service(*isolated_);
  const auto all = slots_->status();
  return std::all_of(all.begin(), all.end(), [this](const supervise::SlotStatus& status) {
    return status.kind != supervise::SlotKind::worker || is_out_of_service(status.slot.slot);
  });
}

// False: the slot was gone before the run could begin there.
Async<bool> RunDispatcher::assign(ActiveRun& run, SlotRef slot, Deadline deadline) {
  const bool is_isolated_slot = isolated_ == slot.slot;
  if (is_isolated_slot) is_isolated_slot_taken_ = true;
  run.holder = slot;  // may lease from now on
  run.ended.reset();
  run.is_lost = false;
  run.has_done_page = false;
  run.is_moving = false;
  if (!is_isolated_slot) assignment_.begin(run.job, slot.slot);
  auto released = co_await parts_.store.release_leases(run.id);
  if (!released) parts_.log.error("run " + run.id.text + ": " + released.error().message);
  const auto channel = slots_->channel(slot);
  // A halt in the meantime went to a worker that did not know the run yet.
  if (released && !run.is_lost && !must_end(run) && channel) {
    const ipc::StartRun order{run.id, run.job.id, run.job.version(), time_until(deadline),
                              run.job.shared_page_group != 0};
    if (channel->post(ipc::to_frame(WorkerMessage::start_run, order))) co_return true;
  }
  release_slot(run);
  if (!released) {  // disk full, perhaps: no hot loop
    co_await slots_changed_.wait(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  }
  co_return false;
}

Async<void> RunDispatcher::wait_for_end(ActiveRun& run) {
  while (!run.ended && !run.is_lost) co_await run.changed.wait();
  release_slot(run);
}

void RunDispatcher::release_slot(ActiveRun& run) {
  const SlotRef slot = *std::exchange(run.holder, std::nullopt);
  if (isolated_ != slot.slot) return assignment_.end(run.job, slot.slot);
  is_isolated_slot_taken_ = false;
  slots_changed_.notify();
}

// A job that has done a page is no longer suspect: it moves to a normal slot when others wait for
// isolation. Until then it stays, where a crash affects no other job.
void RunDispatcher::free_isolated_slot() {
  if (waiting_for_isolation_ == 0) return;
  for (ActiveRun* run : runs_.all()) {
    if (!run->holder || isolated_ != run->holder->slot || !run->has_done_page) continue;
    if (run->is_moving || crashes_.is_suspect(run->job.id)) continue;
    run->is_moving = true;
    stop_at_holder(*run, false);
  }
}

void RunDispatcher::stop_at_holder(const ActiveRun& run, bool is_final) {
  const ipc::StopRun order{run.id, is_final};
  const auto channel = slots_->channel(*run.holder);
  if (channel) channel->post(ipc::to_frame(WorkerMessage::stop_run, order));
}

bool RunDispatcher::halt(const RunId& id, Halt how) {
  ActiveRun* run = runs_.find(id);
  if (run == nullptr) return false;
  if (run->halt && *run->halt >= how) return true;
  run->halt = how;
  slots_changed_.notify();
  if (run->holder) stop_at_holder(*run, how != Halt::pause);
  return true;
}

void RunDispatcher::cancel_all() {
  for (const ActiveRun* run : runs_.all()) cancel(run->id);
}

void RunDispatcher::exclude_ready_workers() {
  for (const auto& [slot, occurrence] : std::exchange(ready_, {})) assignment_.remove(slot);
}

void RunDispatcher::begin_shutdown() {
  is_shutting_down_ = true;
  slots_changed_.notify();
}

std::vector<JobId> RunDispatcher::jobs_at(SlotRef slot) const {
  std::set<JobId> jobs;
  for (const ActiveRun* run : runs_.all_held_by(slot)) jobs.insert(run->job.id);
  return {jobs.begin(), jobs.end()};
}

const Job* RunDispatcher::job_of_mark(std::uint64_t mark) const {
  if (mark == 0) return nullptr;
  for (const ActiveRun* run : runs_.all())
    if (mark_of(run->job.id) == mark) return &run->job;
  return nullptr;
}

void RunDispatcher::on_ready(SlotRef slot) {
  const auto all = slots_->status();
  const auto status = std::find_if(
      all.begin(), all.end(), [slot](const auto& each) { return each.slot.slot == slot.slot; });
  if (status == all.end() || !supervise::runs_jobs(status->kind)) return;
  const WorkerServiceParts parts{
      parts_.store,
      parts_.gate,
      runs_,
      parts_.log,
      [this](const JobId& job) { note_page_done(job); },
      [this](const RunId& run, TaskState state) { note_task(run, state); },
      status->number};
  services_.emplace(slot,
                    std::make_shared<WorkerService>(loop_, parts, slot, slots_->channel(slot)));
  ready_.insert_or_assign(slot.slot, slot);
  if (isolated_ != slot.slot) assignment_.add(slot.slot);
  slots_changed_.notify();
}

Async<void> RunDispatcher::on_frame(SlotRef slot, ipc::Frame frame) {
  const auto found = services_.find(slot);
  if (found == services_.end()) {  // declared dead, but still sending
    parts_.log.debug(fmt::format("worker {}.{} was replaced: its message of type {} is ignored",
                                 slot.slot, slot.occurrence, frame.type));
    co_return;
  }
  const auto service = found->second;
  auto handled = co_await service->handle(std::move(frame));
  if (handled) co_return;
  parts_.log.error(fmt::format("worker {}.{} sent an invalid message and is ended: {}", slot.slot,
                               slot.occurrence, handled.error().message));
  if (const auto channel = slots_->channel(slot)) channel->close();
}

void RunDispatcher::on_event(const SlotEvent& event) {
  if (supervise::is_death(event.kind)) {
    if (event.kind == SlotEventKind::crash || event.kind == SlotEventKind::unpublished)
      record_crash(event);
    remove_worker(event.slot);
  }
  if (event.kind == SlotEventKind::draining) exclude(event.slot);
  if (event.kind == SlotEventKind::started) failed_starts_.erase(event.slot.slot);
  if (event.kind == SlotEventKind::start_failed) failed_starts_.insert(event.slot.slot);
  // Waiting runs check again whether a slot can become usable.
  if (event.kind == SlotEventKind::gave_up || event.kind == SlotEventKind::start_failed)
    slots_changed_.notify();
}

void RunDispatcher::note_page_done(const JobId& job) {
  crashes_.note_page_done(job);
  for (ActiveRun* run : runs_.all())
    if (run->job.id == job) run->has_done_page = true;
  free_isolated_slot();
}

void RunDispatcher::note_task(const RunId& id, TaskState state) {
  ++tasks_.at(static_cast<std::size_t>(state));
  if (ActiveRun* run = runs_.find(id)) ++run->steps;
}

std::vector<RunProgress> RunDispatcher::progress() const {
  std::vector<RunProgress> all;
  for (const ActiveRun* run : runs_.all()) all.push_back({run->id, run->job.id, run->steps});
  return all;
}

// Without a known culprit every job without a completed page could be the cause: each is isolated
// until it completes one, so that the next crash identifies it.
void RunDispatcher::record_crash(const SlotEvent& death) {
  const auto held = runs_.all_held_by(death.slot);
  const auto is_marked = [&death](const ActiveRun* run) {
    return mark_of(run->job.id) == death.working_on;
  };
  const bool is_known = std::any_of(held.begin(), held.end(), is_marked);
  for (const ActiveRun* run : held) {
    const bool is_suspect = is_known ? is_marked(run) : !run->has_done_page;
    if (!is_suspect) continue;
    crashes_.record_crash(run->job);
    parts_.log.error(fmt::format("{} died ({}) while it worked on job '{}'", death.name,
                                 death.detail, run->job.name));
  }
}

// The slot gets no new runs; its active ones may end there.
void RunDispatcher::exclude(SlotRef slot) {
  const auto ready = ready_.find(slot.slot);
  if (ready == ready_.end() || ready->second != slot) return;
  ready_.erase(ready);
  assignment_.remove(slot.slot);
}

void RunDispatcher::remove_worker(SlotRef slot) {
  if (const auto service = services_.find(slot); service != services_.end()) {
    service->second->end();
    services_.erase(service);
  }
  exclude(slot);
  for (ActiveRun* run : runs_.all_held_by(slot)) {
    run->is_lost = true;
    run->changed.notify();
  }
  slots_changed_.notify();
}

}  // namespace heddle::hub
