// Goes on trying while a journal cannot be written, because the disk is full, say: what a program
// did must not be lost, and nothing is started unseen. One event loop; both outlive it.
#pragma once

#include <functional>

#include "base/log.hpp"
#include "store/run_journal.hpp"

namespace heddle::commands {

class PatientJournal final : public store::RunJournal {
 public:
  // `is_worth_it`: whether to try again.
  PatientJournal(store::RunJournal& journal, Log& log, std::function<bool()> is_worth_it)
      : journal_(journal), log_(log), is_worth_it_(std::move(is_worth_it)) {}

  Async<Status> note_process(ProcessRecord process) override;
  Async<Status> note_hook(HookRecord hook) override;
  Async<Status> note_course(RunId run, RunCourse course) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

 private:
  Async<Status> insist(std::function<Async<Status>()> attempt);

  store::RunJournal& journal_;
  Log& log_;
  std::function<bool()> is_worth_it_;
};

}  // namespace heddle::commands
