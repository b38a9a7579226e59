#include "script/lua/defer_stack.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <lua.hpp>

#include "script/lua/error_text.hpp"
#include "script/lua/thread_time.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

using std::chrono::milliseconds;

// A callback cannot be suspended: other jobs wait for it and run before the next one. All callbacks
// together get a second of CPU time; after that each still gets a moment to release its resources.
constexpr milliseconds kTimeForOne{100};
constexpr milliseconds kTimeForAll{1000};
constexpr milliseconds kMoment{1};

// Makes a callback the running code of the VM instead of its call.
class DeferScope {
 public:
  DeferScope(lua_State* lua, milliseconds time)
      : vm_(Vm::of(lua)), outer_(vm_.running), budget_(limits(vm_, time)) {
    vm_.running.budget = &budget_;
    vm_.running.thread = lua;
    vm_.running.is_deferred = true;
    budget_.start_cpu_clock();
  }
  ~DeferScope() { vm_.running = outer_; }
  DeferScope(const DeferScope&) = delete;
  DeferScope& operator=(const DeferScope&) = delete;

  [[nodiscard]] const CallBudget& budget() const { return budget_; }

 private:
  static ScriptLimits limits(const Vm& vm, milliseconds time) {
    ScriptLimits limits = vm.settings().limits;
    limits.cpu = std::min(limits.cpu, time);
    return limits;
  }

  Vm& vm_;
  RunningCode outer_;
  CallBudget budget_;
};

}  // namespace

void DeferStack::add(lua_State* lua) {
  if (count_ >= kMost) luaL_error(lua, "defer: more than %d callbacks in one call", kMost);
  if (reference_ == LUA_NOREF) {
    lua_createtable(lua, 4, 0);
    reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_);
  lua_insert(lua, -2);
  lua_rawseti(lua, -2, count_ + 1);
  ++count_;
  lua_pop(lua, 1);
}

bool DeferStack::run_for(lua_State* lua, std::string_view call_name, milliseconds slice) {
  const auto start = thread_time();
  while (count_ > 0) {
    const auto spent = thread_time() - start;
    if (spent >= slice) {
      used_ += spent;
      return false;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(kTimeForAll - used_ - spent);
    if (++runs_ > kMost) {  // callbacks that defer themselves again
      Vm::of(lua).host().warn(fmt::format("{}: defer: callbacks without end, dropped", call_name));
      count_ = 0;
      break;
    }
    const DeferScope scope(lua, std::clamp(left, kMoment, kTimeForOne));
    run_last(lua, call_name);
  }
  used_ = {};
  runs_ = 0;
  return true;
}

void DeferStack::run_last(lua_State* lua, std::string_view call_name) {
  lua_pushcfunction(lua, add_traceback);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_);
  lua_rawgeti(lua, -1, count_);
  lua_pushnil(lua);
  lua_rawseti(lua, -3, count_);
  --count_;
  lua_remove(lua, -2);
  Vm& vm = Vm::of(lua);
  const int status = lua_pcall(lua, 0, 0, -2);
  if (status != LUA_OK) {
    const CallBudget& budget = *vm.running.budget;
    const std::string text = budget.is_exceeded() ? budget.exceeded_message() : error_text(lua, -1);
    vm.host().warn(fmt::format("{}: defer: {}", call_name, text));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

void DeferStack::close(lua_State* lua) {
  luaL_unref(lua, LUA_REGISTRYINDEX, reference_);
  reference_ = LUA_NOREF;
  count_ = 0;
}

}  // namespace heddle::script
