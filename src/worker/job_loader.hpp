// JobLoader creates and caches the sessions of jobs (plan, cookies, proxies, scripts) until the
// configuration, a script or a required module changes. Of jobs with scripts it keeps the
// script.max_loaded most recently used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "pipeline/scripts/script_services.hpp"
#include "pipeline/services.hpp"

namespace heddle::worker {

// One event loop. Callers share ownership of a session, so that running cycles keep the one they
// started with.
class JobLoader {
 public:
  // Both outlive the loader.
  JobLoader(const pipeline::CycleServices& services, pipeline::ScriptServices& scripts)
      : services_(services), scripts_(scripts) {}

  // When a changed script cannot be loaded, logs a warning and returns the previous session.
  Async<Result<std::shared_ptr<pipeline::JobSession>>> load(const Job& job);

  // An uncached session with the global `heddle`, for one script test.
  Async<Result<std::shared_ptr<pipeline::JobSession>>> load_for_test(const Job& job);

 private:
  struct Loaded {
    std::shared_ptr<pipeline::JobSession> session;  // null during the first load
    std::uint64_t last_use = 0;
    std::string mistake{};  // why the present version cannot be loaded
  };

  Async<Result<std::shared_ptr<pipeline::JobSession>>> make(const Job& job, bool is_test);
  void evict_idle_scripts();

  const pipeline::CycleServices& services_;
  pipeline::ScriptServices& scripts_;
  std::map<JobId, Loaded> jobs_;
  std::uint64_t uses_ = 0;
};

}  // namespace heddle::worker
