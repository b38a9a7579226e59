#include "supervise/recovery/recycling.hpp"

#include <fmt/format.h>

#include "base/time.hpp"

namespace heddle::supervise {

std::optional<std::string> recycle_reason(const RecycleRules& rules, std::chrono::milliseconds age,
                                          const MemoryUse& memory) {
  if (rules.after.count() > 0 && age >= rules.after)
    return fmt::format("it is {} old", to_short_text(age));
  const std::int64_t growth = memory.now - memory.when_ready;
  if (rules.rss_bytes > 0 && growth >= rules.rss_bytes)
    return fmt::format("it uses {} MB, {} MB more than when it was ready", memory.now >> 20,
                       growth >> 20);
  return std::nullopt;
}

}  // namespace heddle::supervise
