#include "schedule/cron_ticks.hpp"

#include <algorithm>
#include <bit>

namespace heddle::schedule {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_seconds;
using std::chrono::year_month;
using std::chrono::year_month_day;

// The calendar, weekdays included, repeats after 400 years.
constexpr int kMonthsOfAllYears = 400 * 12;

std::optional<int> next_bit(std::uint64_t bits, int from) {
  if (from > 63) return std::nullopt;
  bits &= ~std::uint64_t{0} << from;
  if (bits == 0) return std::nullopt;
  return std::countr_zero(bits);
}

// The first matching minute and second at or after these.
std::optional<seconds> next_in_hour(const CronExpression& cron, int minute, int second) {
  for (auto m = next_bit(cron.minutes, minute); m; m = next_bit(cron.minutes, *m + 1))
    if (const auto s = next_bit(cron.seconds, *m == minute ? second : 0))
      return minutes(*m) + seconds(*s);
  return std::nullopt;
}

std::optional<seconds> next_in_day(const CronExpression& cron, seconds from) {
  const std::chrono::hh_mm_ss time(from);
  const auto hour = static_cast<int>(time.hours().count());
  for (auto h = next_bit(cron.hours, hour); h; h = next_bit(cron.hours, *h + 1)) {
    const bool is_begun = *h == hour;
    const auto rest = next_in_hour(cron, is_begun ? static_cast<int>(time.minutes().count()) : 0,
                                   is_begun ? static_cast<int>(time.seconds().count()) : 0);
    if (rest) return hours(*h) + *rest;
  }
  return std::nullopt;
}

// The days of one month, as bits from 1 on.
class MonthDays {
 public:
  explicit MonthDays(year_month month)
      : length_(static_cast<unsigned>((month / std::chrono::last).day())),
        first_weekday_(std::chrono::weekday(local_days(month / 1)).c_encoding()) {}

  [[nodiscard]] std::uint64_t named_by(const CronExpression& cron) const {
    if (cron.any_day && cron.any_weekday) return all();
    if (cron.any_day) return by_weekday(cron);
    if (cron.any_weekday) return by_date(cron);
    return by_date(cron) | by_weekday(cron);
  }

 private:
  [[nodiscard]] std::uint64_t all() const { return (std::uint64_t{2} << length_) - 2; }
  [[nodiscard]] unsigned first(unsigned weekday) const {
    return 1 + (weekday + 7 - first_weekday_) % 7;
  }
  [[nodiscard]] unsigned last(unsigned weekday) const {
    return first(weekday) + (length_ - first(weekday)) / 7 * 7;
  }

  [[nodiscard]] std::uint64_t by_date(const CronExpression& cron) const {
    const std::uint64_t last_day = cron.last_day ? std::uint64_t{1} << length_ : 0;
    return (cron.days & all()) | last_day;
  }

  [[nodiscard]] std::uint64_t by_weekday(const CronExpression& cron) const {
    constexpr std::uint64_t kEveryWeek = 0x10204081;  // every seventh bit
    std::uint64_t named = 0;
    for (unsigned weekday = 0; weekday < 7; ++weekday) {
      if ((cron.weekdays >> weekday & 1u) != 0) named |= kEveryWeek << first(weekday);
      if ((cron.last_weekdays >> weekday & 1u) != 0) named |= std::uint64_t{1} << last(weekday);
    }
    for (const auto& [weekday, nth] : cron.nth_weekdays)
      named |= std::uint64_t{1} << (first(static_cast<unsigned>(weekday)) +
                                    7 * (static_cast<unsigned>(nth) - 1));
    return named & all();
  }

  unsigned length_;
  unsigned first_weekday_;
};

// The first matching time at or after `from` in the month of `from`.
std::optional<local_seconds> next_in_month(const CronExpression& cron, local_seconds from) {
  const local_days today = std::chrono::floor<days>(from);
  const year_month_day date(today);
  const year_month month(date.year(), date.month());
  const auto day = static_cast<int>(static_cast<unsigned>(date.day()));
  const std::uint64_t named = MonthDays(month).named_by(cron);
  for (auto d = next_bit(named, day); d; d = next_bit(named, *d + 1)) {
    const auto time = next_in_day(cron, *d == day ? from - today : seconds(0));
    if (time) return today + days(*d - day) + *time;
  }
  return std::nullopt;
}

bool is_named(const CronExpression& cron, std::chrono::month month) {
  return (cron.months >> static_cast<unsigned>(month) & 1u) != 0;
}

}  // namespace

std::optional<local_seconds> next_match(const CronExpression& cron, local_seconds from) {
  if (!next_in_day(cron, seconds(0))) return std::nullopt;
  const year_month_day date(std::chrono::floor<days>(from));
  year_month month(date.year(), date.month());
  for (int i = 0; i <= kMonthsOfAllYears; ++i, month += std::chrono::months(1)) {
    if (!is_named(cron, month.month())) continue;
    const local_seconds start = i == 0 ? from : local_seconds(local_days(month / 1));
    if (const auto found = next_in_month(cron, start)) return found;
  }
  return std::nullopt;
}

std::optional<sys_seconds> next_tick(const CronExpression& cron, const TimeZone& zone,
                                     WallTime after) {
  const sys_seconds latest = kLastZoneTime;
  if (after >= latest) return std::nullopt;
  sys_seconds from = std::max(std::chrono::floor<seconds>(after) + seconds(1), kFirstZoneTime);
  while (true) {
    const ZoneSpan span = zone.span_at(from);
    const local_seconds begin = span.local_begin();
    const bool is_near_change = from - span.begin <= 2 * kFarthestOffset;
    const local_seconds shown = is_near_change ? zone.shown_before(span) : begin;
    if (from == span.begin && shown < begin && !cron.hour_varies) {
      const auto skipped = next_match(cron, shown);
      if (!skipped) return std::nullopt;
      if (*skipped < begin) return from;
    }
    const bool ticks_again = cron.minute_varies || cron.hour_varies;
    const local_seconds local = span.to_local(from);
    const auto named = next_match(cron, ticks_again ? local : std::max(local, shown));
    if (!named) return std::nullopt;
    if (*named < span.local_end()) return span.to_utc(*named);
    from = span.end;
  }
}

}  // namespace heddle::schedule
