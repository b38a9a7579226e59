// What a cycle uses: the engine's services, and the job's session, which outlives its cycles.
#pragma once

#include "base/log/log.hpp"
#include "base/time.hpp"
#include "html/parse.hpp"
#include "net/client.hpp"
#include "net/cookie_jar.hpp"
#include "net/hosts/host_gate.hpp"
#include "net/proxy_rotation.hpp"
#include "net/robots/robots_cache.hpp"
#include "pipeline/fetch/shared_downloads.hpp"
#include "pipeline/job_plan.hpp"
#include "pipeline/loop_activity.hpp"
#include "pipeline/reservations.hpp"
#include "pipeline/scripts/loaded_script.hpp"
#include "store/page_store.hpp"

namespace heddle::pipeline {

// All on one event loop; everything outlives the cycles that use it.
struct CycleServices {
  net::Client& client;
  net::HostGate& gate;
  net::RobotsCache& robots;
  store::PageStore& store;
  html::Parser& parser;
  const Project& project;
  const Clock& clock;
  Log& log;
  LoopActivity& activity;
  SharedDownloads& downloads;
};

// A loaded job: plan, cookies, proxies and script, shared by all of its cycles.
struct JobSession {
  JobSession(JobPlan compiled, net::ProxyPicker picker)
      : plan(std::move(compiled)), proxies(std::move(picker)) {}

  void set_script(std::unique_ptr<LoadedScript> loaded);

  JobPlan plan;
  net::CookieJar cookies;
  net::ProxyPicker proxies;
  Reservations reservations;
  std::size_t cycles = 0;                // in flight
  std::chrono::nanoseconds cpu_used{0};  // not yet charged: see take_cost()
  bool shares_pages = false;             // another job fetches some of its pages too
  std::unique_ptr<LoadedScript> script;  // null: the job has none
};

// Returns the CPU time since the last call. Cycles are concurrent: the cost of one may be charged
// to another's page, but the sum over a run is right.
PageCost take_cost(JobSession& job);

}  // namespace heddle::pipeline
