// Keeps processes running in slots: starts them, sees every death once, respawns by policy,
// replaces and stops them. Everything on one event loop, whose thread must outlive the processes:
// the kernel ends them with it. Destroying it kills what is left.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/channel.hpp"
#include "supervise/event_stream.hpp"
#include "supervise/recovery.hpp"
#include "supervise/slot_owner.hpp"
#include "supervise/slot_spec.hpp"

namespace heddle::supervise {

class Core;

// A process that had to be killed, or (`is_gone` false) could not even be.
struct Straggler {
  SlotRef slot{};
  std::string name{};
  int number = 0;
  pid_t pid = 0;
  bool is_gone = true;
};

struct ShutdownReport {
  std::vector<Straggler> killed{};
};

class Supervisor {
 public:
  // What is given by reference outlives the loop's last handler; `owner` may be absent.
  Supervisor(boost::asio::any_io_executor executor, Log& log, const Clock& clock,
             SlotOwner* owner = nullptr);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  SlotId add(SlotSpec spec);
  // False while the slot has a process.
  bool forget(SlotId slot);

  // The next occurrence. Also ends a wait for a respawn, and forgives a slot that gave up.
  // `conflict` when there is a process, or when shutdown has begun. A start that fails is an event,
  // too, and in a slot that recovers it is followed by another, as a death is.
  Status start(SlotId slot);

  // How the slot is filled from its next process on.
  void update(SlotId slot, SlotSpec spec);
  // The same; and a process that was started by a former spec is replaced, which is tried again
  // until it has worked. It finishes its work, and nothing cuts it short but the watchdog. The
  // owner is not told that a process is ready which is outdated already.
  void renew(SlotId slot, SlotSpec spec);

  // The slot is not wanted any more: its process finishes its work, then the slot is forgotten.
  void retire(SlotId slot);

  // Politely first; killed at the deadline. The slot stays down, whatever was going on.
  void request_stop(SlotId slot, Deadline deadline);

  // A new process for the old one, which leaves when its work is done or after `drain_timeout`.
  // Starts the slot when it has no process.
  Status replace(SlotId slot);

  // No respawn any more; everybody is asked to leave and killed at the deadline. A second call can
  // only shorten it.
  void begin_shutdown(Deadline deadline);
  // Returns when everybody has left, at the latest one second after the deadline.
  Async<ShutdownReport> shutdown_ended();

  [[nodiscard]] std::vector<SlotStatus> status() const;
  [[nodiscard]] std::vector<SlotId> slots() const;
  [[nodiscard]] SlotState state(SlotId slot) const;  // of a slot that is there
  [[nodiscard]] std::vector<pid_t> spares() const;   // started ahead and waiting
  // To send frames to that process; nullptr when it is gone.
  [[nodiscard]] std::shared_ptr<ipc::Channel> channel(SlotRef slot) const;

  // From any thread; handlers are called on the loop.
  [[nodiscard]] Subscription subscribe(EventHandler handler);

  // For slots that have none of their own; an empty one takes it back.
  void set_default_policy(RecoveryPolicy policy);
  void set_default_runner(RecoveryRunner runner);

 private:
  std::shared_ptr<Core> core_;  // shared with the coroutines under way
};

}  // namespace heddle::supervise
