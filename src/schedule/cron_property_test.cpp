// Checks next_tick() over ten years of fifty zones against the system's local time and against
// predicates written by hand, which share no code with the implementation.
#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedule/cron_ticks.hpp"
#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;
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

// All in minutes since 1970, in UTC or in local time.
using Minutes = std::int64_t;
constexpr Minutes kHour = 60;
constexpr Minutes kDay = 24 * kHour;

struct Date {
  int month = 0;
  int day = 0;
  int weekday = 0;  // from Sunday
  bool is_last = false;
};

// The expression as a predicate.
struct Meaning {
  const char* expression;
  bool (*minute)(int);
  bool (*hour)(int);
  bool (*day)(const Date&);
};

bool always(int) {
  return true;
}
bool on_any_day(const Date&) {
  return true;
}

const std::array kMeanings{
    Meaning{"30 2 * * *", [](int m) { return m == 30; }, [](int h) { return h == 2; }, on_any_day},
    Meaning{"*/15 0-3 * * *", [](int m) { return m % 15 == 0; }, [](int h) { return h <= 3; },
            on_any_day},
    Meaning{"0 0 * * *", [](int m) { return m == 0; }, [](int h) { return h == 0; }, on_any_day},
    Meaning{"30 1 * * Sun", [](int m) { return m == 30; }, [](int h) { return h == 1; },
            [](const Date& date) { return date.weekday == 0; }},
    Meaning{"15 */2 * * *", [](int m) { return m == 15; }, [](int h) { return h % 2 == 0; },
            on_any_day},
    Meaning{"59 23 L * *", [](int m) { return m == 59; }, [](int h) { return h == 23; },
            [](const Date& date) { return date.is_last; }},
    Meaning{"0 0 * * Sun#2", [](int m) { return m == 0; }, [](int h) { return h == 0; },
            [](const Date& date) { return date.weekday == 0 && date.day > 7 && date.day < 15; }},
    Meaning{"0 3 1,15 * Sat", [](int m) { return m == 0; }, [](int h) { return h == 3; },
            [](const Date& date) { return date.day == 1 || date.day == 15 || date.weekday == 6; }},
    Meaning{"45 1 * 3,4,9-11 *", [](int m) { return m == 45; }, [](int h) { return h == 1; },
            [](const Date& date) {
              return date.month == 3 || date.month == 4 || (date.month > 8 && date.month < 12);
            }},
    Meaning{"*/7 22-23,0 * * *", [](int m) { return m % 7 == 0; },
            [](int h) { return h > 21 || h == 0; }, on_any_day},
    Meaning{"20 4 29 2 *", [](int m) { return m == 20; }, [](int h) { return h == 4; },
            [](const Date& date) { return date.month == 2 && date.day == 29; }},
    Meaning{"5 12 31 * *", [](int m) { return m == 5; }, [](int h) { return h == 12; },
            [](const Date& date) { return date.day == 31; }},
};

const Meaning kEveryMinute{"* * * * *", always, always, on_any_day};

// Ten years, past and future.
constexpr int kFirstYear = 2017;
constexpr int kYears = 10;
// A debug or sanitizer build is a tenth as fast: there each
// zone has one of the ten years, another one than the zone before it.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr int kYearsOfAZone = kYears;
#else
constexpr int kYearsOfAZone = 1;
#endif

Minutes begin_of(int year) {
  const std::chrono::sys_days day = std::chrono::year(year) / 1 / 1;
  return day.time_since_epoch().count() * kDay;
}

sys_seconds time_of(Minutes minutes) {
  return sys_seconds(std::chrono::minutes(minutes));
}

// The C library's local time.
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

  // What clocks show.
  [[nodiscard]] static Minutes local_at(Minutes time) {
    const std::time_t number = time * 60;
    std::tm parts{};
    localtime_r(&number, &parts);
    return time + parts.tm_gmtoff / 60;
  }
};

