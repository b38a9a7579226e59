// RunDispatcher assigns a run to a worker slot and returns when the run has ended. When a worker
// dies it reassigns its runs; a job under which workers crash is isolated and then quarantined.
// Single event loop; everything passed in outlives it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/wake_signal.hpp"
#include "hub/runs/dispatch/active_runs.hpp"
#include "hub/runs/dispatch/crash_tracker.hpp"
#include "hub/runs/dispatch/slot_assignment.hpp"
#include "hub/runs/dispatch/worker_service.hpp"
#include "supervise/slot_owner.hpp"
#include "supervise/supervisor.hpp"

namespace heddle::hub {

struct RunDispatcherParts {
  store::Store& store;
  net::HostGate& gate;
  Log& log;
  int poison_limit = 3;
};

// A run whose `steps` do not change makes no progress.
struct RunProgress {
  RunId run;
  JobId job;
  std::uint64_t steps = 0;
};

// How many tasks entered each state, over all runs.
using TaskCounts = std::array<std::uint64_t, 6>;

// The worker slots that RunDispatcher uses.
class WorkerSlots {
 public:
  virtual ~WorkerSlots() = default;

  [[nodiscard]] virtual std::vector<supervise::SlotStatus> status() const = 0;
  [[nodiscard]] virtual supervise::SlotState state(supervise::SlotId slot) const = 0;
  // As Supervisor::start: forgets a recovery in progress.
  virtual Status start(supervise::SlotId slot) = 0;
  // nullptr: that process is gone.
  [[nodiscard]] virtual std::shared_ptr<ipc::Channel> channel(supervise::SlotRef slot) const = 0;
};

class RunDispatcher final : public supervise::SlotOwner {
 public:
  RunDispatcher(boost::asio::any_io_executor loop, RunDispatcherParts parts);
  ~RunDispatcher() override;

  // Uses the slots of the supervisor. `isolated`: the slot for suspect jobs, started on demand.
  void attach(supervise::Supervisor& supervisor,
              std::optional<supervise::SlotId> isolated = std::nullopt);
  void attach(std::unique_ptr<WorkerSlots> slots, std::optional<supervise::SlotId> isolated);

  // Returns when the run has no page left, or as ExecutionEnd says; how the pages ended is not
  // judged. Waits while no slot is ready, but not for slots that have given up or could not be
  // started. Calls `on_registered` as soon as halt() knows the run.
  Async<ExecutionResult> execute(Job job, RunId run, RunObserver* observer,
                                 std::function<void()> on_registered = nullptr);

  // Pages in flight finish, no other begins. A pause can still become a cancel or stop.
  // False: the run is not registered.
  bool halt(const RunId& run, Halt how);
  void cancel(const RunId& run) { halt(run, Halt::cancel); }
  void cancel_all();

  // Assigns no new run to the workers that are ready now: runs wait for their successors.
  void exclude_ready_workers();

  // Assigns no more runs; active ones end as soon as their workers exit.
  void begin_shutdown();

  [[nodiscard]] std::size_t runs_under_way() const { return runs_.all().size(); }
  [[nodiscard]] std::vector<RunProgress> progress() const;
  [[nodiscard]] const TaskCounts& tasks() const { return tasks_; }
  // The jobs whose runs the slot has, ordered by id.
  [[nodiscard]] std::vector<JobId> jobs_at(supervise::SlotRef slot) const;
  // nullptr: no job, or one without an active run.
  [[nodiscard]] const Job* job_of_mark(std::uint64_t mark) const;
  CrashTracker& crash_tracker() { return crashes_; }

  void on_ready(supervise::SlotRef slot) override;
  Async<void> on_frame(supervise::SlotRef slot, ipc::Frame frame) override;
  void on_event(const supervise::SlotEvent& event) override;

 private:
  using SlotRef = supervise::SlotRef;

  Async<std::optional<SlotRef>> find_slot(ActiveRun& run);
  std::optional<SlotRef> choose_slot(const Job& job);
  std::optional<SlotRef> choose_isolated_slot();
  void start_isolated_slot();
  void restart_isolated_slot(const ActiveRun& run);
  [[nodiscard]] bool is_isolated(const Job& job) const;
  [[nodiscard]] bool is_out_of_service(supervise::SlotId slot) const;
  [[nodiscard]] bool has_no_usable_slot(const Job& job) const;
  [[nodiscard]] bool must_end(const ActiveRun& run) const;
  [[nodiscard]] ExecutionResult early_end(const ActiveRun& run) const;
  Async<bool> assign(ActiveRun& run, SlotRef slot, Deadline deadline);
  Async<void> wait_for_end(ActiveRun& run);
  void note_page_done(const JobId& job);
  void note_task(const RunId& run, TaskState state);
  void record_crash(const supervise::SlotEvent& death);
  void exclude(SlotRef slot);
  void remove_worker(SlotRef slot);
  void release_slot(ActiveRun& run);
  void free_isolated_slot();
  void stop_at_holder(const ActiveRun& run, bool is_final);

  boost::asio::any_io_executor loop_;
  RunDispatcherParts parts_;
  std::unique_ptr<WorkerSlots> slots_;
  std::optional<supervise::SlotId> isolated_;
  std::set<supervise::SlotId> failed_starts_;
  bool is_isolated_slot_taken_ = false;
  std::size_t waiting_for_isolation_ = 0;  // runs of suspect jobs
  std::map<supervise::SlotId, SlotRef> ready_;
  std::map<SlotRef, std::shared_ptr<WorkerService>> services_;
  SlotAssignment assignment_;
  CrashTracker crashes_;
  ActiveRuns runs_;
  TaskCounts tasks_{};
  WakeSignal slots_changed_;
  bool is_shutting_down_ = false;
};

}  // namespace heddle::hub
