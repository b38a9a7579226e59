#include "script/lua/context_table.hpp"

#include <lua.hpp>

#include "script/cycle_context.hpp"
#include "script/lua/guarded_table.hpp"
#include "script/lua/iterate.hpp"
#include "script/marshal/push.hpp"
#include "script/marshal/telemetry.hpp"

namespace heddle::script {
namespace {

constexpr const char* kComputed[] = {"worker_id", "telemetry"};

// The metatable's functions have a block with the context's address as their upvalue; nullptr once
// the cycle has ended.
const CycleContext*& context_behind(lua_State* lua, int index) {
  return *static_cast<const CycleContext**>(lua_touserdata(lua, index));
}

bool is_key(lua_State* lua, int index, std::string_view name) {
  return lua_type(lua, index) == LUA_TSTRING && name == lua_tostring(lua, index);
}

int get_computed(lua_State* lua) {
  const CycleContext* context = context_behind(lua, lua_upvalueindex(1));
  if (context == nullptr) return 0;
  if (is_key(lua, 2, "worker_id")) {
    lua_pushinteger(lua, context->facts().worker_id);
    return 1;
  }
  if (is_key(lua, 2, "last_fetch")) return context->push_provided_fetch(lua) ? 1 : 0;
  if (!is_key(lua, 2, "telemetry")) return 0;
  push_telemetry(lua, *context);
  return 1;
}

int set_field(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  for (const char* name : kComputed)
    if (is_key(lua, 2, name)) return luaL_error(lua, "ctx.%s is read-only", name);
  lua_settop(lua, 3);
  lua_rawset(lua, 1);
  return 0;
}

// Iterates over a copy that includes the computed fields.
int iterate(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  lua_newtable(lua);
  lua_getfield(lua, 1, "last_fetch");  // calls the provider, if any
  lua_pop(lua, 1);
  copy_pairs(lua, 1, 2);
  for (const char* name : kComputed) {
    lua_getfield(lua, 1, name);
    lua_setfield(lua, 2, name);
  }
  return return_iteration(lua);
}

void push_job(lua_State* lua, const CycleFacts& facts) {
  lua_createtable(lua, 0, 3);
  set_text(lua, "id", facts.job_id);
  set_text(lua, "name", facts.job_name);
  push_headers(lua, facts.vars);
  lua_setfield(lua, -2, "vars");
}

void set_metatable(lua_State* lua, const CycleContext& context) {
  lua_createtable(lua, 0, 6);
  auto** block = static_cast<const CycleContext**>(lua_newuserdatauv(lua, sizeof(void*), 0));
  *block = &context;
  lua_pushvalue(lua, -1);
  lua_pushcclosure(lua, get_computed, 1);
  lua_setfield(lua, -3, "__index");
  lua_setfield(lua, -2, "block");  // not accessible to scripts
  lua_pushcfunction(lua, set_field);
  lua_setfield(lua, -2, "__newindex");
  lua_pushcfunction(lua, iterate);
  lua_setfield(lua, -2, "__pairs");
  set_flag(lua, "__metatable", false);
  set_guarded_metatable(lua, "ctx takes plain assignments only");
}

}  // namespace

void push_new_context_table(lua_State* lua, const CycleContext& context) {
  const CycleFacts& facts = context.facts();
  lua_createtable(lua, 0, 8);
  push_job(lua, facts);
  lua_setfield(lua, -2, "job");
  set_text(lua, "run_id", facts.run_id);
  lua_pushinteger(lua, facts.attempt);
  lua_setfield(lua, -2, "attempt");
  set_flag(lua, "not_modified", false);
  lua_newtable(lua);
  lua_setfield(lua, -2, "shared");
  set_metatable(lua, context);
}

void wipe_context_table(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) != 0) {
    lua_getfield(lua, -1, "block");
    context_behind(lua, -1) = nullptr;
    lua_pop(lua, 2);
  }
  clear_table(lua, index);
}

}  // namespace heddle::script
