// Packs page results.
#pragma once

#include "ipc/values/delivery.hpp"
#include "ipc/values/ids.hpp"
#include "ipc/values/item.hpp"
#include "ipc/values/task.hpp"
#include "ipc/values/trace.hpp"
#include "model/run/page_result.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(PageMemory, etag, last_modified, body_hash, text_hash, rules_hash, item_count);
HEDDLE_IPC_FIELDS(Snapshot, content_hash, size, compressed);
HEDDLE_IPC_FIELDS(PageResult, lease, job, outcome, final_url, fetched_at, http_status, bytes,
                  unchanged, memory, keys, new_items, snapshot, deliveries, items_seen,
                  price_changes, trace, cost);
HEDDLE_IPC_FIELDS(CommitReceipt, new_items, repeated);

}  // namespace heddle::ipc
