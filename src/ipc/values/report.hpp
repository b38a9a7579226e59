// Packs page and run reports.
#pragma once

#include "ipc/values/run.hpp"
#include "ipc/values/task.hpp"
#include "model/run/execution_result.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(ExtractCost, decode, parse, select);
HEDDLE_IPC_FIELDS(StageCosts, stages, extract, cycles);
HEDDLE_IPC_FIELDS(PageReport, task, state, is_unchanged, items, bytes, error, wait);
HEDDLE_IPC_FIELDS(ProgramExit, code, signal);
HEDDLE_IPC_FIELDS(RunOutcome, state, exit, reason, message, never_started);
HEDDLE_IPC_FIELDS(ExecutionResult, end, outcome, errors, costs, is_quarantined, run);

}  // namespace heddle::ipc
