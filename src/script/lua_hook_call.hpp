// LuaHookCall implements HookCall<T> on a Lua thread; a function reads the result.
#pragma once

#include <functional>
#include <memory>

#include "script/cycle_context.hpp"
#include "script/lua/lua_call.hpp"
#include "script/script_call.hpp"

namespace heddle::script {

template <class T>
class LuaHookCall final : public HookCall<T>, private LuaCall {
 public:
  // Reads the value at index 1, neither nil nor false, in protected mode; raises if it is no T.
  using Read = std::function<T(lua_State*)>;

  LuaHookCall(Vm& vm, std::string name, const CycleContext* context, Read read)
      : LuaCall(vm, std::move(name), context), read_(std::move(read)) {}

  // Once, before the first resume.
  using LuaCall::prepare;

  ResumeResult resume() override { return advance(); }
  Want take_want() override { return take_pending_want(); }
  void answer(Answer answer) override { set_answer(std::move(answer)); }
  [[nodiscard]] Deadline deadline() const override { return budget().deadline(); }

  HookResult<T> take() override {
    HookResult<T> result;
    result.value = std::move(value_);
    result.error = std::move(error());
    result.exceeded_budget = budget().is_exceeded();
    if (result.error) result.value.reset();
    return result;
  }

 private:
  void read_result(lua_State* lua) override {
    if (lua_toboolean(lua, 1) != 0) value_ = read_(lua);
  }

  Read read_;
  std::optional<T> value_;
};

// The returned value is ignored.
template <>
inline void LuaHookCall<Nothing>::read_result(lua_State* /*lua*/) {
  value_ = Nothing{};
}

}  // namespace heddle::script
