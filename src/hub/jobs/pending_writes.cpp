#include "hub/jobs/pending_writes.hpp"

#include <utility>

#include <fmt/format.h>

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStatusStore;
using lifecycle::JobStep;

bool PendingWrites::can_defer(const Error& why) const {
  return why.code == ErrorCode::unavailable && tools_.store_retry.is_enabled();
}

Result<JobStatus> PendingWrites::defer(ManagedJob& entry, const JobStep& step, bool force) {
  const JobStatus& status = tools_.registry.status_of(entry);
  auto next = lifecycle::after_step(status, step, tools_.parts.clock.now());
  if (!next)
    return Error{ErrorCode::conflict, lifecycle::refusal(entry.job.name, status, step.action)};
  const bool is_pending = entry.pending_write.has_value();
  if (!is_pending || step.action == JobAction::stop)
    entry.pending_write = PendingWrite{step, force};
  quiesce_(entry, step.action == JobAction::stop ? Halt::stop : Halt::pause);
  if (!is_pending) tools_.spawn(write_when_possible(entry));
  return std::move(*next);
}

Async<void> PendingWrites::write_when_possible(ManagedJob& entry) {
  // A later action may replace the step, and the run may end before it is written.
  std::function<Async<Result<JobStatus>>()> attempt = [this, &entry] {
    JobStatusStore::Decide decide = [&entry](const JobStatus& status) -> Result<Steps> {
      const JobStep& step = entry.pending_write->step;
      if (lifecycle::find_transition(status.state, step.action, status.run.has_value()) == nullptr)
        return Steps();
      return Steps(1, step);
    };
    return tools_.registry.status_store().apply_decided(entry.job.id, std::move(decide));
  };
  auto written = co_await tools_.store_retry.retry<JobStatus>(
      fmt::format("job '{}'", entry.job.name), std::move(attempt));
  const PendingWrite done = *std::exchange(entry.pending_write, std::nullopt);
  if (!written) co_return tools_.parts.log.error(written.error().message);
  co_await on_written_(std::move(*written), done.force);
}

}  // namespace heddle::hub
