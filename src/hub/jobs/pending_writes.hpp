// PendingWrites accepts pauses and stops while the store is not writable: they take effect
// immediately and are written as soon as possible. A daemon that ends before that forgets them.
// Single event loop; everything passed in outlives it.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/scheduler_tools.hpp"

namespace heddle::hub {

class PendingWrites {
 public:
  // `quiesce`: stops starting anything of the job. `on_written`: the effects of the stored step.
  PendingWrites(const SchedulerTools& tools, std::function<void(ManagedJob&, Halt)> quiesce,
                std::function<Async<void>(JobStatus, bool force)> on_written)
      : tools_(tools), quiesce_(std::move(quiesce)), on_written_(std::move(on_written)) {}

  // Whether the store caused the error and writes are retried.
  [[nodiscard]] bool can_defer(const Error& why) const;

  // Returns the status as it will be written; an error when the table forbids the step.
  Result<JobStatus> defer(ManagedJob& entry, const lifecycle::JobStep& step, bool force);

 private:
  Async<void> write_when_possible(ManagedJob& entry);

  const SchedulerTools& tools_;
  std::function<void(ManagedJob&, Halt)> quiesce_;
  std::function<Async<void>(JobStatus, bool force)> on_written_;
};

}  // namespace heddle::hub
