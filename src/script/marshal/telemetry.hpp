// Builds ctx.telemetry when a script reads it. May raise.
#pragma once

struct lua_State;

namespace heddle::script {

class CycleContext;

void push_telemetry(lua_State* lua, const CycleContext& context);
// Brings the table on top of the stack up to date.
void fill_telemetry(lua_State* lua, const CycleContext& context);

}  // namespace heddle::script
