// Decides when a healthy process is replaced because of its age or memory. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::supervise {

struct RecycleRules {
  std::chrono::milliseconds after{0};  // 0: no age limit
  std::int64_t rss_bytes = 0;          // 0: no memory limit
};

[[nodiscard]] constexpr bool has_any(const RecycleRules& rules) {
  return rules.after.count() > 0 || rules.rss_bytes > 0;
}

// Returns why the process is due, for the log; nullopt: it is not due.
std::optional<std::string> recycle_reason(const RecycleRules& rules, std::chrono::milliseconds age,
                                          std::int64_t rss_bytes);

}  // namespace heddle::supervise
