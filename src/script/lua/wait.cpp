#include "script/lua/wait.hpp"

#include <lua.hpp>

#include "script/lua/interrupt.hpp"
#include "script/lua/lua_call.hpp"
#include "script/lua/stack.hpp"
#include "script/marshal/response.hpp"

namespace heddle::script {
namespace {

int push_answer(lua_State* lua, const Values& values) {
  luaL_checkstack(lua, static_cast<int>(values.size()), "too many values");
  for (const ScriptValue& value : values) push_value(lua, value);
  return static_cast<int>(values.size());
}

int push_answer(lua_State* lua, const FetchAnswer& answer) {
  if (const auto* response = std::get_if<FetchResponse>(&answer)) {
    push_response(lua, *response);
    return 1;
  }
  const auto& error = std::get<FetchError>(answer);
  lua_pushnil(lua);
  push_fetch_failure(lua, error);
  return 2;
}

int push_answer(lua_State* lua, const Raise& raise) {
  const LuaCall& call = *Vm::of(lua).running.call;
  return luaL_error(lua, "%s: %s", call.waiting_binding(), raise.message.c_str());
}

int finish_wait(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  if (is_budget_exceeded(lua)) raise_budget_error(lua);
  const Answer answer = Vm::of(lua).running.call->take_answer();
  return std::visit([lua](const auto& alternative) { return push_answer(lua, alternative); },
                    answer);
}

void check_may_wait(lua_State* lua, const char* binding) {
  const RunningCode& running = Vm::of(lua).running;
  if (running.is_deferred) luaL_error(lua, "%s: async call inside defer()", binding);
  if (running.call == nullptr || !can_yield(lua))
    luaL_error(lua,
               "%s: async call inside a callback of a C function (sort, gsub, …); call it outside",
               binding);
}

}  // namespace

int wait_then(lua_State* lua, const char* binding, Want want, Continuation then) {
  check_may_wait(lua, binding);
  Vm::of(lua).running.call->set_want(binding, std::move(want));
  return lua_yieldk(lua, 0, 0, then);
}

int wait_for(lua_State* lua, const char* binding, Want want) {
  return wait_then(lua, binding, std::move(want), finish_wait);
}

}  // namespace heddle::script
