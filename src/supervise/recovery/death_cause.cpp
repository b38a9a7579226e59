#include "supervise/recovery/death_cause.hpp"

#include <array>
#include <csignal>

namespace heddle::supervise {

namespace {

enum class ExitKind {
  exited_zero,
  exited_nonzero,
  unexpected_signal,  // not sent by the supervisor
  requested_signal,   // sent because of a requested stop
  killed_as_hung,
  killed_for_frame,
  killed_lingering,
};

enum class ProcessPhase { working, draining, stop_requested };

struct DeathReasonRow {
  ExitKind kind;
  SlotEventKind working;
  SlotEventKind draining;
  SlotEventKind stop_requested;
};

// A requested stop is never a crash; an unexpected signal always is one.
constexpr auto kReasons = [] {
  using enum SlotEventKind;
  return std::to_array<DeathReasonRow>({
      {ExitKind::exited_zero, unpublished, normal_exit, normal_exit},
      {ExitKind::exited_nonzero, crash, crash, normal_exit},
      {ExitKind::unexpected_signal, crash, crash, crash},
      {ExitKind::requested_signal, crash, crash, normal_exit},
      {ExitKind::killed_as_hung, crash, crash, normal_exit},
      {ExitKind::killed_for_frame, crash, crash, crash},
      {ExitKind::killed_lingering, unpublished, normal_exit, normal_exit},
  });
}();

ExitKind exit_kind_of_killed(KillCause cause) {
  switch (cause) {
    case KillCause::hung:
      return ExitKind::killed_as_hung;
    case KillCause::bad_frame:
      return ExitKind::killed_for_frame;
    case KillCause::lingered:
      return ExitKind::killed_lingering;
    case KillCause::stop_timed_out:
    case KillCause::not_wanted:
      return ExitKind::requested_signal;
    case KillCause::none:
      break;
  }
  return ExitKind::unexpected_signal;
}

// The process may have ended before our SIGKILL: the actual exit status decides.
ExitKind exit_kind_of(const DeathFacts& facts) {
  if (facts.exit.exit_code)
    return *facts.exit.exit_code == 0 ? ExitKind::exited_zero : ExitKind::exited_nonzero;
  if (facts.exit.signal == SIGKILL) return exit_kind_of_killed(facts.kill_cause);
  if (facts.exit.signal == SIGTERM && facts.was_sent_term) return ExitKind::requested_signal;
  return ExitKind::unexpected_signal;
}

ProcessPhase phase_of(const DeathFacts& facts) {
  if (facts.was_stop_requested) return ProcessPhase::stop_requested;
  return facts.announced_draining ? ProcessPhase::draining : ProcessPhase::working;
}

SlotEventKind reason_of(ExitKind kind, ProcessPhase phase) {
  for (const DeathReasonRow& row : kReasons) {
    if (row.kind != kind) continue;
    if (phase == ProcessPhase::working) return row.working;
    return phase == ProcessPhase::draining ? row.draining : row.stop_requested;
  }
  return SlotEventKind::crash;
}

std::string detail_of(const DeathFacts& facts, ProcessPhase phase) {
  std::string text = process::describe(facts.exit);
  if (facts.exit.signal == SIGKILL && facts.kill_cause != KillCause::none)
    text += ": " + facts.kill_detail;
  if (phase == ProcessPhase::stop_requested) text += ", after a requested stop";
  if (phase == ProcessPhase::draining) text += ", while draining";
  return text;
}

}  // namespace

DeathCause classify_death(const DeathFacts& facts) {
  const ProcessPhase phase = phase_of(facts);
  const SlotEventKind reason = reason_of(exit_kind_of(facts), phase);
  return {reason, detail_of(facts, phase),
          phase == ProcessPhase::working && reason != SlotEventKind::normal_exit};
}

}  // namespace heddle::supervise
