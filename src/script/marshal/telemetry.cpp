#include "script/marshal/telemetry.hpp"

#include <lua.hpp>

#include "script/cycle_context.hpp"
#include "script/marshal/push.hpp"

namespace heddle::script {
namespace {

const CycleTrace kNoTrace;

double milliseconds(std::chrono::microseconds duration) {
  return static_cast<double>(duration.count()) / 1000.0;
}

bool has_run(const StageTrace& trace) {
  return trace.status == StageStatus::success || trace.status == StageStatus::error;
}

void push_stage(lua_State* lua, const NamedStage& stage) {
  const StageTrace& trace = stage.trace;
  lua_createtable(lua, 0, 9);
  set_text(lua, "name", stage.name);
  set_text(lua, "status", to_text(trace.status));
  set_text(lua, "type", stage.type == StageType::hook ? "hook" : "internal");
  if (has_run(trace)) set_number(lua, "offset_ms", milliseconds(trace.offset));
  set_number(lua, "duration_ms", milliseconds(trace.duration));
  set_number(lua, "lua_mem_bytes", static_cast<double>(trace.lua_mem_bytes));
  set_number(lua, "mem_delta_bytes", static_cast<double>(trace.mem_delta_bytes));
  set_number(lua, "browsers", trace.browsers);
  if (trace.status == StageStatus::error) set_text(lua, "error", trace.note);
}

// [telemetry, stages, map]
void push_stages(lua_State* lua, const CycleTrace& trace) {
  constexpr int kCount = kTelemetryStageCount;
  lua_createtable(lua, kCount, 0);
  lua_createtable(lua, 0, kCount);
  for (int i = 0; i < kCount; ++i) {
    const NamedStage stage = telemetry_stage(trace, static_cast<std::size_t>(i));
    push_stage(lua, stage);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -4, i + 1);
    push_text(lua, stage.name);
    lua_insert(lua, -2);
    lua_rawset(lua, -3);
  }
}

}  // namespace

void push_telemetry(lua_State* lua, const CycleContext& context) {
  lua_createtable(lua, 0, 5);
  fill_telemetry(lua, context);
}

void fill_telemetry(lua_State* lua, const CycleContext& context) {
  luaL_checkstack(lua, 10, "too many values");
  const CycleFacts& facts = context.facts();
  set_text(lua, "job_name", facts.job_name);
  set_number(lua, "start_time", facts.start_time);
  set_number(lua, "total_duration_ms", milliseconds(context.age()));
  const CycleTrace* trace = context.trace();
  push_stages(lua, trace != nullptr ? *trace : kNoTrace);
  lua_setfield(lua, -3, "map");
  lua_setfield(lua, -2, "stages");
}

}  // namespace heddle::script
