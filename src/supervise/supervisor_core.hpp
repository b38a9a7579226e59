// Implements Supervisor. The supervisor and its coroutines share ownership. One event loop.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervise/loop_gate.hpp"
#include "supervise/recovery/respawn_threads.hpp"
#include "supervise/slot.hpp"
#include "supervise/supervisor.hpp"

namespace heddle::supervise {

class SupervisorCore : public std::enable_shared_from_this<SupervisorCore> {
 public:
  SupervisorCore(boost::asio::any_io_executor executor, Log& log, const Clock& clock,
                 SlotOwner* owner);

  SlotId add(SlotSpec spec);
  bool remove(SlotId id);
  void update(SlotId id, SlotSpec spec);
  void renew(SlotId id, SlotSpec spec);
  void retire(SlotId id);
  Status start(SlotId id);
  void request_stop(SlotId id, Deadline deadline);
  Status replace(SlotId id);
  void begin_shutdown(Deadline deadline);
  static Async<StopReport> shutdown_ended(std::shared_ptr<SupervisorCore> core);
  std::vector<SlotStatus> status();
  [[nodiscard]] std::vector<SlotId> slots() const;
  [[nodiscard]] SlotState state(SlotId id) const { return slots_.at(id)->state(); }
  std::vector<pid_t> spares() const;
  std::shared_ptr<ipc::Channel> channel(SlotRef ref);
  SlotEventStream& events() { return events_; }
  void set_default_policy(RespawnPolicy policy) { default_policy_ = std::move(policy); }
  void set_default_runner(RespawnRunner runner) { default_runner_ = std::move(runner); }

  // The supervisor is destroyed: kills and cancels everything; calls no handler any more.
  void abandon();

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  // supervisor_core.cpp: starting
  Slot* find(SlotId id);
  Result<ChildProcessPtr> launch(Slot& slot);  // watched, not yet in the slot
  Status launch_current(Slot& slot);
  void publish(SlotEvent event);
  void publish_about(const ChildProcessPtr& child, SlotEventKind kind, std::string detail = {});
  static SlotEvent event_of(const Slot& slot, SlotEventKind kind);

  // supervisor_core_watching.cpp: one process
  static Async<void> watch(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child);
  static Async<void> receive(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child);
  static Async<void> guard(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child);
  static Async<void> kill_if_lingering(ChildProcessPtr child);
  Status on_control(const ChildProcessPtr& child, const ipc::Frame& frame);
  Status on_hello(const ChildProcessPtr& child, const ipc::Frame& frame);
  void on_ready(const ChildProcessPtr& child);
  void on_channel_end(const ChildProcessPtr& child, const Error& error);
  void recycle_if_due(const ChildProcessPtr& child);
  bool has_extended_drain(const ChildProcessPtr& child);
  void on_end(const ChildProcessPtr& child, const process::ExitStatus& exit);

  // supervisor_core_recovery.cpp
  struct Death {
    CrashReport crash{};
    bool may_recover = false;
    bool was_stop_requested = false;
  };
  Death death_of(Slot& slot, const ChildProcessPtr& child, const SlotEvent& event,
                 bool may_recover);
  void refill(SlotId id, const Death& death);
  void recover(SlotId id, const CrashReport& crash);
  bool is_allowed(const Slot& slot, const CrashReport& crash);
  Slot* find_recoverable(SlotId id);
  void start_runner(Slot& slot, const CrashReport& crash, RespawnRunner runner);
  void start_delay(Slot& slot, const CrashReport& crash);
  std::optional<std::chrono::milliseconds> pause_before_restart(Slot& slot, SlotEventKind reason);
  std::shared_ptr<RespawnPermit> issue_permit(SlotId id);
  static Async<void> respawn_later(std::shared_ptr<SupervisorCore> core, SlotId id,
                                   std::shared_ptr<RespawnPermit> permit, SteadyTime when);
  void on_permit_used(SlotId id, const RespawnPermit* permit);
  void on_runner_returned(SlotId id, const RespawnPermit* permit, const std::string& error);
  void respawn(Slot& slot);
  void fill(Slot& slot, bool may_recover);
  void on_start_failed(Slot& slot, const Error& error, bool may_recover);

  // supervisor_core_spares.cpp
  struct Spare {
    SlotSpec spec;                       // it was started with
    std::string version;                 // of what it read at its start
    ChildProcessPtr child;               // may be absent for a while
    std::chrono::milliseconds pause{0};  // before the next start, after an unexpected exit
    bool is_pausing = false;
  };
  ChildProcessPtr take_spare(Slot& slot);
  void ensure_spare(const SlotSpec& spec);
  void launch_spare(Spare& spare);
  void pause_spare(Spare& spare);
  static Async<void> watch_spare_start(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child,
                                       SlotSpec spec);
  static Async<void> ensure_spare_soon(std::shared_ptr<SupervisorCore> core, SlotSpec spec);
  static Async<void> ensure_spare_later(std::shared_ptr<SupervisorCore> core, SlotSpec spec,
                                        std::chrono::milliseconds pause);
  void on_spare_end(const ChildProcessPtr& child, const process::ExitStatus& exit);
  void refresh_spare(const SlotSpec& spec);

  // supervisor_core_renewal.cpp
  void renew_if_outdated(SlotId id);
  void renew_later(SlotId id);
  static Async<void> renew_after(std::shared_ptr<SupervisorCore> core, SlotId id,
                                 std::chrono::milliseconds pause);
  [[nodiscard]] static std::chrono::milliseconds drain_timeout_of(const Slot& slot);

  // supervisor_core_stopping.cpp
  void stop_child(const ChildProcessPtr& child, Deadline deadline);
  static Async<void> kill_at(std::shared_ptr<SupervisorCore> core, ChildProcessPtr child,
                             Deadline deadline);
  Status replace_overlapping(Slot& slot);
  void record_kill(const ChildProcessPtr& child);
  [[nodiscard]] bool has_children() const;
  [[nodiscard]] bool is_past_kill_timeout() const;
  [[nodiscard]] bool is_any_slot_being_replaced() const;

  void cancel_all_recovery();
  void run(Async<void> coroutine);

  boost::asio::any_io_executor executor_;
  Log& log_;
  const Clock& clock_;
  SlotOwner* owner_;
  SlotEventStream events_;
  Subscription owner_subscription_;
  std::shared_ptr<LoopGate> gate_;
  RespawnThreads respawn_threads_;
  std::vector<std::weak_ptr<RespawnPermit>> permits_;  // that a runner may still hold
  RespawnPolicy default_policy_;
  RespawnRunner default_runner_;
  std::map<SlotId, std::unique_ptr<Slot>> slots_;
  std::map<std::string, Spare> spares_;  // by kind
  WakeSignal no_more_spares_;
  SlotId next_id_ = 0;
  bool is_abandoned_ = false;
  std::optional<Deadline> shutdown_deadline_;  // set: nothing is respawned
  WakeSignal shutdown_begun_;
  WakeSignal all_gone_;
  StopReport report_;
};

}  // namespace heddle::supervise
