// Supervises processes in slots: starts them, reports every death once, respawns by policy,
// replaces and stops them. One event loop, whose thread must outlive the processes: the kernel
// kills them with it. The destructor kills the remaining processes.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/channel.hpp"
#include "supervise/recovery/respawn.hpp"
#include "supervise/slot_event_stream.hpp"
#include "supervise/slot_owner.hpp"
#include "supervise/slot_spec.hpp"

namespace heddle::supervise {

class SupervisorCore;

// A process killed at the deadline; `is_gone` false: it survived SIGKILL so far.
struct Straggler {
  SlotRef slot{};
  std::string name{};
  int number = 0;
  pid_t pid = 0;
  bool is_gone = true;
};

struct StopReport {
  std::vector<Straggler> killed{};
};

class Supervisor {
 public:
  // The references outlive the loop's last handler; `owner` may be null.
  Supervisor(boost::asio::any_io_executor executor, Log& log, const Clock& clock,
             SlotOwner* owner = nullptr);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  SlotId add(SlotSpec spec);
  // False while the slot has a process.
  bool remove(SlotId slot);

  // Starts the next occurrence, also during a respawn delay or after the slot gave up.
  // `conflict`: the slot has a process, or shutdown has begun. A failed start is also an event, and
  // a slot that recovers retries it like a death.
  Status start(SlotId slot);

  // Changes the spec for the next process of the slot.
  void update(SlotId slot, SlotSpec spec);
  // Does the same and replaces a process with an older spec; retries until that has succeeded. The
  // old process finishes its work; only the watchdog and a long timeout kill it. The owner gets no
  // on_ready() for a process that is already outdated.
  void renew(SlotId slot, SlotSpec spec);

  // Removes the slot once its process has finished its work.
  void retire(SlotId slot);

  // Requests a stop and kills at the deadline. Cancels a respawn or replacement; the slot stays
  // down.
  void request_stop(SlotId slot, Deadline deadline);

  // Replaces the process; the old one exits when its work is done or after `drain_timeout`. Starts
  // the slot when it has no process.
  Status replace(SlotId slot);

  // Respawns nothing any more, requests all processes to stop and kills them at the deadline. A
  // second call can only shorten the deadline.
  void begin_shutdown(Deadline deadline);
  // Returns when all processes have exited, at the latest one second after the deadline.
  Async<StopReport> shutdown_ended();

  [[nodiscard]] std::vector<SlotStatus> status() const;
  [[nodiscard]] std::vector<SlotId> slots() const;
  [[nodiscard]] SlotState state(SlotId slot) const;  // of an existing slot
  [[nodiscard]] std::vector<pid_t> spares() const;   // attached, without a slot
  // For sending frames to that process; nullptr when it is gone.
  [[nodiscard]] std::shared_ptr<ipc::Channel> channel(SlotRef slot) const;

  // Any thread; handlers are called on the loop.
  [[nodiscard]] Subscription subscribe(SlotEventHandler handler);

  // For slots without their own; an empty function removes the default.
  void set_default_policy(RespawnPolicy policy);
  void set_default_runner(RespawnRunner runner);

 private:
  std::shared_ptr<SupervisorCore> core_;  // shared with running coroutines
};

}  // namespace heddle::supervise
