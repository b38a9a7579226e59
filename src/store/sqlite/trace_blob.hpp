// A cycle's trace in a few bytes: only stages that did something, numbers as varints. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/trace.hpp"

namespace heddle::store {

inline constexpr std::size_t kMaxTraceNote = 2000;  // bytes; longer notes are cut

// Empty when every stage was inactive.
std::string encode_trace(const CycleTrace& trace);

// Bytes that make no sense end the reading; what came before them is kept.
CycleTrace decode_trace(std::string_view bytes);

}  // namespace heddle::store
