#include "schedule/zone/posix_rule.hpp"

#include <fmt/format.h>

#include "base/log/printable.hpp"

namespace heddle::schedule {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr int kFarthestHour = 167;  // a change may lie up to a week from its day
constexpr int kFarthestOffsetHour = 24;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes one part after the other from the front; nullopt or false means that it is not there.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }
  [[nodiscard]] bool is_before(char c) const { return rest_.starts_with(c); }

  bool take(char c) {
    if (!is_before(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // "CET" or "<+0330>".
  bool take_name() {
    const bool is_quoted = take('<');
    std::size_t length = 0;
    const auto fits = [&](char c) {
      return is_letter(c) || (is_quoted && (is_digit(c) || c == '+' || c == '-'));
    };
    while (length < rest_.size() && fits(rest_[length])) ++length;
    rest_.remove_prefix(length);
    return length >= 3 && (!is_quoted || take('>'));
  }

  std::optional<int> take_number(int least, int most) {
    int value = 0;
    std::size_t length = 0;
    while (length < rest_.size() && length < 3 && is_digit(rest_[length]))
      value = value * 10 + (rest_[length++] - '0');
    rest_.remove_prefix(length);
    if (length == 0 || value < least || value > most) return std::nullopt;
    return value;
  }

  // "3", "-1", "+03:30", "24:00:00".
  std::optional<seconds> take_time(int most_hours) {
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    const auto hour = take_number(0, most_hours);
    if (!hour) return std::nullopt;
    seconds total = hours(*hour);
    for (const seconds unit : {seconds(minutes(1)), seconds(1)}) {
      if (!take(':')) break;
      const auto part = take_number(0, 59);
      if (!part) return std::nullopt;
      total += *part * unit;
    }
    return is_negative ? -total : total;
  }

  // "M3.5.0/3", "J60", "59/-1".
  std::optional<YearlyMoment> take_moment() {
    auto moment = take('M') ? take_weekday_of_month() : take_day();
    if (!moment || !take('/')) return moment;
    const auto time = take_time(kFarthestHour);
    if (!time) return std::nullopt;
    moment->time = *time;
    return moment;
  }

 private:
  std::optional<YearlyMoment> take_weekday_of_month() {
    const auto month = take_number(1, 12);
    if (!month || !take('.')) return std::nullopt;
    const auto week = take_number(1, 5);
    if (!week || !take('.')) return std::nullopt;
    const auto weekday = take_number(0, 6);
    if (!weekday) return std::nullopt;
    YearlyMoment moment;
    moment.month = static_cast<unsigned>(*month);
    moment.week = static_cast<unsigned>(*week);
    moment.weekday = static_cast<unsigned>(*weekday);
    return moment;
  }

  std::optional<YearlyMoment> take_day() {
    const bool has_no_leap_day = take('J');
    const auto day = take_number(has_no_leap_day ? 1 : 0, 365);
    if (!day) return std::nullopt;
    YearlyMoment moment;
    moment.kind = has_no_leap_day ? YearlyMoment::Kind::day_without_leap_day
                                  : YearlyMoment::Kind::day_of_year;
    moment.day = *day;
    return moment;
  }

  std::string_view rest_;
};

std::optional<PosixRule::Summer> take_summer(RuleReader& reader, seconds standard) {
  PosixRule::Summer summer{.offset = standard + hours(1), .start = {}, .end = {}};
  if (!reader.take_name()) return std::nullopt;
  if (!reader.is_before(',')) {
    const auto west = reader.take_time(kFarthestOffsetHour);
    if (!west) return std::nullopt;
    summer.offset = -*west;
  }
  if (!reader.take(',')) return std::nullopt;
  const auto start = reader.take_moment();
  if (!start || !reader.take(',')) return std::nullopt;
  const auto end = reader.take_moment();
  if (!end) return std::nullopt;
  summer.start = *start;
  summer.end = *end;
  return summer;
}

std::optional<PosixRule> rule_in(std::string_view text) {
  RuleReader reader(text);
  if (!reader.take_name()) return std::nullopt;
  const auto west = reader.take_time(kFarthestOffsetHour);
  if (!west) return std::nullopt;
  PosixRule rule{.standard = -*west, .summer = {}};
  if (reader.is_at_end()) return rule;
  rule.summer = take_summer(reader, rule.standard);
  if (!rule.summer || !reader.is_at_end()) return std::nullopt;
  return rule;
}

}  // namespace

std::chrono::local_seconds YearlyMoment::in(std::chrono::year year) const {
  const local_days first_of_year(year / std::chrono::January / 1);
  if (kind == Kind::day_of_year) return first_of_year + days(day) + time;
  if (kind == Kind::day_without_leap_day) {
    const bool is_after_leap_day = year.is_leap() && day >= 60;
    return first_of_year + days(day - 1 + (is_after_leap_day ? 1 : 0)) + time;
  }
  const auto year_month = year / std::chrono::month(month);
  const std::chrono::weekday wanted(weekday);
  if (week == 5) return local_days(year_month / wanted[std::chrono::last]) + time;
  return local_days(year_month / wanted[week]) + time;
}

std::array<PosixRule::Change, 2> PosixRule::changes_in(std::chrono::year year) const {
  const auto instant = [](std::chrono::local_seconds local, seconds offset) {
    return std::chrono::sys_seconds(local.time_since_epoch() - offset);
  };
  const Change start{instant(summer->start.in(year), standard), summer->offset};
  const Change end{instant(summer->end.in(year), summer->offset), standard};
  if (end.at < start.at) return {end, start};
  return {start, end};
}

Result<PosixRule> parse_posix_rule(std::string_view text) {
  if (auto rule = rule_in(text)) return *std::move(rule);
  return Error{ErrorCode::corrupt, fmt::format("\"{}\" is not a yearly rule of a time zone",
                                               printable(text.substr(0, 100)))};
}

}  // namespace heddle::schedule
