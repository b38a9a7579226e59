// One call on its Lua thread, whatever it returns: arguments go in, wants come out, the budget is
// kept, the defers run at the end.
#pragma once

#include <optional>
#include <string>

#include <lua.hpp>

#include "base/result.hpp"
#include "script/call.hpp"
#include "script/lua/defers.hpp"
#include "script/lua/log_allowance.hpp"
#include "script/lua/protect.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {

class CycleContext;

class CallCore {
 public:
  // The name is what messages call it: "before_fetch" or a file.
  CallCore(Vm& vm, std::string name, const CycleContext* context);
  virtual ~CallCore();
  CallCore(const CallCore&) = delete;
  CallCore& operator=(const CallCore&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] lua_State* thread() const { return thread_; }
  [[nodiscard]] Defers& defers() { return defers_; }
  [[nodiscard]] LogAllowance& log_allowance() { return log_allowance_; }
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  [[nodiscard]] const CycleContext* context() const { return context_; }
  void forget_context() { context_ = nullptr; }

  // From a binding: what it wants is kept here, and the thread is to yield now.
  void put_want(const char* binding, Want want);
  [[nodiscard]] const char* wanting() const { return binding_; }
  [[nodiscard]] Answer take_answer();

 protected:
  // push(lua) leaves the function and its arguments on the stack and returns how many values those
  // are, all in protected mode. The lowest `kept` ones are not part of the call: they only live as
  // long as it does.
  template <class Push>
  void prepare(Push&& push, int kept = 0) {
    if (thread_ == nullptr) return;
    kept_ = kept;
    lua_pushcfunction(thread_, run_protected);
    lua_pushlightuserdata(thread_, this);
    const int status = protect(thread_, push, 0, LUA_MULTRET);
    if (status != LUA_OK) fail_to_prepare(status);
  }

  // Keeps what the call returned. In protected mode; the value is at index 1, and raising an error
  // says what is wrong with it.
  virtual void read_result(lua_State* lua) = 0;

  Step step();
  Want hand_over_want() { return std::move(*std::exchange(want_, std::nullopt)); }
  void put_answer(Answer answer) { answer_ = std::move(answer); }

  [[nodiscard]] Vm& vm() { return vm_; }
  [[nodiscard]] RunBudget& budget() { return budget_; }
  [[nodiscard]] const RunBudget& budget() const { return budget_; }
  [[nodiscard]] std::optional<Error>& error() { return error_; }

 private:
  enum class State { fresh, waiting, deferring, finished };

  void fail_to_prepare(int status);
  void enter();
  void leave();
  static int run_protected(lua_State* lua);
  static int finish_protected(lua_State* lua, int status, lua_KContext context);
  void take_result(lua_State* lua);
  void take_failure(lua_State* lua, int status);
  Step run_defers();
  void end();
  void tell_left_out_lines();
  void abandon();

  Vm& vm_;
  std::string name_;
  const CycleContext* context_;
  std::uint64_t serial_;
  lua_State* thread_;
  int kept_ = 0;
  RunBudget budget_;
  Defers defers_;
  LogAllowance log_allowance_;
  State state_ = State::fresh;
  const char* binding_ = "";
  std::optional<Want> want_;
  std::optional<Answer> answer_;
  std::optional<Error> error_;
};

}  // namespace heddle::script
