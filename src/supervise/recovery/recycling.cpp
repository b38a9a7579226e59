#include "supervise/recovery/recycling.hpp"

#include <fmt/format.h>

#include "base/time.hpp"

namespace heddle::supervise {

std::optional<std::string> recycle_reason(const RecycleRules& rules, std::chrono::milliseconds age,
                                          std::int64_t rss_bytes) {
  if (rules.after.count() > 0 && age >= rules.after)
    return fmt::format("it is {} old", to_short_text(age));
  if (rules.rss_bytes > 0 && rss_bytes >= rules.rss_bytes)
    return fmt::format("it uses {} MB", rss_bytes >> 20);
  return std::nullopt;
}

}  // namespace heddle::supervise
