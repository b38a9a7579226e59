#include "worker/job_loader.hpp"

#include <algorithm>
#include <random>

namespace heddle::worker {

using pipeline::JobSession;

namespace {

bool is_current(const JobSession& session, const Job& job) {
  if (session.plan.job.version() != job.version()) return false;
  return session.script == nullptr ||
         (session.script->host().is_up_to_date() && !session.script->vm().is_broken());
}

}  // namespace

Async<Result<std::shared_ptr<JobSession>>> JobLoader::load(const Job& job) {
  Loaded& loaded = jobs_[job.id];
  loaded.last_use = ++uses_;
  const auto previous = loaded.session;
  if (previous && is_current(*previous, job)) co_return previous;
  auto made = co_await make(job, false);
  if (made) {
    jobs_[job.id] = {*made, ++uses_};  // looked up again: it may have been evicted meanwhile
    evict_idle_scripts();
    co_return *made;
  }
  if (!previous) co_return std::move(made).error().during("job '" + job.name + "'");
  std::string& mistake = jobs_[job.id].mistake;  // each once, not with every run
  if (mistake == made.error().message) co_return previous;
  mistake = made.error().message;
  services_.log.warn("job '" + job.name + "' keeps its previous version: " + mistake);
  co_return previous;
}

// Evicts the least recently used first; never a session in use.
void JobLoader::evict_idle_scripts() {
  const auto has_script = [](const auto& job) {
    return job.second.session != nullptr && job.second.session->script != nullptr;
  };
  auto count = std::count_if(jobs_.begin(), jobs_.end(), has_script);
  for (; count > services_.project.script.max_loaded; --count) {
    auto oldest = jobs_.end();
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job) {
      if (!has_script(*job) || job->second.session.use_count() > 1) continue;
      if (oldest == jobs_.end() || job->second.last_use < oldest->second.last_use) oldest = job;
    }
    if (oldest == jobs_.end()) return;
    jobs_.erase(oldest);
  }
}

Async<Result<std::shared_ptr<JobSession>>> JobLoader::load_for_test(const Job& job) {
  co_return co_await make(job, true);
}

Async<Result<std::shared_ptr<JobSession>>> JobLoader::make(const Job& job, bool is_test) {
  auto plan = pipeline::JobPlan::compile(job);
  if (!plan) co_return std::move(plan).error();
  auto proxies = net::ProxyPicker::make(job.proxy, std::random_device{}());
  if (!proxies) co_return std::move(proxies).error();
  auto session = std::make_shared<JobSession>(std::move(*plan), std::move(*proxies));
  if (!job.cookie_file.empty()) {
    auto read = session->cookies.load(job.cookie_file);
    if (!read) services_.log.warn(read.error().message);
  }
  if (!is_test && job.scripts.files.empty()) co_return session;
  const Job& kept = session->plan.job;
  const pipeline::ScriptEnvironment environment{
      services_.project, kept, services_.clock, services_.log, services_.parser, is_test};
  const pipeline::ScriptResources resources{
      services_.client, services_.gate,   scripts_,           services_.clock, kept,
      session->cookies, session->proxies, services_.activity, session->cycles, session->cpu_used};
  auto script = co_await pipeline::LoadedScript::load(environment, resources);
  if (!script) co_return std::move(script).error();
  session->set_script(std::move(*script));
  co_return session;
}

}  // namespace heddle::worker
