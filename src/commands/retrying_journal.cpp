#include "commands/retrying_journal.hpp"

#include <algorithm>
#include <chrono>

#include "base/pause.hpp"

namespace heddle::commands {

namespace {

constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{5000};

}  // namespace

Async<Status> RetryingJournal::retry(std::function<Async<Status>()> attempt) {
  std::chrono::milliseconds pause{0};
  while (true) {
    auto done = co_await attempt();
    if (done || done.error().code != ErrorCode::unavailable || !should_retry_()) co_return done;
    if (pause == std::chrono::milliseconds(0))
      log_.error("a program waits until the database can be written: " + done.error().message);
    pause = std::clamp(pause * 2, kFirstPause, kLongestPause);
    co_await pause_for(pause);
  }
}

Async<Status> RetryingJournal::record_process(ProcessRecord process) {
  std::function<Async<Status>()> attempt = [this, &process] {
    return journal_.record_process(process);
  };
  co_return co_await retry(std::move(attempt));
}

Async<Status> RetryingJournal::record_hook(HookRecord hook) {
  std::function<Async<Status>()> attempt = [this, &hook] { return journal_.record_hook(hook); };
  co_return co_await retry(std::move(attempt));
}

Async<Status> RetryingJournal::record_stage(RunId run, RunStageRecord record) {
  std::function<Async<Status>()> attempt = [this, &run, &record] {
    return journal_.record_stage(run, record);
  };
  co_return co_await retry(std::move(attempt));
}

Async<Result<ProgramHistory>> RetryingJournal::program_history(RunId run) {
  return journal_.program_history(std::move(run));
}

}  // namespace heddle::commands
