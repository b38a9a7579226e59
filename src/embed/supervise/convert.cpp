#include "embed/supervise/convert.hpp"

#include <array>
#include <utility>

#include "embed/supervise/control_state.hpp"

namespace heddle {

namespace {

using supervise::SlotEventKind;

constexpr std::array kReasons = {
    std::pair{SlotEventKind::crash, Reason::crash},
    std::pair{SlotEventKind::normal_exit, Reason::normal_exit},
    std::pair{SlotEventKind::unpublished, Reason::unpublished},
    std::pair{SlotEventKind::started, Reason::started},
    std::pair{SlotEventKind::ready, Reason::ready},
    std::pair{SlotEventKind::draining, Reason::draining},
    std::pair{SlotEventKind::start_failed, Reason::start_failed},
    std::pair{SlotEventKind::countdown, Reason::countdown},
    std::pair{SlotEventKind::gave_up, Reason::gave_up},
};

Reason reason_of(SlotEventKind kind) {
  for (const auto& [inner, reason] : kReasons)
    if (inner == kind) return reason;
  return Reason::crash;
}

}  // namespace

std::string_view to_string(Reason reason) {
  for (const auto& [inner, outer] : kReasons)
    if (outer == reason) return supervise::name_of(inner);
  return "unknown";
}

namespace embed {

ProcessEvent to_public(const supervise::SlotEvent& event) {
  ProcessEvent shown;
  shown.slot = event.slot.slot;
  shown.name = event.name;
  shown.occurrence = event.slot.occurrence;
  shown.pid = event.pid;
  shown.reason = reason_of(event.kind);
  shown.exit_code = event.exit_code;
  shown.signal = event.signal;
  shown.uptime = event.uptime;
  shown.time = event.time;
  shown.detail = event.detail;
  shown.working_on = event.working_on;
  shown.delay = event.delay;
  return shown;
}

RecoveryInfo to_public(const supervise::CrashReport& info) {
  RecoveryInfo shown;
  shown.slot = info.slot.slot;
  shown.name = info.name;
  shown.occurrence = info.slot.occurrence;
  shown.pid = info.pid;
  shown.exit_code = info.exit_code;
  shown.signal = info.signal;
  shown.restarts_in_window = info.restarts_in_window;
  shown.uptime = info.uptime;
  shown.reason = reason_of(info.reason);
  return shown;
}

ShutdownReport to_public(const supervise::StopReport& report) {
  ShutdownReport shown;
  for (const supervise::Straggler& straggler : report.killed)
    shown.killed.push_back({straggler.slot.slot, straggler.name, straggler.pid});
  return shown;
}

Severity to_public(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return Severity::debug;
    case LogLevel::info:
      return Severity::info;
    case LogLevel::warning:
      return Severity::warning;
    case LogLevel::error:
      break;
  }
  return Severity::error;
}

supervise::RespawnPolicy to_inner(RecoveryPolicy policy) {
  if (!policy) return nullptr;
  return [policy = std::move(policy)](const supervise::CrashReport& info) {
    return policy(to_public(info));
  };
}

supervise::RespawnRunner to_inner(RecoveryRunner runner) {
  if (!runner) return nullptr;
  return [runner = std::move(runner)](const supervise::CrashReport& info,
                                      const supervise::RespawnControl& control) {
    runner(to_public(info), RecoveryControl(std::make_shared<RecoveryControl::State>(control)));
  };
}

supervise::SlotEventHandler to_inner(ProcessEventHandler handler) {
  if (!handler) return nullptr;
  return [handler = std::move(handler)](const supervise::SlotEvent& event) {
    handler(to_public(event));
  };
}

supervise::RestartPolicy to_inner(const RestartRules& rules) {
  return {rules.delay, rules.backoff, rules.backoff_cap, rules.max_restarts, rules.window};
}

}  // namespace embed
}  // namespace heddle
