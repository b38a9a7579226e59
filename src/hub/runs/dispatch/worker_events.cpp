#include "hub/runs/dispatch/worker_events.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"

namespace heddle::hub {

using supervise::SlotEventKind;

namespace {

constexpr const char* kNoteName = "workers";  // the last event

bool is_trouble(SlotEventKind kind) {
  return kind == SlotEventKind::crash || kind == SlotEventKind::unpublished ||
         kind == SlotEventKind::start_failed || kind == SlotEventKind::gave_up;
}

}  // namespace

void log_worker_event(const supervise::SlotEvent& event, Log& log) {
  switch (event.kind) {
    case SlotEventKind::crash:
    case SlotEventKind::unpublished:
      log.error(fmt::format("{} (pid {}) died: {}", event.name, event.pid, event.detail));
      break;
    case SlotEventKind::start_failed:
      log.error(fmt::format("{} could not be started: {}", event.name, event.detail));
      break;
    case SlotEventKind::gave_up:
      log.error(fmt::format(
          "{} is not restarted any more: {}; `heddle workers restart {}` starts it again",
          event.name, event.detail, event.number));
      break;
    default:
      break;
  }
}

void WorkerEventHistory::record(const supervise::SlotEvent& event, const std::string& job) {
  const bool has_recovered =
      event.kind == SlotEventKind::ready && without_worker_.erase(event.slot.slot) > 0;
  if (is_trouble(event.kind))
    without_worker_.insert(event.slot.slot);
  else if (!has_recovered)
    return;
  const std::string kind(has_recovered ? "recovered" : supervise::name_of(event.kind));
  store::Note note;
  note.name = kNoteName;
  note.value = fmt::format("{}: {}", event.name, kind);
  note.event = "worker." + kind;
  note.event_data = {{"slot", event.name}};
  if (event.pid > 0) note.event_data.emplace_back("pid", std::to_string(event.pid));
  if (!event.detail.empty()) note.event_data.emplace_back("detail", event.detail);
  if (!job.empty()) note.event_data.emplace_back("job", job);
  boost::asio::co_spawn(loop_, write(std::move(note), event.time), rethrow_bug);
}

Async<void> WorkerEventHistory::write(store::Note note, WallTime at) {
  const std::string what = note.value;
  const auto written = co_await history_.put_note(std::move(note), at);
  if (!written) log_.warn(fmt::format("{} could not be stored: {}", what, written.error().message));
}

}  // namespace heddle::hub
