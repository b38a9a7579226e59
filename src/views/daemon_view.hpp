// DaemonView is the daemon at a glance: what it reports itself and what the store holds. Plain
// values.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "control/verbs.hpp"
#include "model/job/job_status.hpp"
#include "model/json.hpp"
#include "model/notify/system_alert.hpp"
#include "store/reader.hpp"

namespace heddle::views {

struct DaemonView {
  control::DaemonStatus daemon;
  store::Backlog backlog;
  std::vector<SystemAlert> alerts;
  std::vector<JobStatus> failing;  // neither ok nor pending
};

// Blocks on the disk.
Result<DaemonView> read_daemon_view(store::Reader& reader, control::DaemonStatus daemon);
void write_daemon(JsonWriter& json, const DaemonView& view);

void write_worker(JsonWriter& json, const control::WorkerStatus& worker);

}  // namespace heddle::views
