// require(name): runs a module's file once per VM; the file may wait for the engine.
#include <algorithm>
#include <string>

#include <lua.hpp>

#include "base/text.hpp"
#include "script/library/binding_arguments.hpp"
#include "script/library/libraries.hpp"
#include "script/library/load_function.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/lua_call.hpp"
#include "script/lua/wait.hpp"

namespace heddle::script {
namespace {

constexpr char kModules = 'm';  // its address is the registry key
constexpr std::size_t kMaxName = 200;
constexpr std::chrono::milliseconds kLookAgainAfter{10};

// Pushes the table name -> {value}, or name -> the serial of the call that is loading it.
void push_modules(lua_State* lua) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &kModules) == LUA_TTABLE) return;
  lua_pop(lua, 1);
  lua_newtable(lua);
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kModules);
}

// Sets modules[name at index 1] to the value on top, and pops it.
void set_entry(lua_State* lua) {
  push_modules(lua);
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, -3);
  lua_rawset(lua, -3);
  lua_pop(lua, 2);
}

bool is_name_character(char c) {
  return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

bool is_valid_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxName) return false;
  const auto is_valid_part = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), is_name_character);
  };
  const auto parts = split(name, '.');
  return std::all_of(parts.begin(), parts.end(), is_valid_part);
}

bool is_still_loading(const Vm& vm, lua_Integer serial) {
  return std::any_of(vm.calls.begin(), vm.calls.end(), [serial](const LuaCall* call) {
    return static_cast<lua_Integer>(call->serial()) == serial;
  });
}

int finish_module(lua_State* lua, int status, lua_KContext /*context*/) {
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushnil(lua);  // the next require retries
    set_entry(lua);
    if (is_budget_exceeded(lua)) raise_budget_error(lua);
    return lua_error(lua);
  }
  if (lua_isnil(lua, -1)) {
    lua_pop(lua, 1);
    lua_pushboolean(lua, 1);
  }
  lua_createtable(lua, 1, 0);
  lua_pushvalue(lua, -2);
  lua_rawseti(lua, -2, 1);
  set_entry(lua);
  return 1;
}

void push_module_function(lua_State* lua, const Result<ScriptSource>& source) {
  if (!source) luaL_error(lua, "require: %s", source.error().message.c_str());
  const std::string chunk = "@" + source->name;
  if (load_text(lua, source->text, chunk.c_str()) != LUA_OK) lua_error(lua);
  lua_pushlstring(lua, source->name.data(), source->name.size());
}

// Pushes a library of the sandbox: require("string") finds it unless a file of that name does.
bool push_library(lua_State* lua, const std::string& name) {
  luaL_getsubtable(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushlstring(lua, name.data(), name.size());
  const bool is_there = lua_rawget(lua, -2) == LUA_TTABLE;
  lua_remove(lua, -2);
  if (!is_there) lua_pop(lua, 1);
  return is_there;
}

int load_module(lua_State* lua, const std::string& name) {
  const Result<ScriptSource> source = Vm::of(lua).host().module(name);
  if (!source && source.error().code == ErrorCode::not_found && push_library(lua, name))
    return finish_module(lua, LUA_OK, 0);
  push_module_function(lua, source);
  lua_pushinteger(lua, static_cast<lua_Integer>(Vm::of(lua).running.call->serial()));
  set_entry(lua);
  lua_pushvalue(lua, 1);
  lua_insert(lua, -2);
  const int status = lua_pcallk(lua, 2, 1, 0, 0, finish_module);
  return finish_module(lua, status, 0);
}

int require(lua_State* lua);

int look_again(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  if (is_budget_exceeded(lua)) raise_budget_error(lua);
  return require(lua);
}

int wait_for_other_call(lua_State* lua) {
  SleepWant want;
  want.duration = kLookAgainAfter;
  return wait_then(lua, "require", want, look_again);
}

int require(lua_State* lua) {
  const std::string name = BindingArguments(lua, "require").text(1, "name");
  if (!is_valid_name(name))
    return luaL_error(lua,
                      "require: '%s' is not a module name (letters, digits, _ and -, parts "
                      "separated by dots)",
                      name.c_str());
  const Vm& vm = Vm::of(lua);
  if (vm.running.call == nullptr) return luaL_error(lua, "require: not available here");
  lua_settop(lua, 1);
  push_modules(lua);
  lua_pushvalue(lua, 1);
  const int type = lua_rawget(lua, -2);
  if (type == LUA_TTABLE) {
    lua_rawgeti(lua, -1, 1);
    return 1;
  }
  const lua_Integer loader = lua_tointeger(lua, -1);
  lua_settop(lua, 1);
  if (type == LUA_TNUMBER && loader == static_cast<lua_Integer>(vm.running.call->serial()))
    return luaL_error(lua, "require: module '%s' requires itself, directly or through others",
                      name.c_str());
  if (type == LUA_TNUMBER && is_still_loading(vm, loader)) return wait_for_other_call(lua);
  return load_module(lua, name);
}

}  // namespace

void open_require(lua_State* lua) {
  lua_register(lua, "require", require);
}

}  // namespace heddle::script
