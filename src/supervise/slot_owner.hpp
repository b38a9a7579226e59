// Who works with the processes of the slots. All calls come on the supervisor's loop.
#pragma once

#include "base/async.hpp"
#include "ipc/frame.hpp"
#include "supervise/process_event.hpp"

namespace heddle::supervise {

class SlotOwner {
 public:
  virtual ~SlotOwner() = default;

  // From now on the slot's work goes to this occurrence; an older one may still be finishing its
  // own. Not called for one that Supervisor::renew() has outdated while it started.
  virtual void on_ready(SlotRef slot) = 0;

  // The frames of one process in order, one at a time: the next is read when this call has
  // returned. None comes after the event of its death.
  virtual Async<void> on_frame(SlotRef slot, ipc::Frame frame) = 0;

  virtual void on_event(const ProcessEvent& event) = 0;
};

}  // namespace heddle::supervise
