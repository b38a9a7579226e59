// Packs items.
#pragma once

#include "ipc/values/ids.hpp"
#include "model/run/item.hpp"
#include "model/run/page_result.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(Item, fields, matches, values_json);
HEDDLE_IPC_FIELDS(KeyedItem, key, item);

}  // namespace heddle::ipc
