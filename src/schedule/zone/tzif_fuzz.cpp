// Every parsed file must give spans without gaps, and a mapping for every local time.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "schedule/cron_ticks.hpp"
#include "schedule/zone/zone.hpp"

namespace {

using namespace heddle::schedule;
using std::chrono::sys_seconds;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_at(const TimeZone& zone, sys_seconds time) {
  if (time < kFirstZoneTime + 2 * kFarthestOffset || time > kLastZoneTime - 2 * kFarthestOffset)
    return;
  const ZoneSpan span = zone.span_at(time);
  require(span.begin <= time && time < span.end);
  require(span.offset < kFarthestOffset && span.offset > -kFarthestOffset);
  if (span.end <= kLastZoneTime) require(zone.span_at(span.end).begin == span.end);
  const LocalTimeMapping meaning = zone.to_utc(span.to_local(time));
  require(meaning.kind != LocalTimeMapping::Kind::skipped);
  require(meaning.first <= time && time <= meaning.last);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(parse_posix_rule(bytes));
  auto history = parse_tzif(bytes);
  if (!history) return 0;
  const TimeZone zone(*history);
  constexpr std::chrono::days kStep{4001};
  for (sys_seconds time = kFirstZoneTime + kStep; time < kLastZoneTime - kStep; time += kStep * 50)
    check_at(zone, time);
  for (std::size_t i = 0; i < history->changes.size() && i < 20; ++i)
    check_at(zone, history->changes[i].at);
  static const auto kCron = parse_cron("30 2 * * Sun#1");
  heddle::WallTime after = sys_seconds(std::chrono::hours(8766 * 50));
  for (int i = 0; i < 5; ++i) {
    const auto tick = next_tick(*kCron, zone, after);
    require(tick && *tick > after);
    after = *tick;
  }
  return 0;
}
