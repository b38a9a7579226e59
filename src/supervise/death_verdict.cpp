#include "supervise/death_verdict.hpp"

#include <array>
#include <csignal>

namespace heddle::supervise {

namespace {

enum class End {
  left_with_zero,
  left_with_failure,
  strange_signal,    // nobody here sent it
  requested_signal,  // sent because a stop was asked for
  killed_as_hung,
  killed_for_frame,
  killed_lingering,
};

enum class Mood { working, draining, asked_to_stop };

struct Row {
  End end;
  EventKind working;
  EventKind draining;
  EventKind asked_to_stop;
};

// A requested stop is never a crash, but a signal that nobody asked for always is one.
constexpr auto kReasons = [] {
  using enum EventKind;
  return std::to_array<Row>({
      {End::left_with_zero, unpublished, normal_exit, normal_exit},
      {End::left_with_failure, crash, crash, normal_exit},
      {End::strange_signal, crash, crash, crash},
      {End::requested_signal, crash, crash, normal_exit},
      {End::killed_as_hung, crash, crash, normal_exit},
      {End::killed_for_frame, crash, crash, crash},
      {End::killed_lingering, unpublished, normal_exit, normal_exit},
  });
}();

End end_of_killed(KillCause cause) {
  switch (cause) {
    case KillCause::hung:
      return End::killed_as_hung;
    case KillCause::bad_frame:
      return End::killed_for_frame;
    case KillCause::lingered:
      return End::killed_lingering;
    case KillCause::stop_took_too_long:
    case KillCause::not_wanted:
      return End::requested_signal;
    case KillCause::none:
      break;
  }
  return End::strange_signal;
}

// Our SIGKILL may come too late: then what really ended the process counts.
End end_of(const DeathFacts& facts) {
  if (facts.exit.exit_code)
    return *facts.exit.exit_code == 0 ? End::left_with_zero : End::left_with_failure;
  if (facts.exit.signal == SIGKILL) return end_of_killed(facts.killed_for);
  if (facts.exit.signal == SIGTERM && facts.was_sent_term) return End::requested_signal;
  return End::strange_signal;
}

Mood mood_of(const DeathFacts& facts) {
  if (facts.was_asked_to_stop) return Mood::asked_to_stop;
  return facts.announced_draining ? Mood::draining : Mood::working;
}

EventKind reason_of(End end, Mood mood) {
  for (const Row& row : kReasons) {
    if (row.end != end) continue;
    if (mood == Mood::working) return row.working;
    return mood == Mood::draining ? row.draining : row.asked_to_stop;
  }
  return EventKind::crash;
}

std::string detail_of(const DeathFacts& facts, Mood mood) {
  std::string text = process::describe(facts.exit);
  if (facts.exit.signal == SIGKILL && facts.killed_for != KillCause::none)
    text += ": " + facts.kill_detail;
  if (mood == Mood::asked_to_stop) text += ", after a requested stop";
  if (mood == Mood::draining) text += ", while draining";
  return text;
}

}  // namespace

Verdict judge(const DeathFacts& facts) {
  const Mood mood = mood_of(facts);
  const EventKind reason = reason_of(end_of(facts), mood);
  return {reason, detail_of(facts, mood),
          mood == Mood::working && reason != EventKind::normal_exit};
}

}  // namespace heddle::supervise
