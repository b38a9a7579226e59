// FilterCall runs filter_item for a whole list on one Lua thread: one call for the engine, one per
// item for the script.
#pragma once

#include "script/job_script.hpp"
#include "script/lua/lua_call.hpp"
#include "script/script_call.hpp"

namespace heddle::script {

class FilterCall final : public HookCall<FilteredItems>, private LuaCall {
 public:
  // `function` is the registry reference of the hook's function.
  FilterCall(Vm& vm, int function, const CycleContext& context, const JobScript::Items& items);

  ResumeResult resume() override { return advance(); }
  Want take_want() override { return take_pending_want(); }
  void answer(Answer answer) override { set_answer(std::move(answer)); }
  [[nodiscard]] Deadline deadline() const override { return budget().deadline(); }
  HookResult<FilteredItems> take() override;

 private:
  static int start(lua_State* lua);
  static int continue_item(lua_State* lua, int status, lua_KContext context);
  int filter_rest(lua_State* lua);
  int call_hook(lua_State* lua);
  void finish_item(lua_State* lua, int status);
  void keep_returned(lua_State* lua);
  void take_failed(const std::string& message);
  void read_result(lua_State* /*lua*/) override {}

  int function_;
  const CycleContext& cycle_;
  JobScript::Items items_;
  FilteredItems filtered_;
  std::size_t next_ = 0;
  std::size_t failures_ = 0;
  std::string first_failure_;
};

}  // namespace heddle::script
