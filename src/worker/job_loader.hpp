// Makes jobs ready to run and keeps them so: plan, cookies, proxies and loaded scripts, until the
// job's configuration, a script or a module it requires has changed. Of jobs with scripts it keeps
// at most script.max_loaded, those used last.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "pipeline/scripts/script_services.hpp"
#include "pipeline/services.hpp"

namespace heddle::worker {

// One event loop. A job that was handed out stays whole until its last user lets go of it, so no
// cycle is cut in half.
class JobLoader {
 public:
  // All of it outlives the loader.
  JobLoader(const pipeline::Services& services, pipeline::ScriptServices& scripts)
      : services_(services), scripts_(scripts) {}

  // With a script that cannot be loaded any more the former version of the job goes on, and the
  // log says so.
  Async<Result<std::shared_ptr<pipeline::JobState>>> load(const Job& job);

  // Fresh and with the global `heddle`: for one script test.
  Async<Result<std::shared_ptr<pipeline::JobState>>> load_for_test(const Job& job);

 private:
  struct Loaded {
    std::shared_ptr<pipeline::JobState> state;  // null while it is loaded for the first time
    std::uint64_t last_use = 0;
  };

  Async<Result<std::shared_ptr<pipeline::JobState>>> make(const Job& job, bool is_test);
  void drop_idle_scripts();

  const pipeline::Services& services_;
  pipeline::ScriptServices& scripts_;
  std::map<JobId, Loaded> jobs_;
  std::uint64_t uses_ = 0;
};

}  // namespace heddle::worker
