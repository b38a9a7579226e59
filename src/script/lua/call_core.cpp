#include "script/lua/call_core.hpp"

#include <algorithm>

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
  int arguments = 0;
  if (state_ == State::fresh) {
    arguments = lua_gettop(thread_) - 1 - kept_;
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
  return finish(status, results);
}

Step CallCore::finish(int status, int results) {
  if (status < LUA_OK) {
    abandon();
  } else if (status == LUA_OK) {
    take_result(results);
    end();
  } else {
    take_failure(status);
    end();
  }
  return Step::finished;
}

// Something other than a Lua error came through Lua: nothing of this VM can be relied on.
void CallCore::abandon() {
  vm_.set_broken();
  error_ = Error{ErrorCode::bug, name_ + ": a C++ exception left a binding"};
  leave();
  state_ = State::finished;
  thread_ = nullptr;
}

void CallCore::take_failure(int status) {
  Location location = place_and_traceback(thread_);
  std::string text;
  if (budget_.is_cut()) {
    text = budget_.cut_place() + ": " + budget_.cut_reason();
  } else {
    text = status == LUA_ERRMEM ? location.place + ": not enough memory (script.memory)"
                                : error_text(thread_, -1);
    text += location.traceback;
  }
  error_ = Error{budget_.is_cut() ? ErrorCode::timeout : ErrorCode::script_failed, std::move(text)};
}

void CallCore::take_result(int results) {
  // Lua counts all values on the thread as results, and may have none for us.
  if (results == kept_)
    lua_pushnil(thread_);
  else
    lua_settop(thread_, kept_ + 1);
  const auto read = [this](lua_State* lua) {
    read_result(lua);
    return 0;
  };
  const int status = protect(thread_, read, 1);
  if (status != LUA_OK) take_failure(status);
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
  leave();
  if (!vm_.paused.empty())
    std::erase_if(vm_.paused, [this](const auto& entry) { return entry.second == this; });
  restore_pace(thread_);
  vm_.threads().give_back(vm_.main(), thread_);
  thread_ = nullptr;
}

}  // namespace heddle::script
