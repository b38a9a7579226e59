// Converts between the values of the public headers and those of the supervise module. Pure.
#pragma once

#include <heddle/coordinator.hpp>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "supervise/supervisor.hpp"

namespace heddle::embed {

ProcessEvent to_public(const supervise::SlotEvent& event);
RecoveryInfo to_public(const supervise::CrashReport& info);
ShutdownReport to_public(const supervise::StopReport& report);
Severity to_public(LogLevel level);

// Empty functions stay empty.
supervise::RespawnPolicy to_inner(RecoveryPolicy policy);
supervise::RespawnRunner to_inner(RecoveryRunner runner);
supervise::SlotEventHandler to_inner(ProcessEventHandler handler);
supervise::RestartPolicy to_inner(const RestartRules& rules);

}  // namespace heddle::embed
