// Begins and ends runs in the store, and tidies up what a crash left behind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "lifecycle/verdict.hpp"
#include "model/job.hpp"
#include "model/run.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

struct BegunRun {
  Run run;
  bool is_cut_short = false;  // more pages than `limits.pages_per_run`: the rest was left out
};

inline constexpr std::string_view kLimited = "limited";  // the kind of such a run's error

// The same of a run that has not ended, whoever began it.
bool was_cut_short(const Run& run);

// One event loop; store and clock must outlive it.
class RunKeeper {
 public:
  RunKeeper(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Ends runs of a job whose process died, as failed, before a new run takes their place. Call only
  // while holding the project's lock: nobody else can be working on them then. Returns how many
  // there were.
  Async<Result<std::size_t>> settle_leftovers(JobId job);

  // One task per url of a list; for a single url one task per worker.
  Async<Result<BegunRun>> begin(const Job& job, std::string trigger, int attempt = 1);

  Async<Result<Run>> end(RunId run, RunFacts facts, std::vector<RunError> errors);

 private:
  store::Store& store_;
  const Clock& clock_;
};

}  // namespace heddle::lifecycle
