// DaemonService: measurements for alerts and metrics.
#include "app/client/engine.hpp"
#include "app/daemon/daemon_service.hpp"

namespace heddle::app {

using supervise::SlotEventKind;
using supervise::SlotState;

void DaemonService::record_worker_event(const supervise::SlotEvent& event) {
  hub::Metrics& metrics = coordinator_->metrics();
  if (event.kind == SlotEventKind::started) ++metrics.worker_starts;
  if (event.kind == SlotEventKind::crash || event.kind == SlotEventKind::unpublished)
    ++metrics.worker_deaths;
  const Job* job = coordinator_->dispatcher().job_of_mark(event.working_on);
  worker_events_.record(event, job == nullptr ? std::string() : job->id.text);
}

hub::MachineFacts DaemonService::machine_facts() {
  hub::MachineFacts facts;
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status()) {
    if (!supervise::runs_jobs(slot.kind)) continue;
    if (slot.state == SlotState::idle) continue;  // the slot for suspect jobs while there are none
    facts.workers.push_back({slot.name, slot.restarts_in_window, slot.state == SlotState::gave_up});
  }
  facts.runs = coordinator_->dispatcher().progress();
  facts.queued = scheduler_.queued_runs();
  facts.loop_latency = latency_.worst();
  return facts;
}

std::int64_t DaemonService::database_bytes() const {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(database_file(project_), unknown);
  return unknown ? 0 : static_cast<std::int64_t>(bytes);
}

control::MetricsText DaemonService::metrics() {
  hub::MetricGauges gauges;
  gauges.tasks = coordinator_->dispatcher().tasks();
  for (const auto& [job, status] : scheduler_.status_store().all())
    ++gauges.jobs.at(static_cast<std::size_t>(status.state));
  gauges.runs_under_way = static_cast<std::int64_t>(scheduler_.runs_under_way());
  gauges.runs_waiting = static_cast<std::int64_t>(scheduler_.queued_runs().count);
  for (const store::RunLoad& run : system_.load().runs) gauges.queue_pages += run.open_tasks;
  gauges.outbox_messages = system_.load().messages_waiting;
  gauges.dead_letters = system_.load().dead_letters;
  gauges.database_bytes = database_bytes();
  gauges.loop_latency = latency_.worst();
  gauges.uptime = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started_);
  for (const auto& [key, alert] : alerts_.raised())
    ++gauges.alerts.at(static_cast<std::size_t>(alert.level));
  return {hub::metrics_text(coordinator_->metrics(), gauges)};
}

}  // namespace heddle::app
