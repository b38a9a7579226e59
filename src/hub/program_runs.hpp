// Runs with programs in them: of command and service jobs, and of any job that has hooks around its
// runs. Whatever has neither goes to the office of pages as it is. One event loop; everything it is
// given outlives it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "commands/hooked_run.hpp"
#include "commands/patient_journal.hpp"
#include "commands/run_parts.hpp"
#include "hub/job_runs.hpp"
#include "hub/program_tally.hpp"
#include "hub/run_office.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct ProgramRunsParts {
  JobRuns& pages;
  store::Store& store;
  store::RunJournal& journal;
  ProgramTally& tally;
  commands::ProgramHouse& house;
  const Clock& clock;
  Log& log;
  // Goes on trying while the store cannot be written. Otherwise runs end: somebody is waiting.
  bool waits_for_store = true;
};

class ProgramRuns final : public RunOffice {
 public:
  ProgramRuns(boost::asio::any_io_executor loop, ProgramRunsParts parts);

  Async<Result<Run>> begin(Job job, std::string trigger, int attempt,
                           std::optional<std::int64_t> pages_left) override;
  Async<Result<Run>> begin_of_letters(Job job, RunId id, std::vector<LetterId> letters) override;
  Async<Result<bool>> prepare(Job job, Run run, std::function<void()> on_listed) override;
  Async<Result<FinishedRun>> go_on(Job job, Run run, RunFollower* follower,
                                   std::function<void()> on_listed) override;
  void halt(const RunId& run, Halt how) override;
  bool force(const RunId& run) override;
  void forgive(const JobId& job) override { parts_.pages.forgive(job); }
  [[nodiscard]] bool has_course(const Job& job) const override;

  // The daemon ends: programs are asked to end, hooks that run may finish.
  void leave();
  // Returns when nothing is under way, or at that time.
  Async<void> idle(Deadline deadline);
  // What is left is killed; the next daemon goes on from there.
  void abandon();
  // Every run is cancelled.
  void cancel_all();
  [[nodiscard]] std::size_t under_way() const { return runs_.size(); }

 private:
  using HookedRun = commands::HookedRun;
  class PageWork;
  struct Active;

  // Of this run, begun now or before.
  std::shared_ptr<Active> open(const Job& job, const Run& run);
  Async<Result<FinishedRun>> finish(Active& active, commands::HookedEnd end);
  commands::HookedRun::MakeWork make_work(const std::shared_ptr<Active>& active,
                                          RunFollower* follower);
  void close(const RunId& run);

  ProgramRunsParts parts_;
  bool is_leaving_ = false;
  TallyingJournal tallying_;
  commands::PatientJournal journal_;
  commands::RunParts run_parts_;
  std::map<RunId, std::shared_ptr<Active>> runs_;
  Doorbell run_over_;
};

}  // namespace heddle::hub