// Fields of the day that contains a local time; caches the last day.
class Calendar {
 public:
  const Date& date_of(Minutes local) {
    const Minutes day = local / kDay;
    if (day == day_) return date_;
    const std::tm today = parts_of(day);
    day_ = day;
    date_ = {today.tm_mon + 1, today.tm_mday, today.tm_wday,
             parts_of(day + 1).tm_mon != today.tm_mon};
    return date_;
  }

 private:
  static std::tm parts_of(Minutes day) {
    const std::time_t number = day * kDay * 60;
    std::tm parts{};
    gmtime_r(&number, &parts);
    return parts;
  }

  Minutes day_ = -1;
  Date date_;
};

// One expression: the expected ticks beside those of next_tick().
class Comparison {
 public:
  Comparison(const Meaning& meaning, const TimeZone& zone, Minutes begin)
      : meaning_(meaning), zone_(zone), cron_(*parse_cron(meaning.expression)), begin_(begin) {
    for (int i = 0; i < 60; ++i) minutes_[static_cast<std::size_t>(i)] = meaning.minute(i);
    for (int i = 0; i < 24; ++i) hours_[static_cast<std::size_t>(i)] = meaning.hour(i);
    const std::string text = meaning.expression;
    const std::size_t space = text.find(' ');
    minute_varies_ = text.substr(0, space).find_first_of("*/") != std::string::npos;
    hour_varies_ =
        text.substr(space + 1, text.find(' ', space + 1) - space - 1).find_first_of("*/") !=
        std::string::npos;
    next_ = next_tick(cron_, zone_, time_of(begin) - 1ms);
  }

  // Whether a local time from `from` until before `to` is named.
  bool names_any(Minutes from, Minutes to, Calendar& calendar) {
    return first_named(from, to, calendar) < to;
  }

  // Local time advances evenly from `local` at `time` until before `end`; times before `unseen`
  // were shown already.
  void pass(Minutes time, Minutes local, Minutes end, Minutes unseen, Calendar& calendar) {
    const bool is_late = !hour_varies_ && unseen < local && names_any(unseen, local, calendar);
    if (is_late) expect(time);
    Minutes next = minute_varies_ || hour_varies_ ? local : std::max(unseen, local);
    if (is_late && next == local) ++next;  // one tick for all that falls there
    while ((next = first_named(next, end, calendar)) < end) expect(time + next++ - local);
  }

  // No expected tick remains before this time.
  void expect_none_before(Minutes end) const {
    ASSERT_TRUE(next_) << meaning_.expression;
    ASSERT_GE(*next_, time_of(end)) << meaning_.expression << ": doubled or false";
  }
  [[nodiscard]] std::size_t ticks() const { return ticks_; }

 private:
  Minutes first_named(Minutes from, Minutes to, Calendar& calendar) const {
    while (from < to) {
      const auto hour = static_cast<std::size_t>(from % kDay / kHour);
      const Minutes end = std::min(to, from - from % kHour + kHour);
      if (hours_[hour] && meaning_.day(calendar.date_of(from)))
        for (; from < end; ++from)
          if (minutes_[static_cast<std::size_t>(from % kHour)]) return from;
      from = end;
    }
    return to;
  }

  void expect(Minutes time) {
    if (time < begin_) return;
    ASSERT_TRUE(next_) << meaning_.expression;
    ASSERT_TRUE(*next_ == time_of(time)) << meaning_.expression << ": " << shown(time_of(time))
                                         << " was awaited, " << shown(*next_) << " came";
    ++ticks_;
    next_ = next_tick(cron_, zone_, *next_);
  }

  const Meaning& meaning_;
  const TimeZone& zone_;
  CronExpression cron_;
  Minutes begin_;
  bool minute_varies_ = false;
  bool hour_varies_ = false;
  std::array<bool, 60> minutes_{};
  std::array<bool, 24> hours_{};
  std::optional<sys_seconds> next_;
  std::size_t ticks_ = 0;
};

// A fixed local time that was shown before does not tick again; a skipped one ticks right after the
// change. Expressions with a wildcard or step follow elapsed time.
class Walk {
 public:
  Walk(const TimeZone& zone, Minutes begin) : zone_(zone), begin_(begin) {}
  void add(const Meaning& meaning) { comparisons_.emplace_back(meaning, zone_, begin_); }

