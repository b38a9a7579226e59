#include "worker/job_loader.hpp"

#include <random>

namespace heddle::worker {

using pipeline::JobState;

namespace {

bool is_current(const JobState& state, const Job& job) {
  if (state.plan.job.revision != job.revision) return false;
  return state.script == nullptr ||
         (state.script->host().is_up_to_date() && !state.script->vm().is_broken());
}

}  // namespace

Async<Result<std::shared_ptr<JobState>>> JobLoader::load(const Job& job) {
  auto& slot = jobs_[job.id];
  if (slot && is_current(*slot, job)) co_return slot;
  auto made = co_await make(job, false);
  if (made) {
    slot = *made;
    co_return slot;
  }
  if (!slot) co_return std::move(made).error().during("job '" + job.name + "'");
  services_.log.warn("job '" + job.name + "' keeps its former version: " + made.error().message);
  co_return slot;
}

Async<Result<std::shared_ptr<JobState>>> JobLoader::load_for_test(const Job& job) {
  co_return co_await make(job, true);
}

Async<Result<std::shared_ptr<JobState>>> JobLoader::make(const Job& job, bool is_test) {
  auto plan = pipeline::JobPlan::compile(job);
  if (!plan) co_return std::move(plan).error();
  auto proxies = net::ProxyPicker::make(job.proxy, std::random_device{}());
  if (!proxies) co_return std::move(proxies).error();
  auto state = std::make_shared<JobState>(std::move(*plan), std::move(*proxies));
  if (!job.cookie_file.empty()) {
    auto read = state->cookies.load(job.cookie_file);
    if (!read) services_.log.warn(read.error().message);
  }
  if (!is_test && job.scripts.files.empty()) co_return state;
  const Job& kept = state->plan.job;
  const pipeline::ScriptSetting setting{services_.project, kept,   services_.clock, services_.log,
                                        services_.parser,  is_test};
  const pipeline::ScriptReach reach{
      services_.client, services_.gate, scripts_,        services_.clock, kept,
      state->cookies,   state->proxies, services_.share, state->cycles};
  auto script = co_await pipeline::LoadedScript::load(setting, reach);
  if (!script) co_return std::move(script).error();
  state->script = std::move(*script);
  co_return state;
}

}  // namespace heddle::worker
