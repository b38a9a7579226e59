// Retries writes to a journal that is unavailable, for example on a full disk: results of programs
// must not be lost, and nothing starts without a record. One event loop; journal and log outlive
// it.
#pragma once

#include <functional>

#include "base/log/log.hpp"
#include "store/run_journal.hpp"

namespace heddle::commands {

class RetryingJournal final : public store::RunJournal {
 public:
  // `should_retry` is called after each failed attempt.
  RetryingJournal(store::RunJournal& journal, Log& log, std::function<bool()> should_retry)
      : journal_(journal), log_(log), should_retry_(std::move(should_retry)) {}

  Async<Status> record_process(ProcessRecord process) override;
  Async<Status> record_hook(HookRecord hook) override;
  Async<Status> record_stage(RunId run, RunStageRecord record) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

 private:
  Async<Status> retry(std::function<Async<Status>()> attempt);

  store::RunJournal& journal_;
  Log& log_;
  std::function<bool()> should_retry_;
};

}  // namespace heddle::commands
