// When a healthy process is old or large enough to be replaced. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::supervise {

struct RecycleRules {
  std::chrono::milliseconds after{0};  // 0: never for its age
  std::int64_t rss_bytes = 0;          // 0: never for its memory
};

[[nodiscard]] constexpr bool has_any(const RecycleRules& rules) {
  return rules.after.count() > 0 || rules.rss_bytes > 0;
}

// What makes it due, for the log; nullopt: it may stay.
std::optional<std::string> recycle_reason(const RecycleRules& rules, std::chrono::milliseconds age,
                                          std::int64_t rss_bytes);

}  // namespace heddle::supervise
