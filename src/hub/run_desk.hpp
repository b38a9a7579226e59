// Gives runs to worker slots and sees them through: when a worker dies its runs go to another one,
// when a job kills its workers it works alone and is then put into quarantine.
// One event loop; everything it is given outlives it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "hub/active_runs.hpp"
#include "hub/slot_assignment.hpp"
#include "hub/suspects.hpp"
#include "hub/worker_service.hpp"
#include "hub/worker_slots.hpp"
#include "supervise/slot_owner.hpp"

namespace heddle::hub {

struct DeskParts {
  store::Store& store;
  net::HostGate& gate;
  Log& log;
  int poison_limit = 3;
};

enum class WorkEnd {
  worked_through,
  cancelled,
  stopped,      // with its job
  paused,       // somebody will go on
  interrupted,  // the coordinator is leaving: the next one goes on
  quarantined,
  unreadable,  // no worker can read the job, as `problem` says: somebody may be editing it
  not_loaded,  // likewise for its script
  failed,      // `problem` says why
};

struct WorkDone {
  WorkEnd end = WorkEnd::worked_through;
  StageCosts costs{};
  bool ran_out_of_time = false;
  std::optional<RunError> problem{};  // besides those of its pages
};

// How far a run is: whoever sees the same steps twice knows that nothing has happened to it.
struct RunProgress {
  RunId run;
  JobId job;
  std::uint64_t steps = 0;
};

// Tasks that came into each state, over all runs.
using TaskTally = std::array<std::uint64_t, 6>;

class RunDesk final : public supervise::SlotOwner {
 public:
  RunDesk(boost::asio::any_io_executor loop, DeskParts parts);
  ~RunDesk() override;

  // Its slots do the work. `alone`: a slot that is started for jobs that work alone.
  void attach(supervise::Supervisor& supervisor,
              std::optional<supervise::SlotId> alone = std::nullopt);
  void attach(std::unique_ptr<WorkerSlots> slots, std::optional<supervise::SlotId> alone);

  // Returns when the run has no page left, or as WorkEnd says. Waits while no slot is ready, but
  // not for slots that stay empty: they have given up, or could not be started.
  // `on_listed` is called as soon as halt() knows the run.
  Async<WorkDone> work_through(Job job, RunId run, RunFollower* follower,
                               std::function<void()> on_listed = nullptr);

  // Pages in flight finish, no other begins. A pause can still become something final.
  void halt(const RunId& run, Halt how);
  void cancel(const RunId& run) { halt(run, Halt::cancel); }
  void cancel_all();

  // Whoever is ready now gets no new runs: they wait for the processes that come after those.
  void let_all_rest();

  // No run is given to a slot any more; those under way end as soon as their workers leave.
  void begin_shutdown();

  [[nodiscard]] std::size_t runs_under_way() const { return runs_.all().size(); }
  [[nodiscard]] std::vector<RunProgress> progress() const;
  [[nodiscard]] const TaskTally& tasks() const { return tasks_; }
  // Those whose runs the slot was given, in the order of their ids.
  [[nodiscard]] std::vector<JobId> jobs_at(supervise::SlotRef slot) const;
  // nullptr: nobody, or a job that is not under way.
  [[nodiscard]] const Job* job_of_mark(std::uint64_t mark) const;
  Suspects& suspects() { return suspects_; }

  void on_ready(supervise::SlotRef slot) override;
  Async<void> on_frame(supervise::SlotRef slot, ipc::Frame frame) override;
  void on_event(const supervise::ProcessEvent& event) override;

 private:
  using SlotRef = supervise::SlotRef;

  Async<std::optional<SlotRef>> find_slot(ActiveRun& run);
  std::optional<SlotRef> choose_slot(const Job& job);
  std::optional<SlotRef> choose_alone_slot();
  void start_alone_slot();
  void forgive_alone_slot(const ActiveRun& run);
  [[nodiscard]] bool works_alone(const Job& job) const;
  [[nodiscard]] bool stays_empty(supervise::SlotId slot) const;
  [[nodiscard]] bool is_hopeless(const Job& job) const;
  [[nodiscard]] bool must_end(const ActiveRun& run) const;
  [[nodiscard]] WorkDone early_end(const ActiveRun& run) const;
  Async<bool> hand_over(ActiveRun& run, SlotRef slot, Deadline deadline);
  Async<void> wait_for_end(ActiveRun& run);
  void note_page_done(const JobId& job);
  void note_task(const RunId& run, TaskState state);
  void blame(const supervise::ProcessEvent& death);
  void let_rest(SlotRef slot);
  void take_away(SlotRef slot);
  void release_alone_slot();
  void make_room_alone();

  boost::asio::any_io_executor loop_;
  DeskParts parts_;
  std::unique_ptr<WorkerSlots> slots_;
  std::optional<supervise::SlotId> alone_;
  std::set<supervise::SlotId> not_started_;  // their last start failed
  bool is_alone_taken_ = false;
  std::size_t waiting_to_be_alone_ = 0;  // runs of suspects
  std::map<supervise::SlotId, SlotRef> ready_;
  std::map<SlotRef, std::shared_ptr<WorkerService>> services_;
  SlotAssignment assignment_;
  Suspects suspects_;
  ActiveRuns runs_;
  TaskTally tasks_{};
  Doorbell slots_changed_;
  bool is_shutting_down_ = false;
};

}  // namespace heddle::hub
