#include "script/lua/interrupt.hpp"

#include <algorithm>
#include <cstdlib>

#include <lua.hpp>

#include "script/lua/count_steps.hpp"
#include "script/lua/error_text.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

constexpr int kInstructionsPerLook = 1000;
constexpr std::uint64_t kStepsPerLook = 20'000;

// One instruction may scan a whole string or table. Between two checks of the clock a script may
// touch about a gigabyte at most, so large blocks mean more checks.
int instructions_per_look(const Vm& vm) {
  if (vm.running.budget != nullptr && vm.running.budget->is_exceeded()) return 1;
  const auto megabytes = static_cast<int>(vm.allocator().big_bytes() >> 20U);
  return std::max(kInstructionsPerLook / std::max(megabytes, 1), 5);
}

void look_at_budget(lua_State* lua, lua_Debug* /*activation*/);

void set_interval(lua_State* lua, int instructions) {
  if (lua_gethookcount(lua) != instructions)
    lua_sethook(lua, look_at_budget, LUA_MASKCOUNT, instructions);
}

void look_at_budget(lua_State* lua, lua_Debug* /*activation*/) {
  Vm& vm = Vm::of(lua);
  set_interval(lua, instructions_per_look(vm));
  if (vm.running.budget == nullptr) return;
  switch (vm.running.budget->check()) {
    case CallBudget::Verdict::proceed:
      return;
    case CallBudget::Verdict::end_slice:
      if (!can_yield(lua)) return;
      vm.running.yield_reason = YieldReason::slice;
      lua_yield(lua, 0);
      return;
    case CallBudget::Verdict::terminate:
      raise_budget_error(lua);
  }
}

}  // namespace

void install_interrupt(lua_State* main) {
  lua_sethook(main, look_at_budget, LUA_MASKCOUNT, kInstructionsPerLook);
}

void interrupt_soon(lua_State* thread) {
  lua_sethook(thread, look_at_budget, LUA_MASKCOUNT, 1);
}

void restore_interrupt_interval(lua_State* thread) {
  const Vm& vm = Vm::of(thread);
  set_interval(thread, instructions_per_look(vm));
}

bool can_yield(lua_State* lua) {
  return Vm::of(lua).running.can_wait && lua_isyieldable(lua) != 0;
}

bool is_budget_exceeded(lua_State* lua) {
  const CallBudget* budget = Vm::of(lua).running.budget;
  return budget != nullptr && budget->is_exceeded();
}

void raise_budget_error(lua_State* lua) {
  CallBudget& budget = *Vm::of(lua).running.budget;
  if (budget.exceeded_at().empty()) budget.set_exceeded_at(place_and_traceback(lua).place);
  interrupt_soon(lua);  // code that runs during unwinding is stopped after one instruction
  lua_pushstring(lua, budget.exceeded_reason().c_str());
  lua_error(lua);
  std::abort();  // lua_error does not return
}

void count_steps(lua_State* lua, std::uint64_t steps) {
  RunningCode& running = Vm::of(lua).running;
  running.steps += steps;
  if (running.steps < kStepsPerLook) return;
  running.steps = 0;
  if (running.budget != nullptr && running.budget->check() == CallBudget::Verdict::terminate)
    raise_budget_error(lua);
}

}  // namespace heddle::script
