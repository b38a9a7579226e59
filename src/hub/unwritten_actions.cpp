#include "hub/unwritten_actions.hpp"

#include <utility>

#include <fmt/format.h>

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

bool UnwrittenActions::holds_back(const Error& why) const {
  return why.code == ErrorCode::unavailable && tools_.patience.is_endless();
}

Result<JobLife> UnwrittenActions::take(JobEntry& entry, const JobStep& step, bool at_once) {
  const JobLife& life = tools_.book.life_of(entry);
  auto next = lifecycle::after_step(life, step, tools_.parts.clock.now());
  if (!next)
    return Error{ErrorCode::conflict, lifecycle::refusal(entry.job.name, life, step.action)};
  const bool is_waiting = entry.unwritten.has_value();
  if (!is_waiting || step.action == JobAction::stop) entry.unwritten = UnwrittenStep{step, at_once};
  rest_(entry, step.action == JobAction::stop ? Halt::stop : Halt::pause);
  if (!is_waiting) tools_.spawn(write_later(entry));
  return std::move(*next);
}

Async<void> UnwrittenActions::write_later(JobEntry& entry) {
  // What is wanted may become more meanwhile, and its run may have ended before it is written.
  std::function<Async<Result<JobLife>>()> attempt = [this, &entry] {
    JobKeeper::Decide decide = [&entry](const JobLife& life) -> Result<Steps> {
      const JobStep& step = entry.unwritten->step;
      if (lifecycle::find_row(life.state, step.action, life.run.has_value()) == nullptr)
        return Steps();
      return Steps(1, step);
    };
    return tools_.book.keeper().decide(entry.job.id, std::move(decide));
  };
  auto written = co_await tools_.patience.insist<JobLife>(fmt::format("job '{}'", entry.job.name),
                                                          std::move(attempt));
  const UnwrittenStep done = *std::exchange(entry.unwritten, std::nullopt);
  if (!written) co_return tools_.parts.log.error(written.error().message);
  co_await on_written_(std::move(*written), done.at_once);
}

}  // namespace heddle::hub
