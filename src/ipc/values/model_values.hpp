// The fields of the model's values, in the order in which they are packed.
#pragma once

#include "ipc/values/generic.hpp"
#include "model/run/execution_result.hpp"
#include "model/run/page_result.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(StageTrace, status, duration, note, lua_mem_bytes, mem_delta_bytes, browsers);
HEDDLE_IPC_FIELDS(CycleTrace, stages);

static_assert(enum_count<Stage>() == kStageCount);

HEDDLE_IPC_FIELDS(PageCounts, total, done, failed, skipped);
HEDDLE_IPC_FIELDS(ItemCounts, seen, fresh, changed, gone);
HEDDLE_IPC_FIELDS(RunError, kind, message, url);
HEDDLE_IPC_FIELDS(Run, id, job, state, trigger, attempt, revision, started_at, ended_at, pages,
                  items, errors, bytes, cpu, slots, changes, price_changes);

HEDDLE_IPC_FIELDS(PageCost, cpu, slot);
HEDDLE_IPC_FIELDS(Task, run, number, url, attempt);
HEDDLE_IPC_FIELDS(Lease, task, token);
HEDDLE_IPC_FIELDS(TaskBatch, leases, next_due, unfinished);
HEDDLE_IPC_FIELDS(TaskRetry, lease, error, due_at, trace, at, cost);
HEDDLE_IPC_FIELDS(TaskDeath, lease, job, error, at, keep_dead_letter, trace, cost);

HEDDLE_IPC_FIELDS(Delivery, id, job, run, kind, payload, attempts, created_at, due_at, channel);

HEDDLE_IPC_FIELDS(Item, fields, matches, values_json);
HEDDLE_IPC_FIELDS(KeyedItem, key, item);

HEDDLE_IPC_FIELDS(PageMemory, etag, last_modified, body_hash, text_hash, rules_hash, item_count);
HEDDLE_IPC_FIELDS(Snapshot, content_hash, size, compressed);
HEDDLE_IPC_FIELDS(PageResult, lease, job, outcome, final_url, fetched_at, http_status, bytes,
                  unchanged, memory, keys, new_items, snapshot, deliveries, items_seen,
                  price_changes, trace, cost);
HEDDLE_IPC_FIELDS(CommitReceipt, new_items, repeated);

HEDDLE_IPC_FIELDS(ExtractCost, decode, parse, select);
HEDDLE_IPC_FIELDS(StageCosts, stages, extract, cycles);
HEDDLE_IPC_FIELDS(PageReport, task, state, is_unchanged, items, bytes, error, wait);
HEDDLE_IPC_FIELDS(ProgramExit, code, signal);
HEDDLE_IPC_FIELDS(RunOutcome, state, exit, reason, message, never_started);
HEDDLE_IPC_FIELDS(ExecutionResult, end, outcome, errors, costs, is_quarantined, run);

}  // namespace heddle::ipc
