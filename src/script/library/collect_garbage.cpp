#include "script/library/collect_garbage.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

// How much a script may allocate before Lua's collector does its next basic step.
constexpr lua_Integer kKilobytesPerStep = 8;
// A heap of this size is collected in less than a slice.
constexpr std::size_t kSmallHeap = 500'000;

constexpr lua_KContext kCollect = 0;
constexpr lua_KContext kStep = 1;

// Values on the stack, where they outlast a yield.
constexpr int kCyclesLeft = 1;  // of the collector
constexpr int kStepsLeft = 2;

void decrement(lua_State* lua, int index) {
  lua_pushinteger(lua, lua_tointeger(lua, index) - 1);
  lua_replace(lua, index);
}

// Whether the slice has ended where the script can be suspended; raises when the budget is used up.
bool is_slice_over(lua_State* lua) {
  CallBudget* budget = Vm::of(lua).running.budget;
  if (budget == nullptr) return false;
  const CallBudget::Verdict verdict = budget->check();
  if (verdict == CallBudget::Verdict::terminate) raise_budget_error(lua);
  return verdict == CallBudget::Verdict::end_slice && can_yield(lua);
}

// A collection of a large heap takes long: it ends with the budget, and other jobs get their turns.
int run_steps(lua_State* lua, int /*status*/, lua_KContext option) {
  while (lua_tointeger(lua, kCyclesLeft) > 0 && lua_tointeger(lua, kStepsLeft) > 0) {
    if (is_slice_over(lua)) {
      Vm::of(lua).running.yield_reason = YieldReason::slice;
      return lua_yieldk(lua, 0, option, run_steps);
    }
    decrement(lua, kStepsLeft);
    if (lua_gc(lua, LUA_GCSTEP, 0) != 0) decrement(lua, kCyclesLeft);
  }
  if (option == kCollect)
    lua_pushinteger(lua, 0);
  else
    lua_pushboolean(lua, lua_tointeger(lua, kCyclesLeft) == 0 ? 1 : 0);
  return 1;
}

int start_steps(lua_State* lua, lua_Integer cycles, lua_Integer steps, lua_KContext option) {
  lua_settop(lua, 0);
  lua_pushinteger(lua, cycles);
  lua_pushinteger(lua, steps);
  return run_steps(lua, LUA_OK, option);
}

int collect(lua_State* lua) {
  if (Vm::of(lua).allocator().used() <= kSmallHeap) {
    is_slice_over(lua);  // a loop of collections ends with the budget
    lua_gc(lua, LUA_GCCOLLECT);
    lua_pushinteger(lua, 0);
    return 1;
  }
  // What was alive when the current cycle began is only found to be dead by the next one.
  return start_steps(lua, 2, std::numeric_limits<lua_Integer>::max(), kCollect);
}

}  // namespace

int collect_garbage(lua_State* lua) {
  const std::string_view option = luaL_optstring(lua, 1, "collect");
  if (option == "collect") return collect(lua);
  if (option == "count") {
    const int kilobytes = lua_gc(lua, LUA_GCCOUNT);
    const int rest = lua_gc(lua, LUA_GCCOUNTB);
    lua_pushnumber(lua, kilobytes + rest / 1024.0);
    return 1;
  }
  if (option == "step") {
    const lua_Integer kilobytes = std::max<lua_Integer>(opt_integer(lua, 2, 0), 0);
    return start_steps(lua, 1, 1 + kilobytes / kKilobytesPerStep, kStep);
  }
  return luaL_error(lua,
                    "collectgarbage: only \"collect\", \"count\" and \"step\" are available (got "
                    "\"%s\")",
                    option.data());
}

}  // namespace heddle::script
