#include <algorithm>
#include <array>
#include <ctime>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "schedule/cron_ticks.hpp"
#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr std::array kZones{
    "Europe/Berlin",     "Europe/London",      "Europe/Dublin",       "Europe/Lisbon",
    "Europe/Moscow",     "Europe/Istanbul",    "Europe/Kyiv",         "Europe/Chisinau",
    "Atlantic/Azores",   "Atlantic/Reykjavik", "Africa/Cairo",        "Africa/Casablanca",
    "Africa/El_Aaiun",   "Africa/Lagos",       "Africa/Johannesburg", "Africa/Juba",
    "America/New_York",  "America/Chicago",    "America/Denver",      "America/Los_Angeles",
    "America/Anchorage", "America/Adak",       "America/Phoenix",     "America/Toronto",
    "America/St_Johns",  "America/Halifax",    "America/Havana",      "America/Mexico_City",
    "America/Sao_Paulo", "America/Santiago",   "America/Asuncion",    "America/Nuuk",
    "America/Caracas",   "Asia/Tokyo",         "Asia/Kolkata",        "Asia/Kathmandu",
    "Asia/Tehran",       "Asia/Gaza",          "Asia/Jerusalem",      "Asia/Beirut",
    "Asia/Amman",        "Asia/Pyongyang",     "Australia/Sydney",    "Australia/Lord_Howe",
    "Australia/Eucla",   "Pacific/Auckland",   "Pacific/Chatham",     "Pacific/Apia",
    "Pacific/Fiji",      "Antarctica/Troll"};
static_assert(kZones.size() == 50);

constexpr std::array kExpressions{"* * * * *",         "30 2 * * *",       "*/15 0-3 * * *",
                                  "0 0 * * *",         "30 1 * * Sun",     "15 */2 * * *",
                                  "59 23 L * *",       "0 0 * * Sun#2",    "0 3 1,15 * Sat",
                                  "45 1 * 3,4,9-11 *", "*/7 22-23,0 * * *"};

// Ten years, from before the daemon's time to after it.
const sys_seconds kBegin = std::chrono::sys_days(std::chrono::year(2017) / 1 / 1);
const sys_seconds kEnd = std::chrono::sys_days(std::chrono::year(2027) / 1 / 1);

// The system's library answers for local time, so that no code is shared with what is tested.
class SystemZone {
 public:
  explicit SystemZone(const char* name) {
    setenv("TZ", name, 1);  // NOLINT(concurrency-mt-unsafe): one thread
    tzset();                // NOLINT(concurrency-mt-unsafe)
  }
  ~SystemZone() {
    unsetenv("TZ");  // NOLINT(concurrency-mt-unsafe)
    tzset();         // NOLINT(concurrency-mt-unsafe)
  }
  SystemZone(const SystemZone&) = delete;
  SystemZone& operator=(const SystemZone&) = delete;

  [[nodiscard]] static seconds offset_at(sys_seconds time) {
    const std::time_t number = time.time_since_epoch().count();
    std::tm parts{};
    localtime_r(&number, &parts);
    return seconds(parts.tm_gmtoff);
  }
  [[nodiscard]] static local_seconds local_at(sys_seconds time) {
    return local_seconds(time.time_since_epoch() + offset_at(time));
  }
};

// Looks at every minute by the book, and at the ticks beside it.
class Oracle {
 public:
  Oracle(const char* expression, const Zone& zone)
      : expression_(expression), zone_(zone), cron_(*parse_cron(expression)) {}

  [[nodiscard]] bool names(local_seconds local) {
    const auto day = std::chrono::floor<days>(local);
    if (day != day_) {
      day_ = day;
      is_day_named_ = names_day(day);
    }
    const std::chrono::hh_mm_ss time(local - day);
    return is_day_named_ && has(cron_.minutes, time.minutes().count()) &&
           has(cron_.hours, time.hours().count());
  }

