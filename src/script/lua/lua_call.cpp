#include "script/lua/lua_call.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "script/cycle_context.hpp"
#include "script/lua/error_text.hpp"
#include "script/lua/interrupt.hpp"

namespace heddle::script {
namespace {

std::uint64_t next_serial(Vm& vm) {
  return ++vm.last_serial;
}

}  // namespace

LuaCall::LuaCall(Vm& vm, std::string name, const CycleContext* context)
    : vm_(vm),
      name_(std::move(name)),
      context_(context),
      serial_(next_serial(vm)),
      thread_(vm.is_broken() ? nullptr : vm.threads().acquire(vm.main())),
      budget_(vm.settings().limits) {
  vm_.calls.push_back(this);
  if (thread_ == nullptr) fail_to_prepare(LUA_ERRMEM);
}

LuaCall::~LuaCall() {
  if (state_ != State::finished) end();
  std::erase(vm_.calls, this);
}

void LuaCall::fail_to_prepare(int status) {
  if (status == LUA_ERRMEM) {
    vm_.set_broken();
    error_ = Error{ErrorCode::script_failed, name_ + ": not enough memory (script.memory)"};
  } else {
    error_ = Error{ErrorCode::script_failed, error_text(thread_, -1)};
  }
}

void LuaCall::set_want(const char* binding, Want want) {
  binding_ = binding;
  want_ = std::move(want);
  vm_.running.yield_reason = YieldReason::want;
}

Answer LuaCall::take_answer() {
  if (!answer_) return Raise{"the engine gave no answer"};
  return std::move(*std::exchange(answer_, std::nullopt));
}

void LuaCall::enter_vm() {
  vm_.running = {.call = this, .budget = &budget_, .thread = thread_, .can_wait = true};
  budget_.start_clock();
}

void LuaCall::exit_vm() {
  budget_.stop_clock();
  vm_.running = {};
}

ResumeResult LuaCall::advance() {
  if (state_ == State::finished) return ResumeResult::finished;
  if (error_) {
    end();
    return ResumeResult::finished;
  }
  set_cycle_globals(vm_, context_);
  if (state_ == State::fresh) update_telemetry_global(vm_, context_);
  enter_vm();
  if (state_ == State::deferring) return run_defers();
  int arguments = 0;
  if (state_ == State::fresh) {
    arguments = lua_gettop(thread_) - 1;
  } else {
    budget_
        .check();  // it may have waited past its deadline: then it is terminated where it resumes
  }
  state_ = State::waiting;
  int results = 0;
  const int status = lua_resume(thread_, nullptr, arguments, &results);
  if (status == LUA_YIELD) {
    const ResumeResult result = vm_.running.yield_reason == YieldReason::want
                                    ? ResumeResult::wants
                                    : ResumeResult::slice_ended;
    exit_vm();
    return result;
  }
  if (status < LUA_OK) {
    abandon();
    return ResumeResult::finished;
  }
  if (status != LUA_OK) take_failure(thread_, status);
  return run_defers();
}

// Other jobs may run between two callbacks.
ResumeResult LuaCall::run_defers() {
  state_ = State::deferring;
  if (!defers_.is_empty()) {
    if (lua_status(thread_) != LUA_OK) lua_resetthread(thread_);  // runs pending __close handlers
    lua_settop(thread_, 0);
    if (!defers_.run_for(thread_, name_, vm_.settings().limits.slice)) {
      exit_vm();
      return ResumeResult::slice_ended;
    }
  }
  end();
  return ResumeResult::finished;
}

// The body of the thread; calls the script's function in protected mode. Without it an error raised
// by the count hook would leave the thread with hooks disabled, so that its __close handlers, and
// the next call on it, could run forever.
int LuaCall::run_protected(lua_State* lua) {
  auto* self = static_cast<LuaCall*>(lua_touserdata(lua, 1));
  lua_pushcfunction(lua, add_traceback);
  lua_replace(lua, 1);
  const int arguments = lua_gettop(lua) - 2 - self->kept_;
  const int status = lua_pcallk(lua, arguments, 1, 1, 0, finish_protected);
  return finish_protected(lua, status, 0);
}

int LuaCall::finish_protected(lua_State* lua, int status, lua_KContext /*context*/) {
  LuaCall* call = Vm::of(lua).running.call;
  if (status == LUA_OK || status == LUA_YIELD)
    call->take_result(lua);
  else
    call->take_failure(lua, status);
  return 0;
}

// The result is on top.
void LuaCall::take_result(lua_State* lua) {
  const auto read = [this](lua_State* inner) {
    read_result(inner);
    return 0;
  };
  const int status = protect(lua, read, 1);
  if (status != LUA_OK) take_failure(lua, status);
}

// The error is on top, with a traceback if it has one.
void LuaCall::take_failure(lua_State* lua, int status) {
  if (budget_.is_exceeded()) {
    error_ = Error{ErrorCode::timeout, budget_.exceeded_message()};
  } else if (status == LUA_ERRMEM) {
    error_ = Error{ErrorCode::script_failed, name_ + ": not enough memory (script.memory)"};
  } else {
    error_ = Error{ErrorCode::script_failed, error_text(lua, -1)};
  }
}

// An exception other than a Lua error passed through Lua: the VM is in an unknown state.
void LuaCall::abandon() {
  vm_.set_broken();
  error_ = Error{ErrorCode::bug, name_ + ": a C++ exception left a binding"};
  exit_vm();
  state_ = State::finished;
  thread_ = nullptr;
}

// Closes pending variables, runs the deferred callbacks and releases the thread.
void LuaCall::end() {
  state_ = State::finished;
  if (thread_ == nullptr) return;
  if (vm_.running.call != this) enter_vm();
  if (lua_status(thread_) != LUA_OK) lua_resetthread(thread_);  // runs pending __close handlers
  lua_settop(thread_, 0);
  defers_.run(thread_, name_);
  defers_.close(thread_);
  report_dropped_lines();
  exit_vm();
  if (!vm_.waiting_coroutines.empty())
    std::erase_if(vm_.waiting_coroutines,
                  [this](const auto& entry) { return entry.second == this; });
  restore_interrupt_interval(thread_);
  vm_.threads().release(vm_.main(), thread_);
  thread_ = nullptr;
}

void LuaCall::report_dropped_lines() {
  if (log_quota_.dropped() == 0) return;
  vm_.host().warn(fmt::format("{}: {} left out of the live log (a call may write {} lines, {} MB)",
                              name_,
                              counted(log_quota_.dropped(), "more line was", "more lines were"),
                              LogQuota::kMaxLines, LogQuota::kMaxBytes / 1'000'000));
}

}  // namespace heddle::script
