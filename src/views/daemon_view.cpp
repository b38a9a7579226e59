#include "views/daemon_view.hpp"

namespace heddle::views {

namespace {

void write_alert(JsonWriter& json, const SystemAlert& alert) {
  json.begin_object().field("key", alert.key).field("level", to_text(alert.level));
  json.field("text", alert.text).field("since", alert.since).end_object();
}

void write_check(JsonWriter& json, const JobStatus& status) {
  json.begin_object().field("job_id", status.job.text);
  json.field("check_state", to_text(status.check)).end_object();
}

}  // namespace

Result<DaemonView> read_daemon_view(store::Reader& reader, control::DaemonStatus daemon) {
  auto backlog = reader.backlog();
  if (!backlog) return std::move(backlog).error();
  auto failing = reader.failing_jobs();
  if (!failing) return std::move(failing).error();
  auto alerts = reader.alerts();
  if (!alerts) return std::move(alerts).error();
  return DaemonView{std::move(daemon), *backlog, std::move(*alerts), std::move(*failing)};
}

void write_daemon(JsonWriter& json, const DaemonView& view) {
  const control::DaemonStatus& daemon = view.daemon;
  json.begin_object().field("pid", daemon.pid).field("version", daemon.version);
  json.field("uptime_ms", daemon.uptime).field("jobs", daemon.jobs);
  json.field("runs_under_way", daemon.runs_under_way).field("pages_waiting", view.backlog.pages);
  json.field("messages_waiting", view.backlog.messages);
  json.field("dead_letters", view.backlog.dead_letters);
  json.field("loop_latency_us", daemon.loop_latency.count());
  json.field("database_bytes", daemon.database_bytes);
  json.key("storage").begin_object();
  json.field("used_bytes", daemon.storage_used).field("limit_bytes", daemon.storage_limit);
  json.field("level", daemon.storage_level).end_object();
  json.key("alerts").array(view.alerts, write_alert);
  json.key("checks").array(view.failing, write_check);
  json.key("workers").array(daemon.workers, write_worker);
  json.end_object();
}

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
