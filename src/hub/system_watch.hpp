// Looks at the whole system every few seconds and keeps its alerts: what is under way and waits
// (the store), how workers and loop do (asked of the owner), how runs compare with those before
// them. One event loop; what it is given outlives it.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "hub/alert_book.hpp"
#include "hub/alert_judge.hpp"
#include "hub/driver_parts.hpp"
#include "hub/run_desk.hpp"
#include "hub/system_symptoms.hpp"
#include "store/store.hpp"

namespace heddle::hub {

// What only the daemon itself knows.
struct MachineFacts {
  std::vector<WorkerFacts> workers;
  std::vector<RunProgress> runs;
  WaitingRuns waiting;
  std::chrono::microseconds loop_latency{0};
};

struct WatchParts {
  store::Store& store;
  const Clock& clock;
  Log& log;
  std::function<MachineFacts()> ask_machine;
  // Whether runs of the job may come: it is not deleted, stopped or archived.
  std::function<bool(const JobId&)> may_run;
};

class SystemWatch {
 public:
  SystemWatch(WatchParts parts, AlertBook& book, SymptomRules rules);

  void set_rules(SymptomRules rules) { rules_ = rules; }

  // Looks now and then, until stop().
  Async<void> watch();
  void stop();
  // One look, for those who have a clock of their own. Not while another one goes on.
  Async<Status> look();

  // A run has ended: compared with those of its job before it at the next look.
  void note_run_end(const Run& run);

  // How full the storage is: nullopt when there is enough room. Kept until it is said again; the
  // alert of a former daemon stays as it is until then.
  void note_storage(std::optional<AlertLevel> level, std::string text);

  // As seen at the last look.
  [[nodiscard]] const store::SystemLoad& load() const { return load_; }

 private:
  // A run in progress, for as long as it is seen at every look.
  struct Track {
    std::uint64_t steps = 0;
    WallTime moved{};  // when the steps were last seen to change
    WallTime first_seen{};
    std::optional<std::chrono::milliseconds> longest;  // before it is unusual
    bool is_compared = false;
    bool is_slow = false;
  };
  struct Ended {
    JobId job;
    RunFigures figures;
    bool was_slow = false;
  };

  void follow_runs(const MachineFacts& machine, WallTime now);
  [[nodiscard]] SystemFacts facts_of(const MachineFacts& machine, WallTime now) const;
  [[nodiscard]] std::set<std::string> judged_keys() const;
  Async<Status> judge(const SystemFacts& facts, WallTime now);
  Async<Status> forget_jobs(WallTime now);
  Async<Status> compare_running(WallTime now);
  Async<Status> compare_ended(WallTime now);
  Async<Status> compare(Ended ended, WallTime now);

  WatchParts parts_;
  AlertBook& book_;
  SymptomRules rules_;
  AlertJudge judge_;
  store::SystemLoad load_;
  std::map<RunId, Track> tracks_;
  std::deque<Ended> ended_;
  bool knows_storage_ = false;
  std::optional<Symptom> storage_;
  bool is_stopped_ = false;
  Doorbell wake_;
};

}  // namespace heddle::hub
