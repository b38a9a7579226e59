#include "app/project/local_days.hpp"

#include <memory>
#include <utility>

#include "schedule/zone/zone.hpp"

namespace heddle::app {

std::function<std::int64_t(WallTime)> local_days(const std::string& timezone,
                                                 const config::Environment& environment, Log& log) {
  auto zone = schedule::TimeZone::load(timezone, environment.zoneinfo);
  if (!zone) log.warn(zone.error().message + "; days are counted in UTC");
  auto used = std::make_shared<const schedule::TimeZone>(
      zone ? std::move(*zone) : schedule::TimeZone(schedule::ZoneHistory{}));
  return [used](WallTime time) {
    const auto local = used->to_local(std::chrono::floor<std::chrono::seconds>(time));
    return static_cast<std::int64_t>(
        std::chrono::floor<std::chrono::days>(local).time_since_epoch().count());
  };
}

cli::LocalTimes local_times(const std::string& timezone, const config::Environment& environment) {
  auto zone = schedule::TimeZone::load(timezone, environment.zoneinfo);
  if (!zone) return {};
  auto used = std::make_shared<const schedule::TimeZone>(std::move(*zone));
  return {timezone, [used](WallTime time) {
            return used->offset_at(std::chrono::floor<std::chrono::seconds>(time));
          }};
}

}  // namespace heddle::app
