// filter_item for a whole list on one Lua thread: one call to the engine, one per item to the
// script.
#pragma once

#include "script/call.hpp"
#include "script/job_script.hpp"
#include "script/lua/call_core.hpp"

namespace heddle::script {

class FilterCall final : public HookCall<JobScript::Items>, private CallCore {
 public:
  // The reference is that of the hook's function in the registry.
  FilterCall(Vm& vm, int function, const CycleContext& context, const JobScript::Items& items);

  Step resume() override { return step(); }
  Want take_want() override { return hand_over_want(); }
  void answer(Answer answer) override { put_answer(std::move(answer)); }
  [[nodiscard]] Deadline deadline() const override { return budget().deadline(); }
  HookEnd<JobScript::Items> take() override;

 private:
  static int start(lua_State* lua);
  static int go_on(lua_State* lua, int status, lua_KContext context);
  int filter_rest(lua_State* lua);
  int call_hook(lua_State* lua);
  void finish_item(lua_State* lua, int status);
  void keep_returned(lua_State* lua);
  void keep_failed(const std::string& message);
  void read_result(lua_State* /*lua*/) override {}

  int function_;
  const CycleContext& cycle_;
  JobScript::Items items_;
  JobScript::Items kept_;
  std::size_t next_ = 0;
  std::size_t failures_ = 0;
  std::string first_failure_;
};

}  // namespace heddle::script
