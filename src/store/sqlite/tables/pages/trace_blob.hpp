// Encodes a cycle's trace compactly: active stages only, numbers as varints. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/run/trace.hpp"

namespace heddle::store {

inline constexpr std::size_t kMaxTraceNote = 2000;  // bytes; longer notes are truncated

// Empty when every stage was inactive.
std::string encode_trace(const CycleTrace& trace);

// Stops at invalid bytes and keeps what was decoded before.
CycleTrace decode_trace(std::string_view bytes);

}  // namespace heddle::store
