// RunSlots limits how many jobs run at once and queues the others in the order of their requests.
// Single event loop; the entries outlive it, and it outlives every held slot.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/wake_signal.hpp"
#include "hub/jobs/scheduler_parts.hpp"

namespace heddle::hub {

class RunSlots {
 public:
  // The job is busy while this exists.
  using HeldRunSlot = std::shared_ptr<ManagedJob>;
  // Called when a slot is free for the job's queued run.
  using Start = std::function<void(ManagedJob&, RunTrigger trigger, HeldRunSlot slot)>;

  RunSlots(std::size_t limit, Start start) : limit_(limit), start_(std::move(start)) {}

  void set_limit(std::size_t limit);
  // Always succeeds, even above the limit.
  HeldRunSlot acquire(ManagedJob& entry);
  [[nodiscard]] bool is_full() const { return in_use_ >= limit_; }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }

  // Starts a run of the job when a slot is free and its previous run has ended.
  void enqueue(ManagedJob& entry, RunTrigger trigger, WallTime since);
  void remove_from_queue(ManagedJob& entry);
  [[nodiscard]] QueuedRuns queued() const;

  // Nothing starts after this.
  void close();
  [[nodiscard]] bool is_closed() const { return is_closed_; }

  // Rings when a slot is released.
  [[nodiscard]] WakeSignal& released() { return released_; }
  // Returns when no slot is held.
  Async<void> idle();

 private:
  void release(ManagedJob& entry);
  void start_queued();

  std::size_t limit_;
  Start start_;
  std::deque<ManagedJob*> queue_;
  std::size_t in_use_ = 0;
  bool is_closed_ = false;
  WakeSignal released_;
};

}  // namespace heddle::hub
