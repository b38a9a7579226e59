// The inside of a Supervisor: everything its coroutines need as long as one of them is there.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervise/loop_gate.hpp"
#include "supervise/recovery_threads.hpp"
#include "supervise/slot.hpp"
#include "supervise/supervisor.hpp"

namespace heddle::supervise {

class Core : public std::enable_shared_from_this<Core> {
 public:
  Core(boost::asio::any_io_executor executor, Log& log, const Clock& clock, SlotOwner* owner);

  SlotId add(SlotSpec spec);
  bool forget(SlotId id);
  void update(SlotId id, SlotSpec spec);
  void renew(SlotId id, SlotSpec spec);
  void retire(SlotId id);
  Status start(SlotId id);
  void request_stop(SlotId id, Deadline deadline);
  Status replace(SlotId id);
  void begin_shutdown(Deadline deadline);
  static Async<ShutdownReport> shutdown_ended(std::shared_ptr<Core> core);
  std::vector<SlotStatus> status();
  [[nodiscard]] std::vector<SlotId> slots() const;
  [[nodiscard]] SlotState state(SlotId id) const { return slots_.at(id)->state(); }
  std::vector<pid_t> spares() const;
  std::shared_ptr<ipc::Channel> channel(SlotRef ref);
  EventStream& events() { return events_; }
  void set_default_policy(RecoveryPolicy policy) { default_policy_ = std::move(policy); }
  void set_default_runner(RecoveryRunner runner) { default_runner_ = std::move(runner); }

  // The supervisor is gone: kill, cancel and never call anybody again.
  void abandon();

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  // core.cpp: starting
  Slot* find(SlotId id);
  Result<OccupantPtr> launch(Slot& slot);  // watched, but in no place yet
  Status launch_current(Slot& slot);
  void publish(ProcessEvent event);
  void publish_about(const OccupantPtr& who, EventKind kind, std::string detail = {});
  static ProcessEvent event_of(const Slot& slot, EventKind kind);

  // core_watching.cpp: one process
  static Async<void> watch(std::shared_ptr<Core> core, OccupantPtr who);
  static Async<void> receive(std::shared_ptr<Core> core, OccupantPtr who);
  static Async<void> guard(std::shared_ptr<Core> core, OccupantPtr who);
  static Async<void> linger(OccupantPtr who);
  Status on_control(const OccupantPtr& who, const ipc::Frame& frame);
  Status on_hello(const OccupantPtr& who, const ipc::Frame& frame);
  void on_ready(const OccupantPtr& who);
  void on_channel_end(const OccupantPtr& who, const Error& error);
  void recycle_if_due(const OccupantPtr& who);
  bool may_take_its_time(const OccupantPtr& who);
  void on_end(const OccupantPtr& who, const process::ExitFacts& exit);

  // core_recovery.cpp
  struct Death {
    RecoveryInfo info{};
    bool may_recover = false;
    bool was_asked_to_stop = false;
  };
  Death death_of(Slot& slot, const OccupantPtr& who, const ProcessEvent& event, bool may_recover);
  void fill_gap(SlotId id, const Death& death);
  void recover(SlotId id, const RecoveryInfo& info);
  bool is_allowed(const Slot& slot, const RecoveryInfo& info);
  Slot* find_recoverable(SlotId id);
  void start_runner(Slot& slot, const RecoveryInfo& info, RecoveryRunner runner);
  void start_delay(Slot& slot, const RecoveryInfo& info);
  std::optional<std::chrono::milliseconds> pause_before_restart(Slot& slot, EventKind reason);
  std::shared_ptr<RecoveryTicket> issue_ticket(SlotId id);
  static Async<void> respawn_later(std::shared_ptr<Core> core, SlotId id,
                                   std::shared_ptr<RecoveryTicket> ticket, SteadyTime when);
  void on_redeemed(SlotId id, const RecoveryTicket* ticket);
  void on_runner_returned(SlotId id, const RecoveryTicket* ticket, const std::string& error);
  void respawn(Slot& slot);
  void fill(Slot& slot, bool may_recover);
  void on_start_failed(Slot& slot, const Error& error, bool may_recover);

  // core_spares.cpp
  struct Spare {
    SlotSpec spec;                       // what it was started by
    std::string version;                 // what it has read
    OccupantPtr who;                     // may be absent for a while
    std::chrono::milliseconds pause{0};  // before the next, when this one ends by itself
    bool is_pausing = false;
  };
  OccupantPtr take_spare(Slot& slot);
  void keep_spare(const SlotSpec& spec);
  void launch_spare(Spare& spare);
  void pause_spare(Spare& spare);
  static Async<void> expect_spare(std::shared_ptr<Core> core, OccupantPtr who, SlotSpec spec);
  static Async<void> keep_spare_soon(std::shared_ptr<Core> core, SlotSpec spec);
  static Async<void> keep_spare_later(std::shared_ptr<Core> core, SlotSpec spec,
                                      std::chrono::milliseconds pause);
  void on_spare_end(const OccupantPtr& who, const process::ExitFacts& exit);
  void refresh_spare(const SlotSpec& spec);

  // core_renewal.cpp
  void renew_if_outdated(SlotId id);
  void renew_later(SlotId id);
  static Async<void> renew_after(std::shared_ptr<Core> core, SlotId id,
                                 std::chrono::milliseconds pause);
  [[nodiscard]] static std::chrono::milliseconds patience_with(const Slot& slot);

  // core_stopping.cpp
  void ask_to_leave(const OccupantPtr& who, Deadline deadline);
  static Async<void> kill_at(std::shared_ptr<Core> core, OccupantPtr who, Deadline deadline);
  Status replace_overlapping(Slot& slot);
  void note_kill(const OccupantPtr& who);
  [[nodiscard]] bool is_anybody_there() const;
  [[nodiscard]] bool is_out_of_patience() const;
  [[nodiscard]] bool is_anybody_being_replaced() const;

  void cancel_all_recovery();
  void run(Async<void> coroutine);

  boost::asio::any_io_executor executor_;
  Log& log_;
  const Clock& clock_;
  SlotOwner* owner_;
  EventStream events_;
  Subscription owner_subscription_;
  std::shared_ptr<LoopGate> gate_;
  RecoveryThreads recovery_threads_;
  std::vector<std::weak_ptr<RecoveryTicket>> tickets_;  // all that a runner may still hold
  RecoveryPolicy default_policy_;
  RecoveryRunner default_runner_;
  std::map<SlotId, std::unique_ptr<Slot>> slots_;
  std::map<std::string, Spare> spares_;  // by kind
  Doorbell no_more_spares_;
  SlotId next_id_ = 0;
  bool is_abandoned_ = false;
  std::optional<Deadline> shutdown_deadline_;  // set: no respawn any more
  Doorbell shutdown_begun_;
  Doorbell all_gone_;
  ShutdownReport report_;
};

}  // namespace heddle::supervise
