// Coroutines of scripts. Unlike in stock Lua, when the engine suspends the code inside one (it
// waits, or its slice has ended), resume and wrap suspend the code around it too, up to the call,
// and then resume the inner one. The script does not notice.
#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/lua_call.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

// Each nested close may use Lua's full depth of C calls again.
constexpr int kMaxNestedCloses = 8;

// Makes the inner coroutine the running one of the VM for this scope.
class CoroutineScope {
 public:
  CoroutineScope(lua_State* outer, lua_State* inner)
      : running_(Vm::of(outer).running), thread_(running_.thread), can_wait_(running_.can_wait) {
    running_.thread = inner;
    running_.can_wait = can_wait_ && lua_isyieldable(outer) != 0;
  }
  ~CoroutineScope() {
    running_.thread = thread_;
    running_.can_wait = can_wait_;
  }
  CoroutineScope(const CoroutineScope&) = delete;
  CoroutineScope& operator=(const CoroutineScope&) = delete;

 private:
  RunningCode& running_;
  lua_State* thread_;
  bool can_wait_;
};

lua_State* check_coroutine(lua_State* lua, int index) {
  lua_State* coroutine = lua_tothread(lua, index);
  luaL_argexpected(lua, coroutine != nullptr, index, "coroutine");
  return coroutine;
}

enum class CoroutineStatus { running, dead, suspended, normal };

const char* to_text(CoroutineStatus status) {
  switch (status) {
    case CoroutineStatus::running:
      return "running";
    case CoroutineStatus::dead:
      return "dead";
    case CoroutineStatus::suspended:
      return "suspended";
    case CoroutineStatus::normal:
      break;
  }
  return "normal";
}

CoroutineStatus status_of(lua_State* lua, lua_State* coroutine) {
  if (lua == coroutine) return CoroutineStatus::running;
  // A call's own thread, or one that waits for the engine, perhaps in another cycle: not resumable.
  const Vm& vm = Vm::of(lua);
  if (vm.threads().owns(coroutine) || vm.waiting_coroutines.contains(coroutine))
    return CoroutineStatus::normal;
  switch (lua_status(coroutine)) {
    case LUA_YIELD:
      return CoroutineStatus::suspended;
    case LUA_OK: {
      lua_Debug frame;
      if (lua_getstack(coroutine, 0, &frame) != 0) return CoroutineStatus::normal;
      return lua_gettop(coroutine) == 0 ? CoroutineStatus::dead : CoroutineStatus::suspended;
    }
    default:
      return CoroutineStatus::dead;
  }
}

enum class ResumeOutcome { values, error, engine_yield };

// The body of every coroutine; calls the script's function in protected mode. Without it an error
// raised by the count hook would leave the coroutine with hooks disabled, and its __close handlers
// could run forever.
int finish_body(lua_State* lua, int status, lua_KContext /*context*/) {
  if (status != LUA_OK && status != LUA_YIELD) return lua_error(lua);
  return lua_gettop(lua);
}

int run_body(lua_State* lua) {
  const int status = lua_pcallk(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0, 0, finish_body);
  return finish_body(lua, status, 0);
}

// Resumes the inner coroutine with `arguments` values already on its stack. Values are moved to the
// outer one; an error stays on the inner stack, where closing needs it.
ResumeOutcome resume_inner(lua_State* lua, lua_State* inner, int arguments, int& results) {
  Vm& vm = Vm::of(lua);
  vm.running.yield_reason = YieldReason::none;
  int status = lua_status(inner);
  if (status == LUA_OK) ++arguments;  // first resume: the script's function counts
  {
    const CoroutineScope scope(lua, inner);
    status = lua_resume(inner, lua, arguments, &results);
  }
  if (status == LUA_YIELD && vm.running.yield_reason != YieldReason::none) {
    vm.waiting_coroutines.insert_or_assign(inner, vm.running.call);
    return ResumeOutcome::engine_yield;
  }
  if (is_budget_exceeded(lua)) raise_budget_error(lua);
  if (status != LUA_OK && status != LUA_YIELD) return ResumeOutcome::error;
  if (lua_checkstack(lua, results + 1) == 0) {
    lua_pop(inner, results);
    luaL_error(lua, "too many results to resume");
  }
  lua_xmove(inner, lua, results);
  return ResumeOutcome::values;
}

