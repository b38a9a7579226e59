// Typed ids, which the compiler keeps apart, and time-sorted unique ids.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/time.hpp"

namespace heddle {

template <class Kind>
struct TextId {
  std::string text;
  auto operator<=>(const TextId&) const = default;
};

using JobId = TextId<struct JobKindOfId>;
using RunId = TextId<struct RunKindOfId>;
using DeliveryId = TextId<struct DeliveryKindOfId>;

using TaskNumber = std::int64_t;    // 1, 2, … within its run
using FencingToken = std::int64_t;  // grows with every lease of a task

// 26 characters (10 of time, 16 random): sortable by time, unique without coordination.
// Thread-safe.
std::string make_unique_id(WallTime now);

}  // namespace heddle

template <class Kind>
struct std::hash<heddle::TextId<Kind>> {
  std::size_t operator()(const heddle::TextId<Kind>& id) const noexcept {
    return std::hash<std::string>{}(id.text);
  }
};
