// What a cycle is given: the engine's services and the job's own state between its cycles.
#pragma once

#include "base/log.hpp"
#include "base/time.hpp"
#include "html/parse.hpp"
#include "net/client.hpp"
#include "net/cookie_jar.hpp"
#include "net/host_gate.hpp"
#include "net/proxy_rotation.hpp"
#include "net/robots_cache.hpp"
#include "pipeline/job_plan.hpp"
#include "pipeline/loop_share.hpp"
#include "pipeline/reservations.hpp"
#include "pipeline/scripts/loaded_script.hpp"
#include "pipeline/shared_downloads.hpp"
#include "store/page_store.hpp"

namespace heddle::pipeline {

// All on one event loop; everything outlives the cycles that use it.
struct Services {
  net::Client& client;
  net::HostGate& gate;
  net::RobotsCache& robots;
  store::PageStore& store;
  html::Parser& parser;
  const Project& project;
  const Clock& clock;
  Log& log;
  LoopShare& share;
  SharedDownloads& downloads;
};

// Lives as long as the job is loaded; shared by all of its cycles.
struct JobState {
  JobState(JobPlan compiled, net::ProxyPicker picker)
      : plan(std::move(compiled)), proxies(std::move(picker)) {}

  void use(std::unique_ptr<LoadedScript> loaded);

  JobPlan plan;
  net::CookieJar cookies;
  net::ProxyPicker proxies;
  Reservations reservations;
  std::size_t cycles = 0;                // under way
  std::chrono::nanoseconds computed{0};  // for its pages, and not told yet: see take_cost()
  bool shares_pages = false;             // another job fetches some of its pages too
  std::unique_ptr<LoadedScript> script;  // null: the job has none
};

// What was computed for the job since the last call. Cycles run side by side: what one of them took
// may be told with another's page, the sum over a run is right.
inline PageCost take_cost(JobState& job) {
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(job.computed);
  job.computed -= whole;
  return {.cpu = whole};
}

}  // namespace heddle::pipeline