// Checks that the coroutine can be resumed and moves the arguments; pushes an error otherwise.
bool hand_arguments(lua_State* lua, lua_State* inner, int arguments) {
  const CoroutineStatus status = status_of(lua, inner);
  if (status != CoroutineStatus::suspended) {
    lua_pushfstring(lua, "cannot resume %s coroutine",
                    status == CoroutineStatus::dead ? "dead" : "non-suspended");
    return false;
  }
  if (lua_checkstack(inner, arguments) == 0) {
    lua_pushliteral(lua, "too many arguments to resume");
    return false;
  }
  lua_xmove(lua, inner, arguments);
  return true;
}

// Closes the coroutine's pending variables; counts the C depth, which Lua 5.4.4 does not.
int close_counted(lua_State* lua, lua_State* inner) {
  RunningCode& running = Vm::of(lua).running;
  if (running.nested_closes >= kMaxNestedCloses)
    luaL_error(lua, "coroutines closed inside closing coroutines, %d levels deep",
               kMaxNestedCloses);
  ++running.nested_closes;
  int status = LUA_OK;
  {
    const CoroutineScope scope(lua, inner);
    running.can_wait = false;
    status = lua_resetthread(inner);
  }
  --running.nested_closes;
  if (is_budget_exceeded(lua)) raise_budget_error(lua);
  return status;
}

int finish_resume(lua_State* lua, ResumeOutcome outcome, int results);

int continue_resume(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  lua_State* inner = lua_tothread(lua, 1);
  Vm::of(lua).waiting_coroutines.erase(inner);
  int results = 0;
  const ResumeOutcome outcome = resume_inner(lua, inner, 0, results);
  return finish_resume(lua, outcome, results);
}

int finish_resume(lua_State* lua, ResumeOutcome outcome, int results) {
  switch (outcome) {
    case ResumeOutcome::engine_yield:
      return lua_yieldk(lua, 0, 0, continue_resume);
    case ResumeOutcome::error:
      lua_pushboolean(lua, 0);
      lua_xmove(lua_tothread(lua, 1), lua, 1);
      return 2;
    case ResumeOutcome::values:
      break;
  }
  lua_pushboolean(lua, 1);
  lua_insert(lua, -1 - results);
  return results + 1;
}

int coroutine_resume(lua_State* lua) {
  lua_State* inner = check_coroutine(lua, 1);
  const int arguments = lua_gettop(lua) - 1;
  if (!hand_arguments(lua, inner, arguments)) {
    lua_pushboolean(lua, 0);
    lua_insert(lua, -2);
    return 2;
  }
  int results = 0;
  const ResumeOutcome outcome = resume_inner(lua, inner, arguments, results);
  return finish_resume(lua, outcome, results);
}

// Raises the value on top; a string is prefixed with the caller's position.
int raise_from_wrap(lua_State* lua) {
  if (lua_type(lua, -1) == LUA_TSTRING) {
    luaL_where(lua, 1);
    lua_insert(lua, -2);
    lua_concat(lua, 2);
  }
  return lua_error(lua);
}

// An error leaves the wrapped coroutine dead and closed.
int raise_wrapped(lua_State* lua, lua_State* inner) {
  const int status = close_counted(lua, inner);
  lua_xmove(inner, lua, 1);
  return status == LUA_ERRMEM ? lua_error(lua) : raise_from_wrap(lua);
}

int finish_wrapped(lua_State* lua, lua_State* inner, ResumeOutcome outcome, int results);

