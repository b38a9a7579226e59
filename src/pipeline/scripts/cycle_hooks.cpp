#include "pipeline/scripts/cycle_hooks.hpp"

#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

using script::HookResult;
using script::ScriptHook;

namespace {

// Each hook is a stage of the same name; on_finished belongs to no cycle.
Stage stage_of(ScriptHook hook) {
  switch (hook) {
    case ScriptHook::before_fetch:
      return Stage::before_fetch;
    case ScriptHook::override_fetch:
      return Stage::override_fetch;
    case ScriptHook::after_fetch:
      return Stage::after_fetch;
    case ScriptHook::override_extract:
      return Stage::override_extract;
    case ScriptHook::after_extract:
      return Stage::after_extract;
    case ScriptHook::filter_item:
      return Stage::filter_item;
    case ScriptHook::before_store:
      return Stage::before_store;
    case ScriptHook::before_notify:
      return Stage::before_notify;
    case ScriptHook::before_webhook:
      return Stage::before_webhook;
    case ScriptHook::on_success:
      return Stage::on_success;
    case ScriptHook::on_error:
      return Stage::on_error;
    case ScriptHook::on_finally:
    case ScriptHook::on_finished:
      return Stage::on_finally;
  }
  return Stage::on_finally;
}

// Prefixes the hook name unless the message starts with it.
std::string named(ScriptHook hook, const std::string& message) {
  const std::string name(to_text(hook));
  return message.starts_with(name) ? message : name + ": " + message;
}

FetchError override_failure(std::string message) {
  FetchError error;
  error.message = std::move(message);
  return error;
}

}  // namespace

CycleHooks::CycleHooks(LoadedScript& script, const script::CycleFacts& facts, CycleTrace& trace)
    : script_(script), trace_(trace), context_(script.vm().begin_cycle(facts)) {
  context_->set_trace(trace_);
}

CycleHooks::~CycleHooks() = default;

template <class T>
Async<HookResult<T>> CycleHooks::run(ScriptHook hook, std::unique_ptr<script::HookCall<T>> call) {
  const auto memory_before = static_cast<std::int64_t>(script_.vm().memory_bytes());
  StageTimer timer(trace_, stage_of(hook));
  auto end = co_await script_.run(std::move(call));
  StageTrace& stage = trace_[stage_of(hook)];
  stage.lua_mem_bytes = static_cast<std::int64_t>(script_.vm().memory_bytes());
  stage.mem_delta_bytes = stage.lua_mem_bytes - memory_before;
  if (end.partial_failure) {
    timer.fail(*end.partial_failure);
    note_error(named(hook, *end.partial_failure));
  }
  if (end.error) {
    note_error(named(hook, end.error->message));
    timer.fail(end.error->message);
    script_.host().warn(named(hook, end.error->message));
  }
  co_return end;
}

template <class T>
Async<HookVerdict> CycleHooks::change(ScriptHook hook, std::unique_ptr<script::HookCall<T>> call,
                                      T& value) {
  auto end = co_await run(hook, std::move(call));
  if (end.exceeded_budget) co_return fail(named(hook, end.error->message));
  if (end.error) co_return HookVerdict::proceed;
  if (!end.value) {
    trace_[stage_of(hook)].note = "returned nothing: the following stages are skipped";
    co_return HookVerdict::skip;
  }
  value = std::move(*end.value);
  co_return HookVerdict::proceed;
}

void CycleHooks::note_error(std::string message) {
  if (first_error_.empty()) first_error_ = std::move(message);
}

HookVerdict CycleHooks::fail(std::string message) {
  failure_ = std::move(message);
  return HookVerdict::fail;
}

Async<HookVerdict> CycleHooks::before_fetch(FetchRequest& request) {
  if (!has(ScriptHook::before_fetch)) co_return HookVerdict::proceed;
  auto call = script_.vm().before_fetch(*context_, request);
  co_return co_await change(ScriptHook::before_fetch, std::move(call), request);
}

Async<script::OverrideFetchResult> CycleHooks::override_fetch(const FetchRequest& request) {
  auto end =
      co_await run(ScriptHook::override_fetch, script_.vm().override_fetch(*context_, request));
  if (end.exceeded_budget) fail(named(ScriptHook::override_fetch, end.error->message));
  if (end.error) co_return override_failure(named(ScriptHook::override_fetch, end.error->message));
  if (!end.value) co_return override_failure("override_fetch must return a response table");
  co_return std::move(*end.value);
}

Async<HookVerdict> CycleHooks::after_fetch(script::FetchResult& result) {
  script::AfterFetchResult given;
  auto call = script_.vm().after_fetch(*context_, result);
  const HookVerdict verdict = co_await change(ScriptHook::after_fetch, std::move(call), given);
  if (given.has_class) result.page_class = std::move(given.page_class);
  if (verdict != HookVerdict::proceed || !given.response) co_return verdict;
  if (!result.error) {  // of a successful fetch a script may change only the body
    result.response->body = std::move(given.response->body);
    co_return verdict;
  }
  result.response = std::move(given.response);
  result.error.reset();
  co_return verdict;
}

Async<HookVerdict> CycleHooks::override_extract(const FetchResponse& response,
                                                std::vector<Item>& items) {
  auto end = co_await run(ScriptHook::override_extract,
                          script_.vm().override_extract(*context_, response));
  if (end.error) co_return fail(named(ScriptHook::override_extract, end.error->message));
  items.clear();
  if (end.value) items = std::move(*end.value);
  context_->set_selector_matches(items.size());
  co_return HookVerdict::proceed;
}

Async<HookVerdict> CycleHooks::change_items(ScriptHook hook, std::vector<Item>& items) {
  if (!has(hook)) co_return HookVerdict::proceed;
  co_return co_await change(hook, script_.vm().items_hook(hook, *context_, items), items);
}

Async<HookVerdict> CycleHooks::filter_items(std::vector<Item>& items,
                                            std::vector<Item>& held_back) {
  if (items.empty()) co_return HookVerdict::proceed;
  auto call = script_.vm().filter_items(*context_, items);
  script::FilteredItems filtered;
  const auto verdict = co_await change(ScriptHook::filter_item, std::move(call), filtered);
  if (verdict != HookVerdict::proceed) co_return verdict;
  items = std::move(filtered.kept);
  held_back = std::move(filtered.held_back);
  co_return verdict;
}

Async<HookVerdict> CycleHooks::before_webhook(script::ScriptValue& payload) {
  if (!has(ScriptHook::before_webhook)) co_return HookVerdict::proceed;
  auto call = script_.vm().before_webhook(*context_, payload);
  co_return co_await change(ScriptHook::before_webhook, std::move(call), payload);
}

Async<void> CycleHooks::finish(const std::string* error) {
  if (error != nullptr && has(ScriptHook::on_error))
    co_await run(ScriptHook::on_error, script_.vm().on_error(*context_, *error));
  if (error == nullptr && has(ScriptHook::on_success))
    co_await run(ScriptHook::on_success, script_.vm().on_success(*context_));
  if (has(ScriptHook::on_finally))
    co_await run(ScriptHook::on_finally, script_.vm().on_finally(*context_));
}

}  // namespace heddle::pipeline
