// Packs cycle traces.
#pragma once

#include "ipc/values/generic.hpp"
#include "model/run/trace.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(StageTrace, status, duration, note, lua_mem_bytes, mem_delta_bytes, browsers);
HEDDLE_IPC_FIELDS(CycleTrace, stages);

static_assert(enum_count<Stage>() == kStageCount);

}  // namespace heddle::ipc