  // Hour by hour; minute by minute through an hour in which clocks are changed.
  void go(Minutes end) {
    unseen_ = SystemZone::local_at(begin_ - kDay);
    Minutes local = unseen_;
    for (Minutes time = begin_ - kDay; time < end; time += kHour) {
      const Minutes later = SystemZone::local_at(time + kHour);
      if (later == local + kHour) {
        pass(time, local, kHour);
      } else {
        for (Minutes each = time; each < time + kHour; ++each)
          pass(each, SystemZone::local_at(each), 1);
        ++changes_;
      }
      local = later;
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (const Comparison& each : comparisons_) each.expect_none_before(end);
  }

  [[nodiscard]] std::size_t ticks() const {
    std::size_t all = 0;
    for (const Comparison& each : comparisons_) all += each.ticks();
    return all;
  }
  [[nodiscard]] std::size_t changes() const { return changes_; }

 private:
  void pass(Minutes time, Minutes local, Minutes count) {
    for (Comparison& each : comparisons_) each.pass(time, local, local + count, unseen_, calendar_);
    unseen_ = std::max(unseen_, local + count);
  }

  const TimeZone& zone_;
  Minutes begin_;
  Minutes unseen_ = 0;
  Calendar calendar_;
  std::vector<Comparison> comparisons_;
  std::size_t changes_ = 0;
};

bool is_known(const char* zone) {
  return std::filesystem::exists(zone_database() / zone);
}

// Fails instead of skipping: a database without these zones is older than this test.
std::string missing_zones() {
  std::string missing;
  for (const char* name : kZones)
    if (!is_known(name)) missing += std::string(" ") + name;
  return missing;
}

TEST(CronTicks, AreNeitherMissedNorDoubledInTenYearsOfFiftyZones) {
  HEDDLE_NEEDS_ZONES();
  std::size_t changes = 0;
  int first = 0;
  for (const char* name : kZones) {
    const int begin = kFirstYear + std::exchange(first, (first + kYearsOfAZone) % kYears);
    if (!is_known(name)) continue;
    SCOPED_TRACE(name);
    const TimeZone zone = zone_named(name);
    const SystemZone system(name);
    Walk walk(zone, begin_of(begin));
    for (const Meaning& meaning : kMeanings) walk.add(meaning);
    walk.go(begin_of(begin + kYearsOfAZone));
    if (HasFatalFailure()) return;
    EXPECT_GT(walk.ticks(), static_cast<std::size_t>(kYearsOfAZone) * 20'000);
    changes += walk.changes();
  }
  EXPECT_GT(changes, static_cast<std::size_t>(kYearsOfAZone) * 40) << "clocks were changed";
  if (const std::string missing = missing_zones(); !missing.empty())
    GTEST_SKIP() << "not in the time zone database of this machine:" << missing;
}

// The days around every change.
TEST(CronTicks, ComeEveryMinuteWhateverClocksDo) {
  HEDDLE_NEEDS_ZONES();
  int first = 0;
  for (const char* name : kZones) {
    const int year = kFirstYear + std::exchange(first, (first + kYearsOfAZone) % kYears);
    if (!is_known(name)) continue;
    SCOPED_TRACE(name);
    const TimeZone zone = zone_named(name);
    const SystemZone system(name);
    Minutes offset = SystemZone::local_at(begin_of(year)) - begin_of(year);
    for (Minutes day = begin_of(year); day < begin_of(year + kYearsOfAZone); day += kDay) {
      const Minutes later = SystemZone::local_at(day + kDay) - day - kDay;
      if (std::exchange(offset, later) == later) continue;
      Walk walk(zone, day - 6 * kHour);
      walk.add(kEveryMinute);
      walk.go(day + 30 * kHour);
      if (HasFatalFailure()) return;
    }
  }
  if (const std::string missing = missing_zones(); !missing.empty())
    GTEST_SKIP() << "not in the time zone database of this machine:" << missing;
}

}  // namespace
}  // namespace heddle::schedule
