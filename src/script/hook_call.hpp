// A call that gives a T, for any T: how its result is read comes as a function.
#pragma once

#include <functional>
#include <memory>

#include "script/call.hpp"
#include "script/cycle_context.hpp"
#include "script/lua/call_core.hpp"

namespace heddle::script {

template <class T>
class ScriptCall final : public HookCall<T>, private CallCore {
 public:
  // Reads the value at index 1, neither nil nor false, in protected mode; raises if it is no T.
  using Read = std::function<T(lua_State*)>;

  ScriptCall(Vm& vm, std::string name, const CycleContext* context, Read read)
      : CallCore(vm, std::move(name), context), read_(std::move(read)) {}

  // Once, before the first resume.
  using CallCore::prepare;

  Step resume() override { return step(); }
  Want take_want() override { return hand_over_want(); }
  void answer(Answer answer) override { put_answer(std::move(answer)); }
  [[nodiscard]] Deadline deadline() const override { return budget().deadline(); }

  HookEnd<T> take() override {
    HookEnd<T> end;
    end.value = std::move(value_);
    end.error = std::move(error());
    end.was_cut = budget().is_cut();
    if (end.error) end.value.reset();
    return end;
  }

 private:
  void read_result(lua_State* lua) override {
    if (lua_toboolean(lua, 1) != 0) value_ = read_(lua);
  }

  Read read_;
  std::optional<T> value_;
};

// Whatever it returns does not matter.
template <>
inline void ScriptCall<Nothing>::read_result(lua_State* /*lua*/) {
  value_ = Nothing{};
}

}  // namespace heddle::script
