// Packs page and run reports.
#pragma once

#include "ipc/values/run.hpp"
#include "ipc/values/task.hpp"
#include "model/run/page_report.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(ExtractCost, decode, parse, select);
HEDDLE_IPC_FIELDS(StageCosts, stages, extract, cycles);
HEDDLE_IPC_FIELDS(PageReport, task, state, is_unchanged, items, bytes, error, wait);
HEDDLE_IPC_FIELDS(PagesReport, pages, items, errors, bytes, costs, store_failed, ran_out_of_time);

}  // namespace heddle::ipc
