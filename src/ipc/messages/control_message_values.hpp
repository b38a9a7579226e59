// Packs the messages of the control socket into frames. Include from source files only.
#pragma once

#include "ipc/frame.hpp"
#include "ipc/messages/control_messages.hpp"
#include "ipc/values/report.hpp"
#include "ipc/values/run.hpp"

namespace heddle::ipc {

HEDDLE_IPC_FIELDS(WorkerStatus, name, number, pid, occurrence, state, uptime, rss_bytes,
                  restarts_in_window, jobs, working_on, last_event, last_event_at,
                  last_event_detail);
HEDDLE_IPC_FIELDS(DaemonStatus, pid, version, uptime, jobs, runs_under_way, loop_latency,
                  database_bytes, storage_used, storage_limit, storage_level, workers);
HEDDLE_IPC_FIELDS(MetricsText, text);
HEDDLE_IPC_FIELDS(RestartWorker, number);
HEDDLE_IPC_FIELDS(RunJob, job, revision, dead_letters, follow_pages);
HEDDLE_IPC_FIELDS(ActOnDeadLetters, action, dead_letters);
HEDDLE_IPC_FIELDS(DeadLettersDone, count);
HEDDLE_IPC_FIELDS(ActOnJobs, action, jobs, force);
HEDDLE_IPC_FIELDS(JobActionResult, job, state, error, remark);
HEDDLE_IPC_FIELDS(Reload, dry_run);
HEDDLE_IPC_FIELDS(ChangedSetting, key, before, after, needs_restart);
HEDDLE_IPC_FIELDS(ReloadReport, added, changed, removed, broken, settings);
HEDDLE_IPC_FIELDS(FollowedRun, run, costs, messages_waiting, messages_sent, messages_dead,
                  message_errors, is_interrupted);

template <class T>
Frame to_frame(ControlMessage type, const T& value) {
  return Frame{static_cast<std::uint16_t>(type), 0, packed(value)};
}

}  // namespace heddle::ipc
