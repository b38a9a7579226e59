// Packs tasks, retries and failures.
#pragma once

#include "ipc/values/ids.hpp"
#include "ipc/values/run.hpp"
#include "ipc/values/trace.hpp"
#include "model/run/page_result.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(PageCost, cpu, slot);
HEDDLE_IPC_FIELDS(Task, run, number, url, attempt);
HEDDLE_IPC_FIELDS(Lease, task, token);
HEDDLE_IPC_FIELDS(TaskRetry, lease, error, due_at, trace, at, cost);
HEDDLE_IPC_FIELDS(TaskDeath, lease, job, error, at, keep_dead_letter, trace, cost);

}  // namespace heddle::ipc