int continue_wrapped(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  lua_State* inner = lua_tothread(lua, lua_upvalueindex(1));
  Vm::of(lua).waiting_coroutines.erase(inner);
  int results = 0;
  const ResumeOutcome outcome = resume_inner(lua, inner, 0, results);
  return finish_wrapped(lua, inner, outcome, results);
}

int finish_wrapped(lua_State* lua, lua_State* inner, ResumeOutcome outcome, int results) {
  switch (outcome) {
    case ResumeOutcome::engine_yield:
      return lua_yieldk(lua, 0, 0, continue_wrapped);
    case ResumeOutcome::error:
      return raise_wrapped(lua, inner);
    case ResumeOutcome::values:
      break;
  }
  return results;
}

int call_wrapped(lua_State* lua) {
  lua_State* inner = lua_tothread(lua, lua_upvalueindex(1));
  const int arguments = lua_gettop(lua);
  if (!hand_arguments(lua, inner, arguments)) return raise_from_wrap(lua);
  int results = 0;
  const ResumeOutcome outcome = resume_inner(lua, inner, arguments, results);
  return finish_wrapped(lua, inner, outcome, results);
}

int coroutine_create(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  lua_State* inner = lua_newthread(lua);
  restore_interrupt_interval(inner);
  lua_pushcfunction(inner, run_body);
  lua_pushvalue(lua, 1);
  lua_xmove(lua, inner, 1);
  return 1;
}

int coroutine_wrap(lua_State* lua) {
  coroutine_create(lua);
  lua_pushcclosure(lua, call_wrapped, 1);
  return 1;
}

bool is_outside_coroutines(lua_State* lua) {
  return Vm::of(lua).threads().owns(lua) || lua == Vm::of(lua).main();
}

int coroutine_yield(lua_State* lua) {
  if (is_outside_coroutines(lua))
    return luaL_error(lua, "attempt to yield from outside a coroutine");
  Vm::of(lua).running.yield_reason = YieldReason::none;
  return lua_yield(lua, lua_gettop(lua));
}

int coroutine_status(lua_State* lua) {
  lua_pushstring(lua, to_text(status_of(lua, check_coroutine(lua, 1))));
  return 1;
}

int coroutine_running(lua_State* lua) {
  lua_pushthread(lua);
  lua_pushboolean(lua, is_outside_coroutines(lua) ? 1 : 0);
  return 2;
}

int coroutine_isyieldable(lua_State* lua) {
  lua_State* asked = lua_isthread(lua, 1) ? lua_tothread(lua, 1) : lua;
  lua_pushboolean(lua, !is_outside_coroutines(asked) && lua_isyieldable(asked) != 0 ? 1 : 0);
  return 1;
}

int coroutine_close(lua_State* lua) {
  lua_State* inner = check_coroutine(lua, 1);
  const CoroutineStatus status = status_of(lua, inner);
  if (status != CoroutineStatus::dead && status != CoroutineStatus::suspended)
    return luaL_error(lua, "cannot close a %s coroutine", to_text(status));
  if (close_counted(lua, inner) == LUA_OK) {
    lua_pushboolean(lua, 1);
    return 1;
  }
  lua_pushboolean(lua, 0);
  lua_xmove(inner, lua, 1);
  return 2;
}

constexpr luaL_Reg kFunctions[] = {
    {"create", coroutine_create}, {"resume", coroutine_resume},
    {"wrap", coroutine_wrap},     {"yield", coroutine_yield},
    {"status", coroutine_status}, {"running", coroutine_running},
    {"close", coroutine_close},   {"isyieldable", coroutine_isyieldable},
    {nullptr, nullptr},
};

}  // namespace

void open_coroutine(lua_State* lua) {
  luaL_newlib(lua, kFunctions);
  lua_setglobal(lua, "coroutine");
}

}  // namespace heddle::script
