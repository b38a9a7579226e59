#include "views/worker_view.hpp"

namespace heddle::views {

void write_worker(JsonWriter& json, const control::WorkerStatus& worker) {
  json.begin_object();
  json.field("slot", worker.number).field("name", worker.name).field("state", worker.state);
  json.key("pid");
  worker.pid != 0 ? json.value(worker.pid) : json.null();
  json.field("occurrence", worker.occurrence).field("uptime_ms", worker.uptime);
  json.field("rss_bytes", worker.rss_bytes);
  json.field("restarts_in_window", worker.restarts_in_window).field("jobs", worker.jobs);
  json.key("working_on");
  worker.working_on.empty() ? json.null() : json.value(worker.working_on);
  json.key("last_event");
  if (worker.last_event.empty()) {
    json.null();
  } else {
    json.begin_object().field("reason", worker.last_event).field("time", worker.last_event_at);
    json.field("detail", worker.last_event_detail).end_object();
  }
  json.end_object();
}

}  // namespace heddle::views
