#include "pipeline/scripts/loaded_script.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::pipeline {

namespace asio = boost::asio;
using script::ScriptHook;

namespace {

constexpr int kMaxPauseSlices = 20;  // so that the script makes progress as well

script::ScriptLimits limits_of(const ScriptRules& rules) {
  script::ScriptLimits limits;
  limits.cpu = rules.cpu_limit;
  limits.wall = rules.wall_limit;
  limits.memory = static_cast<std::size_t>(rules.memory);
  limits.slice = rules.slice;
  return limits;
}

script::JobScriptSettings settings_of(const ScriptEnvironment& environment) {
  script::JobScriptSettings settings = script_settings(environment.project, environment.parser);
  settings.is_test = environment.is_test;
  return settings;
}

std::shared_ptr<const ScriptFiles> files_of(const ScriptEnvironment& environment,
                                            const std::shared_ptr<const FileJail>& jail) {
  if (!environment.is_test) return std::make_shared<const ScriptFiles>(jail);
  const std::filesystem::path scratch = environment.project.data_dir / "test-files";
  JailFolders folders{environment.project.root, scratch / "job", scratch / "shared"};
  return std::make_shared<const ScriptFiles>(jail, std::move(folders));
}

Result<script::ScriptSource> read_script(const Project& project,
                                         const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  script::ScriptSource source;
  source.name = file.lexically_relative(project.root).generic_string();
  source.text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in) return Error{ErrorCode::not_found, source.name + ": cannot be read"};
  return source;
}

}  // namespace

LoadedScript::LoadedScript(const ScriptEnvironment& environment, const ScriptResources& resources)
    : activity_(resources.activity),
      mark_(mark_of(resources.job.id)),
      own_cycles_(resources.cycles),
      cpu_used_(resources.cpu_used),
      slice_(environment.project.script.slice),
      host_(environment.project, environment.job, environment.clock, environment.log),
      want_handler_(resources, files_of(environment, host_.jail())) {}

LoadedScript::~LoadedScript() = default;

Async<Result<std::unique_ptr<LoadedScript>>> LoadedScript::load(
    const ScriptEnvironment& environment, const ScriptResources& resources) {
  auto sources = read_scripts(environment.project, environment.job, environment.is_test);
  if (!sources) co_return std::move(sources).error();
  std::unique_ptr<LoadedScript> loaded(new LoadedScript(environment, resources));
  auto vm = script::JobScript::make(settings_of(environment), loaded->host_);
  if (!vm) co_return std::move(vm).error();
  loaded->vm_ = std::move(*vm);
  for (script::ScriptSource& source : *sources) {
    auto done = co_await loaded->load_file(std::move(source));
    if (!done) co_return std::move(done).error();
  }
  loaded->vm_->find_hooks();
  co_return loaded;
}

Async<Status> LoadedScript::load_file(script::ScriptSource source) {
  auto end = co_await run(vm_->load(std::move(source)));
  if (end.error) co_return std::move(*end.error);
  co_return Done{};
}

bool LoadedScript::reads_pages() const {
  for (const ScriptHook hook :
       {ScriptHook::after_fetch, ScriptHook::override_extract, ScriptHook::after_extract,
        ScriptHook::filter_item, ScriptHook::before_store, ScriptHook::before_notify,
        ScriptHook::before_webhook})
    if (has(hook)) return true;
  return false;
}

script::ResumeResult LoadedScript::resume(script::ScriptCall& call) {
  const CurrentJobScope scope(activity_, mark_);
  const CpuTimer time(cpu_used_);
  return call.resume();
}

Async<void> LoadedScript::drive(script::ScriptCall& call) {
  if (!vm_mutex_.try_lock()) co_await vm_mutex_.lock();
  while (true) {
    const auto start = std::chrono::steady_clock::now();
    const script::ResumeResult step = resume(call);
    if (step == script::ResumeResult::finished) break;
    if (step == script::ResumeResult::slice_ended) {
      // The VM stays locked while other jobs continue.
      co_await yield_to_other_jobs(std::chrono::steady_clock::now() - start);
      continue;
    }
    script::Want want = call.take_want();
    vm_mutex_.unlock();
    auto answer = co_await want_handler_.handle(std::move(want), call.deadline());
    if (!vm_mutex_.try_lock()) co_await vm_mutex_.lock();
    call.answer(std::move(answer));
  }
  vm_mutex_.unlock();
}

// A cycle needs several loop iterations, waiting for network and disk in between: yielding once
// would slow other jobs down to one step per slice. So they get the loop for longer than the slice
// took, which on a busy machine exceeds its limit. A script without competitors resumes
// immediately.
Async<void> LoadedScript::yield_to_other_jobs(std::chrono::nanoseconds took) {
  const auto loop = co_await asio::this_coro::executor;
  if (activity_.cycles <= own_cycles_) co_return co_await asio::post(loop, asio::use_awaitable);
  const auto pause =
      std::clamp<std::chrono::nanoseconds>(took * 3 / 2, slice_, slice_ * kMaxPauseSlices);
  asio::steady_timer timer(loop, pause);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

Async<void> LoadedScript::finish_run() {
  if (!has(ScriptHook::on_finished)) co_return;
  auto end = co_await run(vm_->on_finished());
  if (end.error) host_.warn("on_finished: " + end.error->message);
}

script::JobScriptSettings script_settings(const Project& project, html::Parser& parser) {
  script::JobScriptSettings settings;
  settings.limits = limits_of(project.script);
  settings.parser = &parser;
  settings.version = HEDDLE_VERSION;
  settings.keeps_failed_items = project.script.on_error == FilterErrorPolicy::keep;
  return settings;
}

bool has_extraction_rules(const Job& job) {
  return job.kind != JobKind::web || job.watch != WatchKind::items || !job.selector.empty() ||
         !job.fields.empty();
}

Result<std::vector<script::ScriptSource>> read_scripts(const Project& project, const Job& job,
                                                       bool with_tests) {
  std::vector<script::ScriptSource> sources;
  std::vector<std::filesystem::path> files = job.scripts.files;
  if (with_tests && !job.scripts.tests.empty()) files.push_back(job.scripts.tests);
  for (const std::filesystem::path& file : files) {
    auto source = read_script(project, file);
    if (!source) return std::move(source).error();
    sources.push_back(std::move(*source));
  }
  return sources;
}

}  // namespace heddle::pipeline
