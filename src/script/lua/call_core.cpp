#include "script/lua/call_core.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "script/cycle_context.hpp"
#include "script/lua/error_text.hpp"
#include "script/lua/interrupt.hpp"

namespace heddle::script {
namespace {

std::uint64_t next_serial(Vm& vm) {
  return ++vm.last_serial;
}

}  // namespace

CallCore::CallCore(Vm& vm, std::string name, const CycleContext* context)
    : vm_(vm),
      name_(std::move(name)),
      context_(context),
      serial_(next_serial(vm)),
      thread_(vm.is_broken() ? nullptr : vm.threads().take(vm.main())),
      budget_(vm.settings().limits) {
  vm_.calls.push_back(this);
  if (thread_ == nullptr) fail_to_prepare(LUA_ERRMEM);
}

CallCore::~CallCore() {
  if (state_ != State::finished) end();
  std::erase(vm_.calls, this);
}

void CallCore::fail_to_prepare(int status) {
  if (status == LUA_ERRMEM) {
    vm_.set_broken();
    error_ = Error{ErrorCode::script_failed, name_ + ": not enough memory (script.memory)"};
  } else {
    error_ = Error{ErrorCode::script_failed, error_text(thread_, -1)};
  }
}

void CallCore::put_want(const char* binding, Want want) {
  binding_ = binding;
  want_ = std::move(want);
  vm_.running.pause = Pause::want;
}

Answer CallCore::take_answer() {
  if (!answer_) return Raise{"the engine gave no answer"};
  return std::move(*std::exchange(answer_, std::nullopt));
}

void CallCore::enter() {
  vm_.running = {.call = this, .budget = &budget_, .thread = thread_, .can_wait = true};
  budget_.enter();
}

void CallCore::leave() {
  budget_.leave();
  vm_.running = {};
}

Step CallCore::step() {
  if (state_ == State::finished) return Step::finished;
  if (error_) {
    end();
    return Step::finished;
  }
  show_globals_of(vm_, context_);
  enter();
  if (state_ == State::deferring) return run_defers();
  int arguments = 0;
  if (state_ == State::fresh) {
    arguments = lua_gettop(thread_) - 1;
  } else {
    budget_.check();  // it may have waited past its deadline: then it is cut where it continues
  }
  state_ = State::waiting;
  int results = 0;
  const int status = lua_resume(thread_, nullptr, arguments, &results);
  if (status == LUA_YIELD) {
    const Step step = vm_.running.pause == Pause::want ? Step::wants : Step::sliced;
    leave();
    return step;
  }
  if (status < LUA_OK) {
    abandon();
    return Step::finished;
  }
  if (status != LUA_OK) take_failure(thread_, status);
  return run_defers();
}

// Between two callbacks other jobs may have their turn.
Step CallCore::run_defers() {
  state_ = State::deferring;
  if (!defers_.is_empty()) {
    if (lua_status(thread_) != LUA_OK) lua_resetthread(thread_);  // runs pending __close handlers
    lua_settop(thread_, 0);
    if (!defers_.run_for(thread_, name_, vm_.settings().limits.slice)) {
      leave();
      return Step::sliced;
    }
  }
  end();
  return Step::finished;
}

// The thread's own function: calls the script's in protected mode. Without it an error raised by
// the count hook would end the thread with hooks switched off for good, so that its __close
// handlers, and whatever ran on it next, could go on for ever.
int CallCore::run_protected(lua_State* lua) {
  auto* self = static_cast<CallCore*>(lua_touserdata(lua, 1));
  lua_pushcfunction(lua, add_traceback);
  lua_replace(lua, 1);
  const int arguments = lua_gettop(lua) - 2 - self->kept_;
  const int status = lua_pcallk(lua, arguments, 1, 1, 0, finish_protected);
  return finish_protected(lua, status, 0);
}

int CallCore::finish_protected(lua_State* lua, int status, lua_KContext /*context*/) {
  CallCore* call = Vm::of(lua).running.call;
  if (status == LUA_OK || status == LUA_YIELD)
    call->take_result(lua);
  else
    call->take_failure(lua, status);
  return 0;
}

// The result is on top.
void CallCore::take_result(lua_State* lua) {
  const auto read = [this](lua_State* inner) {
    read_result(inner);
    return 0;
  };
  const int status = protect(lua, read, 1);
  if (status != LUA_OK) take_failure(lua, status);
}

// The error is on top, with a traceback if it has one.
void CallCore::take_failure(lua_State* lua, int status) {
  if (budget_.is_cut()) {
    error_ = Error{ErrorCode::timeout, budget_.cut_message()};
  } else if (status == LUA_ERRMEM) {
    error_ = Error{ErrorCode::script_failed, name_ + ": not enough memory (script.memory)"};
  } else {
    error_ = Error{ErrorCode::script_failed, error_text(lua, -1)};
  }
}

// Something other than a Lua error came through Lua: nothing of this VM can be relied on.
void CallCore::abandon() {
  vm_.set_broken();
  error_ = Error{ErrorCode::bug, name_ + ": a C++ exception left a binding"};
  leave();
  state_ = State::finished;
  thread_ = nullptr;
}

// Closes what is open, runs the defers, and gives the thread back.
void CallCore::end() {
  state_ = State::finished;
  if (thread_ == nullptr) return;
  if (vm_.running.call != this) enter();
  if (lua_status(thread_) != LUA_OK) lua_resetthread(thread_);  // runs pending __close handlers
  lua_settop(thread_, 0);
  defers_.run(thread_, name_);
  defers_.close(thread_);
  tell_left_out_lines();
  leave();
  if (!vm_.paused.empty())
    std::erase_if(vm_.paused, [this](const auto& entry) { return entry.second == this; });
  restore_pace(thread_);
  vm_.threads().give_back(vm_.main(), thread_);
  thread_ = nullptr;
}

void CallCore::tell_left_out_lines() {
  if (log_allowance_.left_out() == 0) return;
  vm_.host().warn(
      fmt::format("{}: {} more lines were left out of the live log (a call may write "
                  "{} lines, {} MB)",
                  name_, log_allowance_.left_out(), LogAllowance::kMaxLines,
                  LogAllowance::kMaxBytes / 1'000'000));
}

}  // namespace heddle::script
