// Receives frames and events of supervised processes. All calls come on the supervisor's loop.
#pragma once

#include "base/async.hpp"
#include "ipc/frame.hpp"
#include "supervise/slot_event.hpp"

namespace heddle::supervise {

class SlotOwner {
 public:
  virtual ~SlotOwner() = default;

  // The slot's work goes to this occurrence from now on; an older one may still finish its own.
  // Not called for a process that Supervisor::renew() outdated during its start.
  virtual void on_ready(SlotRef slot) = 0;

  // Called with the frames of one process in order; the next one is read when this call has
  // returned. No frame follows the event of its death.
  virtual Async<void> on_frame(SlotRef slot, ipc::Frame frame) = 0;

  virtual void on_event(const SlotEvent& event) = 0;
};

}  // namespace heddle::supervise
