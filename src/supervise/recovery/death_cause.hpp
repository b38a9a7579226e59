// Classifies the death of a slot's process from its exit status and history. Pure.
#pragma once

#include <string>

#include "process/exit_status.hpp"
#include "supervise/slot_event.hpp"

namespace heddle::supervise {

// Why the supervisor sent SIGKILL.
enum class KillCause {
  none,
  hung,
  bad_frame,
  lingered,
  stop_timed_out,
  not_wanted,  // a spare that is not needed, or the supervisor is being destroyed
};

struct DeathFacts {
  process::ExitStatus exit{};
  bool announced_draining = false;
  bool was_stop_requested = false;
  bool was_sent_term = false;  // by the supervisor
  KillCause kill_cause = KillCause::none;
  std::string kill_detail{};  // the cause in words
};

struct DeathCause {
  SlotEventKind reason = SlotEventKind::crash;
  std::string detail{};
  // A crash or an unpublished exit without draining or a requested stop.
  bool may_recover = false;
};

DeathCause classify_death(const DeathFacts& facts);

}  // namespace heddle::supervise
