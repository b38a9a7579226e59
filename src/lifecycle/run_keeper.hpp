// Begins and ends runs in the store, and tidies up what a crash left behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "lifecycle/verdict.hpp"
#include "model/dead_letter.hpp"
#include "model/job.hpp"
#include "model/run.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

struct BegunRun {
  Run run;
  bool is_cut_short = false;  // more pages than a limit allows: the rest was left out
};

inline constexpr std::string_view kLimited = "limited";  // the kind of such a run's error

// The same of a run that has not ended, whoever began it.
bool was_cut_short(const Run& run);

// The trigger of a run over the pages of dead letters: it says nothing about the job as a whole.
inline constexpr std::string_view kDeadLetterTrigger = "dead_letter";

// One event loop; store and clock must outlive it.
class RunKeeper {
 public:
  RunKeeper(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Ends runs of a job whose process died, as failed, before a new run takes their place. Call only
  // while holding the project's lock: nobody else can be working on them then. Returns how many
  // there were.
  Async<Result<std::size_t>> settle_leftovers(JobId job);

  // One task per url of a list; for a single url one task per worker. `pages_left`: what is left of
  // `limits.pages_per_day`.
  Async<Result<BegunRun>> begin(const Job& job, std::string trigger, int attempt = 1,
                                std::optional<std::int64_t> pages_left = std::nullopt);

  // Only the pages of these letters, which go when the run is written down; at most as many as a
  // run may have. The id is given: the job's life speaks of the run before it is there.
  Async<Result<Run>> begin_of_letters(const Job& job, RunId id, std::vector<LetterId> letters);

  Async<Result<Run>> end(RunId run, RunFacts facts, std::vector<RunError> errors);

 private:
  Async<Status> remember(const Job& job);

  store::Store& store_;
  const Clock& clock_;
};

}  // namespace heddle::lifecycle
