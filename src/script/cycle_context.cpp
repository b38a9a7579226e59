#include "script/cycle_context.hpp"

#include "script/lua/context_table.hpp"
#include "script/lua/lua_call.hpp"
#include "script/lua/protect.hpp"
#include "script/lua/vm.hpp"
#include "script/marshal/response.hpp"
#include "script/marshal/telemetry.hpp"

namespace heddle::script {
namespace {

constexpr const char* kMirrored[] = {"last_fetch", "selector_matches"};

// [ctx] -> sets the global of the same name to ctx's field, nil without a ctx.
void mirror(lua_State* lua, int context, const char* name) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushstring(lua, name);
  if (lua_istable(lua, context)) {
    lua_pushvalue(lua, -1);
    lua_rawget(lua, context);
  } else {
    lua_pushnil(lua);
  }
  lua_rawset(lua, -3);
  lua_pop(lua, 1);
}

void mirror_all(lua_State* lua, int context) {
  for (const char* name : kMirrored) mirror(lua, context, name);
}

void set_text(lua_State* lua, const char* name, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
  lua_setfield(lua, -2, name);
}

void push_changes(lua_State* lua, const std::vector<FieldChange>& changes) {
  lua_createtable(lua, static_cast<int>(changes.size()), 0);
  lua_Integer index = 0;
  for (const FieldChange& change : changes) {
    lua_createtable(lua, 0, 7);
    if (is_of_text(change.kind)) {
      set_text(lua, "kind", to_text(change.kind));
      set_text(lua, "context", change.context);
    }
    set_text(lua, "key", change.key);
    set_text(lua, "field", change.field);
    set_text(lua, "before", change.before);
    set_text(lua, "after", change.after);
    set_text(lua, "significance", to_text(change.significance));
    lua_rawseti(lua, -2, ++index);
  }
}

// Only lack of memory can fail here; the hooks that follow fail with it too and report it.
template <class Work>
bool run_in(Vm& vm, Work&& work) {
  const int status = protect(vm.main(), [&](lua_State* lua) {
    work(lua);
    return 0;
  });
  if (status == LUA_OK) return true;
  lua_pop(vm.main(), 1);
  vm.set_broken();
  return false;
}

}  // namespace

template <class Work>
void CycleContext::in_vm(Work&& work) {
  if (!vm_.is_broken()) run_in(vm_, work);
}

CycleContext::CycleContext(Vm& vm, const CycleFacts& facts)
    : vm_(vm),
      facts_(facts),
      start_(std::chrono::steady_clock::now()),
      reference_(LUA_NOREF),
      telemetry_reference_(LUA_NOREF) {
  in_vm([this](lua_State* lua) {
    push_new_context_table(lua, *this);
    reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
    if (!vm_.mentions_telemetry) return;
    lua_newtable(lua);
    telemetry_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  });
}

CycleContext::~CycleContext() {
  for (LuaCall* call : vm_.calls)
    if (call->context() == this) call->clear_context();
  const bool owns_globals = vm_.global_owner == this;
  if (owns_globals) vm_.global_owner = nullptr;
  if (reference_ == LUA_NOREF) return;
  in_vm([this, owns_globals](lua_State* lua) {
    push(lua);
    wipe_context_table(lua, 1);
    if (owns_globals) mirror_all(lua, 1);
    luaL_unref(lua, LUA_REGISTRYINDEX, reference_);
    luaL_unref(lua, LUA_REGISTRYINDEX, telemetry_reference_);
  });
}

std::chrono::microseconds CycleContext::age() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               start_);
}

void CycleContext::push(lua_State* lua) const {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_);
}

void CycleContext::adopt_last_fetch(lua_State* lua) const {
  push(lua);
  if (lua_istable(lua, -1)) {
    lua_pushliteral(lua, "last_fetch");
    lua_pushvalue(lua, -3);
    lua_rawset(lua, -3);
    if (vm_.global_owner == this) mirror(lua, lua_gettop(lua), "last_fetch");
  }
  lua_pop(lua, 1);
}

void CycleContext::set_last_fetch(const FetchResult& result) {
  in_vm([&](lua_State* lua) {
    push_fetch_result(lua, result);
    adopt_last_fetch(lua);
  });
}

void CycleContext::set_last_fetch_provider(std::function<FetchResult()> provider) {
  // The global of that name is a plain value and cannot be lazy.
  if (vm_.mentions_last_fetch) return set_last_fetch(provider());
  last_fetch_provider_ = std::move(provider);
}

bool CycleContext::push_provided_fetch(lua_State* lua) const {
  if (!last_fetch_provider_) return false;
  push_fetch_result(lua, last_fetch_provider_());
  adopt_last_fetch(lua);
  return true;
}

void CycleContext::set_selector_matches(std::size_t count) {
  in_vm([&](lua_State* lua) {
    push(lua);
    if (!lua_istable(lua, 1)) return;
    lua_pushliteral(lua, "selector_matches");
    lua_pushinteger(lua, static_cast<lua_Integer>(count));
    lua_rawset(lua, 1);
    if (vm_.global_owner == this) mirror(lua, 1, "selector_matches");
  });
}

void CycleContext::set_not_modified(bool is_not_modified) {
  in_vm([&](lua_State* lua) {
    push(lua);
    if (!lua_istable(lua, 1)) return;
    lua_pushliteral(lua, "not_modified");
    lua_pushboolean(lua, is_not_modified ? 1 : 0);
    lua_rawset(lua, 1);
  });
}

void CycleContext::set_changes(const std::vector<FieldChange>& changes) {
  in_vm([&](lua_State* lua) {
    push(lua);
    if (!lua_istable(lua, 1)) return;
    lua_pushliteral(lua, "changes");
    push_changes(lua, changes);
    lua_rawset(lua, 1);
  });
}

void CycleContext::switch_telemetry_global(lua_State* lua) const {
  if (telemetry_reference_ == LUA_NOREF) return;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(lua, "spyweb_telemetry");
  lua_rawgeti(lua, LUA_REGISTRYINDEX, telemetry_reference_);
  lua_rawset(lua, -3);
  lua_pop(lua, 1);
}

void CycleContext::update_telemetry_global(lua_State* lua) const {
  if (telemetry_reference_ == LUA_NOREF) return;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, telemetry_reference_);
  if (lua_getmetatable(lua, -1) != 0) {  // of the script: its functions must not run here
    lua_pop(lua, 2);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, LUA_REGISTRYINDEX, telemetry_reference_);
  }
  fill_telemetry(lua, *this);
  lua_pop(lua, 1);
  switch_telemetry_global(lua);
}

void set_cycle_globals(Vm& vm, const CycleContext* context) {
  if (vm.global_owner == context) return;
  const bool is_done = run_in(vm, [&](lua_State* lua) {
    if (context != nullptr)
      context->push(lua);
    else
      lua_pushnil(lua);
    mirror_all(lua, 1);
    if (context != nullptr) context->switch_telemetry_global(lua);
  });
  if (is_done) vm.global_owner = context;
}

void update_telemetry_global(Vm& vm, const CycleContext* context) {
  if (context == nullptr || !vm.mentions_telemetry) return;
  run_in(vm, [&](lua_State* lua) { context->update_telemetry_global(lua); });
}

}  // namespace heddle::script
