#include "script/lua/interrupt.hpp"

#include <algorithm>
#include <cstdlib>

#include <lua.hpp>

#include "script/lua/budget.hpp"
#include "script/lua/error_text.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

constexpr int kInstructionsPerLook = 1000;
constexpr std::uint64_t kStepsPerLook = 20'000;

// One instruction may walk through a whole string or table. Between two looks at the clock a script
// shall touch about a gigabyte at most, so large blocks mean more looks.
int instructions_per_look(const Vm& vm) {
  if (vm.running.budget != nullptr && vm.running.budget->is_cut()) return 1;
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
    case RunBudget::Verdict::go_on:
      return;
    case RunBudget::Verdict::slice:
      if (!can_pause(lua)) return;
      vm.running.pause = Pause::slice;
      lua_yield(lua, 0);
      return;
    case RunBudget::Verdict::cut:
      raise_cut(lua);
  }
}

}  // namespace

void install_interrupt(lua_State* main) {
  lua_sethook(main, look_at_budget, LUA_MASKCOUNT, kInstructionsPerLook);
}

void interrupt_soon(lua_State* thread) {
  lua_sethook(thread, look_at_budget, LUA_MASKCOUNT, 1);
}

void restore_pace(lua_State* thread) {
  const Vm& vm = Vm::of(thread);
  set_interval(thread, instructions_per_look(vm));
}

bool can_pause(lua_State* lua) {
  return Vm::of(lua).running.can_wait && lua_isyieldable(lua) != 0;
}

bool is_cut(lua_State* lua) {
  const RunBudget* budget = Vm::of(lua).running.budget;
  return budget != nullptr && budget->is_cut();
}

void raise_cut(lua_State* lua) {
  RunBudget& budget = *Vm::of(lua).running.budget;
  if (budget.cut_place().empty()) budget.set_cut_place(place_and_traceback(lua).place);
  interrupt_soon(lua);  // what runs while the stack unwinds gets no further than one instruction
  lua_pushstring(lua, budget.cut_reason().c_str());
  lua_error(lua);
  std::abort();  // lua_error does not return
}

void count_steps(lua_State* lua, std::uint64_t steps) {
  Running& running = Vm::of(lua).running;
  running.steps += steps;
  if (running.steps < kStepsPerLook) return;
  running.steps = 0;
  if (running.budget != nullptr && running.budget->check() == RunBudget::Verdict::cut)
    raise_cut(lua);
}

}  // namespace heddle::script
