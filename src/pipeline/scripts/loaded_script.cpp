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
using script::Hook;

namespace {

constexpr int kLongestPause = 20;  // in slices: whoever computes must get on, too

script::Limits limits_of(const ScriptRules& rules) {
  script::Limits limits;
  limits.cpu = rules.cpu_limit;
  limits.wall = rules.wall_limit;
  limits.memory = static_cast<std::size_t>(rules.memory);
  limits.slice = rules.slice;
  return limits;
}

script::JobScriptSettings settings_of(const ScriptSetting& setting) {
  script::JobScriptSettings settings;
  settings.limits = limits_of(setting.project.script);
  settings.parser = &setting.parser;
  settings.version = HEDDLE_VERSION;
  settings.is_test = setting.is_test;
  return settings;
}

std::shared_ptr<const ScriptFiles> files_of(const ScriptSetting& setting,
                                            const std::shared_ptr<const FileJail>& jail) {
  if (!setting.is_test) return std::make_shared<const ScriptFiles>(jail);
  const std::filesystem::path scratch = setting.project.data_dir / "test-files";
  JailFolders folders{setting.project.root, scratch / "job", scratch / "shared"};
  return std::make_shared<const ScriptFiles>(jail, std::move(folders));
}

Result<script::Source> read_script(const Project& project, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  script::Source source;
  source.name = file.lexically_relative(project.root).generic_string();
  source.text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in) return Error{ErrorCode::not_found, source.name + ": cannot be read"};
  return source;
}

}  // namespace

LoadedScript::LoadedScript(const ScriptSetting& setting, const ScriptReach& reach)
    : share_(reach.share),
      mark_(mark_of(reach.job.id)),
      own_cycles_(reach.cycles),
      computed_(reach.computed),
      slice_(setting.project.script.slice),
      host_(setting.project, setting.job, setting.clock, setting.log),
      answers_(reach, files_of(setting, host_.jail())) {}

LoadedScript::~LoadedScript() = default;

Async<Result<std::unique_ptr<LoadedScript>>> LoadedScript::load(const ScriptSetting& setting,
                                                                const ScriptReach& reach) {
  auto sources = read_scripts(setting.project, setting.job, setting.is_test);
  if (!sources) co_return std::move(sources).error();
  std::unique_ptr<LoadedScript> loaded(new LoadedScript(setting, reach));
  auto vm = script::JobScript::make(settings_of(setting), loaded->host_);
  if (!vm) co_return std::move(vm).error();
  loaded->vm_ = std::move(*vm);
  for (script::Source& source : *sources) {
    auto done = co_await loaded->load_file(std::move(source));
    if (!done) co_return std::move(done).error();
  }
  loaded->vm_->find_hooks();
  if (!has_extraction_rules(setting.job) && !loaded->has(Hook::override_extract))
    co_return Error{ErrorCode::bad_input, "selector: " + std::string(kNoExtraction)};
  co_return loaded;
}

Async<Status> LoadedScript::load_file(script::Source source) {
  auto end = co_await run(vm_->load(std::move(source)));
  if (end.error) co_return std::move(*end.error);
  co_return Done{};
}

bool LoadedScript::reads_pages() const {
  for (const Hook hook :
       {Hook::after_fetch, Hook::override_extract, Hook::after_extract, Hook::filter_item,
        Hook::before_store, Hook::before_notify, Hook::before_webhook})
    if (has(hook)) return true;
  return false;
}

script::Step LoadedScript::resume(script::Call& call) {
  const ShownWork shown(share_, mark_);
  const ComputingTime time(computed_);
  return call.resume();
}

Async<void> LoadedScript::drive(script::Call& call) {
  if (!turn_.take_if_free()) co_await turn_.take();
  while (true) {
    const auto start = std::chrono::steady_clock::now();
    const script::Step step = resume(call);
    if (step == script::Step::finished) break;
    if (step == script::Step::sliced) {
      // Its own VM waits: the turn is kept while other jobs go on.
      co_await let_others_go(std::chrono::steady_clock::now() - start);
      continue;
    }
    script::Want want = call.take_want();
    turn_.give_back();
    auto answer = co_await answers_.answer(std::move(want), call.deadline());
    if (!turn_.take_if_free()) co_await turn_.take();
    call.answer(std::move(answer));
  }
  turn_.give_back();
}

// A cycle takes several turns of the loop, waiting for network and disk in between: a single turn
// would slow others down to one step per slice. So they get the loop for longer than the slice
// took, which on a busy machine is more than it should; a script that is alone goes on at once.
Async<void> LoadedScript::let_others_go(std::chrono::nanoseconds took) {
  const auto loop = co_await asio::this_coro::executor;
  if (share_.cycles <= own_cycles_) co_return co_await asio::post(loop, asio::use_awaitable);
  const auto pause =
      std::clamp<std::chrono::nanoseconds>(took * 3 / 2, slice_, slice_ * kLongestPause);
  asio::steady_timer timer(loop, pause);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

Async<void> LoadedScript::finish_run() {
  if (!has(Hook::on_finished)) co_return;
  auto end = co_await run(vm_->on_finished());
  if (end.error) host_.warn("on_finished: " + end.error->message);
}

bool has_extraction_rules(const Job& job) {
  return job.kind != JobKind::web || !job.selector.empty() || !job.fields.empty();
}

Result<std::vector<script::Source>> read_scripts(const Project& project, const Job& job,
                                                 bool with_tests) {
  std::vector<script::Source> sources;
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
