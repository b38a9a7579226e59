#include "script/marshal/telemetry.hpp"

#include <lua.hpp>

#include "script/cycle_context.hpp"
#include "script/marshal/push.hpp"

namespace heddle::script {
namespace {

double milliseconds(std::chrono::microseconds duration) {
  return static_cast<double>(duration.count()) / 1000.0;
}

void push_stage(lua_State* lua, Stage stage, const StageTrace& trace) {
  lua_createtable(lua, 0, 8);
  set_text(lua, "name", to_text(stage));
  set_text(lua, "status", to_text(trace.status));
  set_text(lua, "type", type_of(stage) == StageType::hook ? "hook" : "internal");
  set_number(lua, "duration_ms", milliseconds(trace.duration));
  set_number(lua, "lua_mem_bytes", static_cast<double>(trace.lua_mem_bytes));
  set_number(lua, "mem_delta_bytes", static_cast<double>(trace.mem_delta_bytes));
  set_number(lua, "browsers", trace.browsers);
  if (trace.status == StageStatus::error) set_text(lua, "error", trace.note);
}

// [telemetry, stages, map]
void push_stages(lua_State* lua, const CycleTrace& trace) {
  lua_createtable(lua, static_cast<int>(kStageCount), 0);
  lua_createtable(lua, 0, static_cast<int>(kStageCount));
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    push_stage(lua, stage, trace[stage]);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -4, static_cast<lua_Integer>(i) + 1);
    push_text(lua, to_text(stage));
    lua_insert(lua, -2);
    lua_rawset(lua, -3);
  }
}

}  // namespace

void push_telemetry(lua_State* lua, const CycleContext& context) {
  luaL_checkstack(lua, 10, "too many values");
  const CycleFacts& facts = context.facts();
  lua_createtable(lua, 0, 5);
  set_text(lua, "job_name", facts.job_name);
  set_number(lua, "start_time", facts.start_time);
  set_number(lua, "total_duration_ms", milliseconds(context.age()));
  const CycleTrace* trace = context.trace();
  push_stages(lua, trace != nullptr ? *trace : CycleTrace{});
  lua_setfield(lua, -3, "map");
  lua_setfield(lua, -2, "stages");
}

}  // namespace heddle::script
