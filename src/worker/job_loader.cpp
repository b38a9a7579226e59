#include "worker/job_loader.hpp"

#include <algorithm>
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
  Loaded& loaded = jobs_[job.id];
  loaded.last_use = ++uses_;
  const auto former = loaded.state;
  if (former && is_current(*former, job)) co_return former;
  auto made = co_await make(job, false);
  if (made) {
    jobs_[job.id] = {*made, ++uses_};  // anew: it may have been dropped meanwhile
    drop_idle_scripts();
    co_return *made;
  }
  if (!former) co_return std::move(made).error().during("job '" + job.name + "'");
  services_.log.warn("job '" + job.name + "' keeps its former version: " + made.error().message);
  co_return former;
}

// Those that were not used for longest go first; one that runs is never dropped.
void JobLoader::drop_idle_scripts() {
  const auto has_script = [](const auto& job) {
    return job.second.state != nullptr && job.second.state->script != nullptr;
  };
  auto count = std::count_if(jobs_.begin(), jobs_.end(), has_script);
  for (; count > services_.project.script.max_loaded; --count) {
    auto oldest = jobs_.end();
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job) {
      if (!has_script(*job) || job->second.state.use_count() > 1) continue;
      if (oldest == jobs_.end() || job->second.last_use < oldest->second.last_use) oldest = job;
    }
    if (oldest == jobs_.end()) return;
    jobs_.erase(oldest);
  }
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
      state->cookies,   state->proxies, services_.share, state->cycles,   state->computed};
  auto script = co_await pipeline::LoadedScript::load(setting, reach);
  if (!script) co_return std::move(script).error();
  state->use(std::move(*script));
  co_return state;
}

}  // namespace heddle::worker
