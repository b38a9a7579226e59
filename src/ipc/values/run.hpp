// Packs runs and their counts.
#pragma once

#include "ipc/values/ids.hpp"
#include "model/run/run.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(PageCounts, total, done, failed, skipped);
HEDDLE_IPC_FIELDS(ItemCounts, seen, fresh, changed, gone);
HEDDLE_IPC_FIELDS(RunError, kind, message, url);
HEDDLE_IPC_FIELDS(Run, id, job, state, trigger, attempt, revision, started_at, ended_at, pages,
                  items, errors, bytes, cpu, slots, changes, price_changes);

}  // namespace heddle::ipc
