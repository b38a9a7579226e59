// Why a process left its slot, judged once from the final facts. Pure.
#pragma once

#include <string>

#include "process/exit_facts.hpp"
#include "supervise/process_event.hpp"

namespace heddle::supervise {

// Why we sent SIGKILL ourselves.
enum class KillCause {
  none,
  hung,
  bad_frame,
  lingered,
  stop_took_too_long,
  not_wanted,  // a spare without a use, or the supervisor itself is going
};

struct DeathFacts {
  process::ExitFacts exit{};
  bool announced_draining = false;
  bool was_asked_to_stop = false;
  bool was_sent_term = false;  // by us
  KillCause killed_for = KillCause::none;
  std::string kill_detail{};  // what made us kill it
};

struct Verdict {
  EventKind reason = EventKind::crash;
  std::string detail{};
  // A crash or an unpublished end of a process that neither drained nor was asked to stop.
  bool may_recover = false;
};

Verdict judge(const DeathFacts& facts);

}  // namespace heddle::supervise
