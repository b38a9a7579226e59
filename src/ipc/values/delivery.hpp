// Packs deliveries.
#pragma once

#include "ipc/values/ids.hpp"
#include "model/notify/delivery.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(Delivery, id, job, run, kind, payload, attempts, created_at, due_at, channel);

}  // namespace heddle::ipc
