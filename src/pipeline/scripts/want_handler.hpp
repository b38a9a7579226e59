// WantHandler carries out what scripts want with the engine's client, guard, host gate and jail.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/async.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "net/client.hpp"
#include "net/cookie_jar.hpp"
#include "net/hosts/host_gate.hpp"
#include "net/proxy_rotation.hpp"
#include "pipeline/loop_activity.hpp"
#include "pipeline/scripts/script_services.hpp"
#include "script/want.hpp"

namespace heddle::pipeline {

class ScriptFiles;

// What a script can use through its job; all of it outlives the WantHandler.
struct ScriptResources {
  net::Client& client;
  net::HostGate& gate;
  ScriptServices& services;
  const Clock& clock;
  const Job& job;
  net::CookieJar& cookies;
  net::ProxyPicker& proxies;
  const LoopActivity& activity;
  const std::size_t& cycles;           // in flight, of this job
  std::chrono::nanoseconds& cpu_used;  // CPU time of this job
};

// Returns an answer by the deadline. Never throws for what a script or a server does. One event
// loop.
class WantHandler {
 public:
  // `files` is shared with file actions that outlive their deadline.
  WantHandler(const ScriptResources& resources, std::shared_ptr<const ScriptFiles> files)
      : resources_(resources), files_(std::move(files)) {}

  Async<script::Answer> handle(script::Want want, Deadline deadline);

  // For heddle.run_cycle; only set in script tests.
  using CycleRunner = std::function<Async<script::Answer>(script::CycleWant)>;
  void set_cycle_runner(CycleRunner runner) { run_cycle_ = std::move(runner); }

 private:
  Async<script::Answer> fetch(script::HttpWant want, Deadline deadline);
  Async<script::Answer> probe(script::TlsWant want, Deadline deadline);
  Async<script::Answer> sleep(script::SleepWant want, Deadline deadline);
  Async<script::Answer> key_value(script::KeyValueWant want, Deadline deadline);
  Async<script::Answer> sql(script::SqlWant want, Deadline deadline);
  Async<script::Answer> file(script::FileWant want, Deadline deadline);
  Async<script::Answer> notify(script::NotifyWant want);

  ScriptResources resources_;
  std::shared_ptr<const ScriptFiles> files_;
  CycleRunner run_cycle_;
};

}  // namespace heddle::pipeline
