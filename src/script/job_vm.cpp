#include "script/job_vm.hpp"

#include <algorithm>

#include "script/filter_call.hpp"
#include "script/library/load_function.hpp"
#include "script/lua/stack.hpp"
#include "script/marshal/items.hpp"
#include "script/marshal/push.hpp"
#include "script/marshal/request.hpp"
#include "script/marshal/response.hpp"

namespace heddle::script {
namespace {

constexpr auto kNoArgument = [](lua_State* /*lua*/) {};

const CycleContext* cycle(ScriptContext* context) {
  return static_cast<CycleContext*>(context);
}

FetchRequest read_returned_request(lua_State* lua, const FetchRequest& base) {
  if (lua_type(lua, 1) != LUA_TTABLE)
    luaL_error(lua, "before_fetch must return a request table (got %s)", luaL_typename(lua, 1));
  return read_request(lua, 1, "before_fetch: request", base);
}

ScriptValue read_payload(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TTABLE)
    luaL_error(lua, "before_webhook must return a payload table (got %s)", luaL_typename(lua, 1));
  return read_value(lua, 1);
}

FetchResult without_bodies(const FetchResult& result) {
  FetchResult copy;
  copy.request = result.request;
  copy.error = result.error;
  if (copy.error) copy.error->response.reset();
  if (!result.response) return copy;
  FetchResponse& response = copy.response.emplace();
  response.status = result.response->status;
  response.url = result.response->url;
  response.headers = result.response->headers;
  response.proxy = result.response->proxy;
  response.time = result.response->time;
  response.wire_bytes = result.response->wire_bytes;
  return copy;
}

bool is_named(lua_State* lua, int index, std::string_view prefix) {
  if (lua_type(lua, index) != LUA_TSTRING) return false;
  return std::string_view(lua_tostring(lua, index)).starts_with(prefix);
}

}  // namespace

JobVm::JobVm(std::unique_ptr<Vm> vm) : vm_(std::move(vm)) {
  references_.fill(LUA_NOREF);
}

template <class T, class Push>
std::unique_ptr<HookCall<T>> JobVm::call(ScriptHook hook, ScriptContext* context,
                                         Push push_argument, typename LuaHookCall<T>::Read read) {
  const CycleContext* cycle_context = cycle(context);
  auto made = std::make_unique<LuaHookCall<T>>(*vm_, std::string(to_text(hook)), cycle_context,
                                               std::move(read));
  made->prepare([&](lua_State* lua) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference(hook));
    push_argument(lua);
    if (cycle_context != nullptr) cycle_context->push(lua);
    return lua_gettop(lua);
  });
  return made;
}

std::unique_ptr<HookCall<Nothing>> JobVm::load(ScriptSource source) {
  auto made = std::make_unique<LuaHookCall<Nothing>>(*vm_, source.name, nullptr, nullptr);
  made->prepare([&](lua_State* lua) {
    const std::string chunk = "@" + source.name;
    if (load_text(lua, source.text, chunk.c_str()) != LUA_OK) lua_error(lua);
    return 1;
  });
  return made;
}

// Pops the value on top of the stack; only a function is a hook.
void JobVm::keep_hook(lua_State* lua, int& reference) {
  if (!lua_isfunction(lua, -1)) {
    lua_pop(lua, 1);
    luaL_unref(lua, LUA_REGISTRYINDEX, std::exchange(reference, LUA_NOREF));
  } else if (reference == LUA_NOREF) {
    reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  } else {
    lua_rawseti(lua, LUA_REGISTRYINDEX, reference);  // running calls hold the number
  }
}

void JobVm::find_hooks() {
  const int status = protect(vm_->main(), [this](lua_State* lua) {
    lua_pushglobaltable(lua);
    for (std::size_t i = 0; i < kHookCount; ++i) {
      push_text(lua, kHookNames[i]);
      lua_rawget(lua, 1);
      keep_hook(lua, references_[i]);
    }
    return 0;
  });
  if (status == LUA_OK) return;
  lua_pop(vm_->main(), 1);
  vm_->set_broken();
}

bool JobVm::has(ScriptHook hook) const {
  return reference(hook) != LUA_NOREF;
}

std::unique_ptr<ScriptContext> JobVm::begin_cycle(const CycleFacts& facts) {
  return std::make_unique<CycleContext>(*vm_, facts);
}

std::unique_ptr<HookCall<FetchRequest>> JobVm::before_fetch(ScriptContext& context,
                                                            const FetchRequest& request) {
  return call<FetchRequest>(
      ScriptHook::before_fetch, &context, [&](lua_State* lua) { push_request(lua, request); },
      [base = request](lua_State* lua) { return read_returned_request(lua, base); });
}

