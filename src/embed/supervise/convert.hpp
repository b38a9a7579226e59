// Between the values of the public headers and those of the supervise room. Pure.
#pragma once

#include <heddle/coordinator.hpp>

#include "base/log.hpp"
#include "base/result.hpp"
#include "supervise/supervisor.hpp"

namespace heddle::embed {

ProcessEvent to_public(const supervise::ProcessEvent& event);
RecoveryInfo to_public(const supervise::RecoveryInfo& info);
ShutdownReport to_public(const supervise::ShutdownReport& report);
Severity to_public(LogLevel level);

// Empty functions stay empty.
supervise::RecoveryPolicy to_inner(RecoveryPolicy policy);
supervise::RecoveryRunner to_inner(RecoveryRunner runner);
supervise::EventHandler to_inner(ProcessEventHandler handler);
supervise::RestartRules to_inner(const RestartRules& rules);

}  // namespace heddle::embed
