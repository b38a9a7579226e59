// Decides when a healthy process is replaced because of its age or the growth of its memory. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::supervise {

struct RecycleRules {
  std::chrono::milliseconds after{0};  // 0: no age limit
  std::int64_t rss_bytes = 0;          // growth since it was ready; 0: no limit
};

[[nodiscard]] constexpr bool has_any(const RecycleRules& rules) {
  return rules.after.count() > 0 || rules.rss_bytes > 0;
}

// Resident memory of a process. What it needed to become ready its successor needs, too.
struct MemoryUse {
  std::int64_t when_ready = 0;
  std::int64_t now = 0;
};

// Returns why the process is due, for the log; nullopt: it is not due.
std::optional<std::string> recycle_reason(const RecycleRules& rules, std::chrono::milliseconds age,
                                          const MemoryUse& memory);

}  // namespace heddle::supervise
