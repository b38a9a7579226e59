// LuaCall runs one call on its own Lua thread: pushes arguments, yields wants, enforces the budget
// and runs the deferred callbacks at the end. Used on the VM's thread.
#pragma once

#include <optional>
#include <string>

#include <lua.hpp>

#include "base/result.hpp"
#include "script/lua/defer_stack.hpp"
#include "script/lua/log_quota.hpp"
#include "script/lua/protect.hpp"
#include "script/lua/vm.hpp"
#include "script/script_call.hpp"

namespace heddle::script {

class CycleContext;

class LuaCall {
 public:
  // `name` appears in messages: "before_fetch" or a file.
  LuaCall(Vm& vm, std::string name, const CycleContext* context);
  virtual ~LuaCall();
  LuaCall(const LuaCall&) = delete;
  LuaCall& operator=(const LuaCall&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] lua_State* thread() const { return thread_; }
  [[nodiscard]] DeferStack& defers() { return defers_; }
  [[nodiscard]] LogQuota& log_quota() { return log_quota_; }
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  [[nodiscard]] const CycleContext* context() const { return context_; }
  void clear_context() { context_ = nullptr; }

  // Called by a binding, which must yield right after it.
  void set_want(const char* binding, Want want);
  [[nodiscard]] const char* waiting_binding() const { return binding_; }
  [[nodiscard]] Answer take_answer();

 protected:
  // push(lua) leaves the function and its arguments on the stack and returns their number, in
  // protected mode. The lowest `kept` values are not part of the call, only kept alive.
  template <class Push>
  void prepare(Push&& push, int kept = 0) {
    if (thread_ == nullptr) return;
    kept_ = kept;
    lua_pushcfunction(thread_, run_protected);
    lua_pushlightuserdata(thread_, this);
    const int status = protect(thread_, push, 0, LUA_MULTRET);
    if (status != LUA_OK) fail_to_prepare(status);
  }

  // Reads the returned value at index 1, in protected mode; raises an error when it is invalid.
  virtual void read_result(lua_State* lua) = 0;

  ResumeResult advance();
  Want take_pending_want() { return std::move(*std::exchange(want_, std::nullopt)); }
  void set_answer(Answer answer) { answer_ = std::move(answer); }

  [[nodiscard]] Vm& vm() { return vm_; }
  [[nodiscard]] CallBudget& budget() { return budget_; }
  [[nodiscard]] const CallBudget& budget() const { return budget_; }
  [[nodiscard]] std::optional<Error>& error() { return error_; }

 private:
  enum class State { fresh, waiting, deferring, finished };

  void fail_to_prepare(int status);
  void enter_vm();
  void exit_vm();
  static int run_protected(lua_State* lua);
  static int finish_protected(lua_State* lua, int status, lua_KContext context);
  void take_result(lua_State* lua);
  void take_failure(lua_State* lua, int status);
  ResumeResult run_defers();
  void end();
  void report_dropped_lines();
  void abandon();

  Vm& vm_;
  std::string name_;
  const CycleContext* context_;
  std::uint64_t serial_;
  lua_State* thread_;
  int kept_ = 0;
  CallBudget budget_;
  DeferStack defers_;
  LogQuota log_quota_;
  State state_ = State::fresh;
  const char* binding_ = "";
  std::optional<Want> want_;
  std::optional<Answer> answer_;
  std::optional<Error> error_;
};

}  // namespace heddle::script
