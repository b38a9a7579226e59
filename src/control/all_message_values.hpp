// For tests and fuzz targets: lists every type that is part of a message.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "control/verbs.hpp"
#include "ipc/worker_messages.hpp"

namespace heddle::ipc::testing {

using namespace control;

// A fuzz input selects a type by its index: append new ones.
using AllValues = std::tuple<
    std::optional<Error>, Result<CommitReceipt>, Result<std::vector<Lease>>, Status, Hash128,
    WallTime, RunState, Item, KeyedItem, Delivery, StageTrace, CycleTrace, PageCounts, ItemCounts,
    RunError, Run, Task, Lease, TaskRetry, TaskDeath, PageMemory, Snapshot, PageResult,
    CommitReceipt, std::map<std::string, std::optional<std::int64_t>>,
    std::vector<std::pair<bool, std::uint16_t>>, TaskBatch, LeaseTasks, AcquireHost, HostGranted,
    ReleaseHost, SlowDownHost, SetHostDelay, PageReported, RunEnded, WorkerLogLine, StartRun,
    StopRun, WorkerStatus, DaemonStatus, RestartWorker, RunJob, FollowedRun, PageReport, ActOnJobs,
    JobActionResult, Reload, ReloadReport, InvalidFile, ChangedSetting, RunCharge, ActOnDeadLetters,
    DeadLettersDone, MetricsText, Done, ShutDown>;

}  // namespace heddle::ipc::testing