  void expect(sys_seconds time, bool is_tick) {
    if (!next_) next_ = next_tick(cron_, zone_, time - 1ms);
    ASSERT_TRUE(next_);
    ASSERT_EQ(*next_ == time, is_tick)
        << expression_ << ": " << (is_tick ? "missed " : "doubled or false ") << shown(time);
    ASSERT_GE(*next_, time) << expression_;
    if (is_tick) next_ = next_tick(cron_, zone_, time);
  }

 private:
  [[nodiscard]] static bool has(std::uint64_t bits, std::int64_t value) {
    return (bits >> value & 1u) != 0;
  }

  [[nodiscard]] bool names_day(std::chrono::local_days day) const {
    const std::chrono::year_month_day date(day);
    const auto number = unsigned(date.day());
    const unsigned weekday = std::chrono::weekday(day).c_encoding();
    if (!has(cron_.months, unsigned(date.month()))) return false;
    const bool is_last = std::chrono::year_month_day(day + days(1)).month() != date.month();
    const bool fits_date = has(cron_.days, number) || (cron_.last_day && is_last);
    bool fits_week = has(cron_.weekdays, weekday);
    for (const auto& [wanted, nth] : cron_.nth_weekdays)
      if (unsigned(wanted) == weekday && int(number - 1) / 7 + 1 == nth) fits_week = true;
    if (cron_.any_day) return cron_.any_weekday || fits_week;
    return cron_.any_weekday ? fits_date : fits_date || fits_week;
  }

  const char* expression_;
  const Zone& zone_;
  CronExpression cron_;
  std::optional<sys_seconds> next_;
  std::chrono::local_days day_{};
  bool is_day_named_ = false;
};

// What clocks showed before counts no more, and what they skip counts when they go on.
void expect_same_ticks(const Zone& zone, sys_seconds from, sys_seconds to) {
  std::vector<Oracle> oracles;
  for (const char* expression : kExpressions) oracles.emplace_back(expression, zone);
  local_seconds unseen = SystemZone::local_at(from - days(1));
  for (sys_seconds time = from - days(1); time < to; time += minutes(1)) {
    const local_seconds local = SystemZone::local_at(time);
    const local_seconds first_new = unseen;
    unseen = std::max(unseen, local + minutes(1));
    if (time < from) continue;
    for (Oracle& oracle : oracles) {
      bool is_tick = false;
      for (local_seconds each = first_new; each <= local; each += minutes(1))
        is_tick = oracle.names(each) || is_tick;
      oracle.expect(time, is_tick);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

// A few of the zone's changes, and any other day.
std::vector<sys_seconds> some_places(std::mt19937& random) {
  std::vector<sys_seconds> places;
  auto offset = SystemZone::offset_at(kBegin);
  for (sys_seconds time = kBegin; time < kEnd; time += 12h) {
    const auto later = SystemZone::offset_at(time + 12h);
    if (later != offset) places.push_back(time);
    offset = later;
  }
  std::ranges::shuffle(places, random);
  places.resize(std::min<std::size_t>(places.size(), 2));
  places.push_back(kBegin + days(random() % 3650));
  return places;
}

// The whole ten years take minutes: they are walked through when HEDDLE_LONG_TESTS is set.
TEST(CronTicks, AgreeWithAMinuteByMinuteWalkThroughTenYearsOfFiftyZones) {
  HEDDLE_NEEDS_ZONES();
  const bool is_long =
      std::getenv("HEDDLE_LONG_TESTS") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  std::mt19937 random(5);
  for (const char* name : kZones) {
    if (!std::filesystem::exists(zone_database() / name)) continue;  // an older database
    SCOPED_TRACE(name);
    const Zone zone = zone_named(name);
    const SystemZone system(name);
    if (is_long) {
      expect_same_ticks(zone, kBegin, kEnd);
    } else {
      for (const sys_seconds place : some_places(random))
        expect_same_ticks(zone, place - 6h, place + 30h);
    }
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::schedule
