// Time zones and tables of ticks shared by several tests.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "base/time.hpp"
#include "schedule/cron_ticks.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

inline constexpr const char* kBerlinRule = "CET-1CEST,M3.5.0,M10.5.0/3";
inline constexpr const char* kNewYorkRule = "EST5EDT,M3.2.0,M11.1.0";
inline constexpr const char* kLordHoweRule = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0";

inline std::filesystem::path zone_database() {
  const char* folder = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe): one thread
  return folder == nullptr ? "/usr/share/zoneinfo" : folder;
}

inline bool has_zone_database() {
  return std::filesystem::exists(zone_database() / "Europe/Berlin");
}

#define HEDDLE_NEEDS_ZONES() \
  if (!has_zone_database()) GTEST_SKIP() << "no time zone database in " << zone_database()

// A name of the database, or a yearly rule without end.
inline TimeZone zone_named(std::string_view name) {
  if (name.find(',') != std::string_view::npos) {
    auto rule = parse_posix_rule(name);
    EXPECT_TRUE(rule) << name;
    return TimeZone(
        ZoneHistory{.first_offset = {}, .changes = {}, .rule = rule ? *rule : PosixRule()});
  }
  auto zone = TimeZone::load(name, zone_database());
  EXPECT_TRUE(zone) << zone.error().message;
  return zone ? *std::move(zone) : TimeZone(ZoneHistory{});
}

// "2026-03-29T01:00Z"
inline WallTime at(std::string_view text) {
  const auto time = parse_iso8601(text);
  EXPECT_TRUE(time) << text;
  return time.value_or(WallTime());
}

// "2026-03-29T01:00Z", the seconds only when there are some.
inline std::string shown(WallTime time) {
  std::string text = to_iso8601(time);  // 2026-03-29T01:00:00.000Z
  if (text.ends_with(".000Z")) text.replace(text.size() - 5, 5, "Z");
  if (text.ends_with(":00Z")) text.replace(text.size() - 4, 4, "Z");
  return text;
}

struct CronCase {
  const char* zone;
  const char* cron;
  const char* after;
  const char* ticks;  // the next ones, all of them
};

inline void expect_ticks(const CronCase& row) {
  SCOPED_TRACE(std::string(row.zone) + ": " + row.cron + " after " + row.after);
  const auto cron = parse_cron(row.cron);
  ASSERT_TRUE(cron) << cron.error().message;
  const TimeZone zone = zone_named(row.zone);
  std::string found;
  WallTime time = at(row.after);
  for (std::size_t i = 0; i < split(row.ticks, ' ').size(); ++i) {
    const auto tick = next_tick(*cron, zone, time);
    ASSERT_TRUE(tick) << "after " << found;
    time = *tick;
    found += (i == 0 ? "" : " ") + shown(time);
  }
  EXPECT_EQ(found, row.ticks);
}

template <std::size_t N>
void expect_all(const CronCase (&rows)[N]) {
  for (const CronCase& row : rows) expect_ticks(row);
}

}  // namespace heddle::schedule
