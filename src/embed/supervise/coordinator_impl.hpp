// Implements the public Coordinator. Calls from any thread are posted to the loop; all state is
// used there only.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <heddle/coordinator.hpp>

#include "base/log/log.hpp"
#include "base/time.hpp"
#include "embed/supervise/host_loop.hpp"
#include "embed/supervise/orphan_reaper.hpp"
#include "embed/supervise/signals.hpp"
#include "supervise/loop_gate.hpp"
#include "supervise/supervisor.hpp"

namespace heddle {

class Coordinator::Impl : public std::enable_shared_from_this<Coordinator::Impl> {
 public:
  explicit Impl(Options options);

  void begin();  // once, when a shared_ptr owns it
  void end();    // on the loop thread; later calls through other owners do nothing
  ShutdownReport run();
  std::uint32_t spawn(ProcessSpec spec);
  supervise::Subscription subscribe(ProcessEventHandler handler);
  void begin_shutdown(Deadline deadline);

  void set_policy(RecoveryPolicy policy);
  void set_runner(RecoveryRunner runner);
  void set_lifecycle_handler(ProcessEventHandler handler);
  void request_stop(std::uint32_t slot, std::chrono::milliseconds timeout);
  void restart(std::uint32_t slot);
  // The last handle is gone: the slot is removed some time after its last process has ended.
  void release_slot(std::uint32_t slot);
  [[nodiscard]] std::size_t known_slots() const { return supervisor_->status().size(); }

  [[nodiscard]] bool has_executor() const { return static_cast<bool>(options_.executor); }

 private:
  static constexpr std::size_t kFirstSweep = 64;

  class FunctionLog final : public Log {
   public:
    explicit FunctionLog(std::function<void(Severity, std::string_view)> function)
        : function_(std::move(function)) {}
    void write(const LogMessage& message) override;

   private:
    std::function<void(Severity, std::string_view)> function_;
  };

  // Runs `work` on the loop, unless this object is gone.
  void post(std::function<void(Impl&)> work);
  supervise::SlotSpec slot_spec(ProcessSpec spec) const;
  void remove_idle_slots();
  void adopt_orphans();
  static Async<void> sweep_periodically(std::weak_ptr<Impl> impl);
  static Async<void> await_end(std::weak_ptr<Impl> impl);
  void on_end(const ShutdownReport& report);

  Options options_;
  FunctionLog log_;
  SystemClock clock_;
  std::string tag_;
  embed::HostLoop loop_;
  supervise::LoopGate gate_;
  std::optional<supervise::Supervisor> supervisor_;
  std::optional<embed::StopSignals> signals_;
  std::unique_ptr<embed::OrphanReaper> orphan_reaper_;
  supervise::Subscription orphan_watch_;
  supervise::Subscription lifecycle_watch_;
  std::mutex adding_;  // slots are numbered in the order in which they are added
  std::uint32_t next_slot_ = 0;
  std::set<supervise::SlotId> released_;
  std::size_t next_sweep_ = kFirstSweep;  // how many released slots trigger the next sweep
  ShutdownReport report_;
};

// Gives the process-wide functions access to the private members.
class CoordinatorAccess {
 public:
  using Impl = Coordinator::Impl;
  static Impl& of(Coordinator& coordinator) { return *coordinator.impl_; }
};

}  // namespace heddle