std::unique_ptr<HookCall<OverrideFetchResult>> JobVm::override_fetch(ScriptContext& context,
                                                                     const FetchRequest& request) {
  return call<OverrideFetchResult>(
      ScriptHook::override_fetch, &context, [&](lua_State* lua) { push_request(lua, request); },
      [url = request.url](lua_State* lua) { return read_override(lua, 1, url); });
}

std::unique_ptr<HookCall<AfterFetchResult>> JobVm::after_fetch(ScriptContext& context,
                                                               const FetchResult& result) {
  const auto push = [&](lua_State* lua) {
    push_fetch_result(lua, result);
    cycle(&context)->adopt_last_fetch(lua);  // documented as the same table
  };
  return call<AfterFetchResult>(
      ScriptHook::after_fetch, &context, push,
      [sent = without_bodies(result)](lua_State* lua) { return read_after_fetch(lua, 1, sent); });
}

std::unique_ptr<HookCall<JobScript::Items>> JobVm::override_extract(ScriptContext& context,
                                                                    const FetchResponse& response) {
  return call<Items>(
      ScriptHook::override_extract, &context, [&](lua_State* lua) { push_response(lua, response); },
      [](lua_State* lua) { return ItemList({}).read(lua, 1, "override_extract"); });
}

std::unique_ptr<HookCall<JobScript::Items>> JobVm::items_hook(ScriptHook hook,
                                                              ScriptContext& context,
                                                              const Items& items) {
  std::string name(to_text(hook));
  auto list = std::make_shared<ItemList>(items);  // std::function copies its captures
  auto made = std::make_unique<LuaHookCall<Items>>(
      *vm_, name, cycle(&context),
      [list, name](lua_State* lua) { return list->read(lua, 1, name); });
  const auto push = [&](lua_State* lua) {
    list->push(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference(hook));
    lua_insert(lua, -2);
    cycle(&context)->push(lua);
    return lua_gettop(lua);
  };
  made->prepare(push, 1);
  return made;
}

std::unique_ptr<HookCall<FilteredItems>> JobVm::filter_items(ScriptContext& context,
                                                             const Items& items) {
  return std::make_unique<FilterCall>(*vm_, reference(ScriptHook::filter_item), *cycle(&context),
                                      items);
}

std::unique_ptr<HookCall<ScriptValue>> JobVm::before_webhook(ScriptContext& context,
                                                             const ScriptValue& payload) {
  return call<ScriptValue>(
      ScriptHook::before_webhook, &context, [&](lua_State* lua) { push_value(lua, payload); },
      read_payload);
}

std::unique_ptr<HookCall<Nothing>> JobVm::lifecycle(ScriptHook hook, ScriptContext* context) {
  return call<Nothing>(hook, context, kNoArgument, nullptr);
}

std::unique_ptr<HookCall<Nothing>> JobVm::on_success(ScriptContext& context) {
  return lifecycle(ScriptHook::on_success, &context);
}

std::unique_ptr<HookCall<Nothing>> JobVm::on_error(ScriptContext& context,
                                                   const std::string& error) {
  return call<Nothing>(
      ScriptHook::on_error, &context, [&](lua_State* lua) { push_text(lua, error); }, nullptr);
}

std::unique_ptr<HookCall<Nothing>> JobVm::on_finally(ScriptContext& context) {
  return lifecycle(ScriptHook::on_finally, &context);
}

std::unique_ptr<HookCall<Nothing>> JobVm::on_finished() {
  return lifecycle(ScriptHook::on_finished, nullptr);
}

std::unique_ptr<HookCall<Nothing>> JobVm::function(const std::string& name) {
  auto made = std::make_unique<LuaHookCall<Nothing>>(*vm_, name, nullptr, nullptr);
  made->prepare([&](lua_State* lua) {
    lua_pushglobaltable(lua);
    push_text(lua, name);
    if (lua_rawget(lua, 1) != LUA_TFUNCTION)
      luaL_error(lua, "there is no global function %s", name.c_str());
    return 1;
  });
  return made;
}

std::vector<std::string> JobVm::global_functions(std::string_view prefix) {
  std::vector<std::string> names;
  const int status = protect(vm_->main(), [&](lua_State* lua) {
    lua_pushglobaltable(lua);
    for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1))
      if (lua_isfunction(lua, -1) && is_named(lua, -2, prefix))
        names.emplace_back(lua_tostring(lua, -2));
    return 0;
  });
  if (status != LUA_OK) lua_pop(vm_->main(), 1);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::script
