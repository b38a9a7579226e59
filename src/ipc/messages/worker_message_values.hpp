// Packs the messages between coordinator and workers into frames. Include from source files only.
#pragma once

#include <utility>

#include "ipc/frame.hpp"
#include "ipc/messages/worker_messages.hpp"
#include "ipc/values/page.hpp"
#include "ipc/values/report.hpp"
#include "ipc/values/run.hpp"
#include "ipc/values/task.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(TaskBatch, leases, next_due, unfinished);

HEDDLE_IPC_FIELDS(LeaseTasks, run, max, now);
HEDDLE_IPC_FIELDS(RunCharge, run, cost);
HEDDLE_IPC_FIELDS(AcquireHost, request, host);
HEDDLE_IPC_FIELDS(HostGranted, request);
HEDDLE_IPC_FIELDS(ReleaseHost, request);
HEDDLE_IPC_FIELDS(SlowDownHost, host, time);
HEDDLE_IPC_FIELDS(SetHostDelay, host, delay);
HEDDLE_IPC_FIELDS(PageReported, run, page);
HEDDLE_IPC_FIELDS(RunEnded, run, result);
HEDDLE_IPC_FIELDS(WorkerLogLine, level, text);
HEDDLE_IPC_FIELDS(StartRun, run, job, revision, time_left, shares_pages);
HEDDLE_IPC_FIELDS(StopRun, run, is_final);

template <class T>
Frame to_frame(WorkerMessage type, const T& value) {
  return Frame{static_cast<std::uint16_t>(type), 0, packed(value)};
}

}  // namespace heddle::ipc
