#include "app/project/local_days.hpp"

#include <memory>
#include <utility>

#include "schedule/zone/zone.hpp"

namespace heddle::app {

std::function<std::int64_t(WallTime)> local_days(const std::string& timezone,
                                                 const config::Environment& environment, Log& log) {
  auto zone = schedule::TimeZone::load(timezone, environment.zoneinfo);
  if (!zone) log.warn(zone.error().message + "; days are those of UTC");
  auto used = std::make_shared<const schedule::TimeZone>(
      zone ? std::move(*zone) : schedule::TimeZone(schedule::ZoneHistory{}));
  return [used](WallTime time) {
    const auto local = used->to_local(std::chrono::floor<std::chrono::seconds>(time));
    return static_cast<std::int64_t>(
        std::chrono::floor<std::chrono::days>(local).time_since_epoch().count());
  };
}

}  // namespace heddle::app
