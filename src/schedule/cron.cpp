#include "schedule/cron.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace heddle::schedule {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays{"sun", "mon", "tue", "wed",
                                                    "thu", "fri", "sat"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kWords{
    {{"@yearly", "0 0 1 1 *"},
     {"@annually", "0 0 1 1 *"},
     {"@monthly", "0 0 1 * *"},
     {"@weekly", "0 0 * * 0"},
     {"@daily", "0 0 * * *"},
     {"@midnight", "0 0 * * *"},
     {"@hourly", "0 * * * *"}}};

struct CronField {
  std::string_view name;
  int least;
  int most;
  Names names{};  // of the values from `first_named` on
  int first_named = 0;
};

constexpr CronField kSecond{"second", 0, 59};
constexpr CronField kMinute{"minute", 0, 59};
constexpr CronField kHour{"hour", 0, 23};
constexpr CronField kDay{"day", 1, 31};
const CronField kMonth{"month", 1, 12, kMonths, 1};
const CronField kWeekday{"weekday", 0, 7, kWeekdays, 0};

constexpr std::array<int, 13> kLongestMonth{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

Error wrong(const CronField& rule, std::string_view found) {
  std::string allowed = fmt::format("{} to {}", rule.least, rule.most);
  if (!rule.names.empty())
    allowed += fmt::format(" or {} to {}", rule.names.front(), rule.names.back());
  return {ErrorCode::bad_input, fmt::format("{}: found \"{}\", expected {}, \"*\", lists, ranges "
                                            "or steps of them",
                                            rule.name, found, allowed)};
}

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> value_in(const CronField& rule, std::string_view text) {
  for (std::size_t i = 0; i < rule.names.size(); ++i)
    if (equals_ignoring_case(rule.names[i], text)) return rule.first_named + static_cast<int>(i);
  const auto number = number_in(text);
  if (!number || *number < rule.least || *number > rule.most) return std::nullopt;
  return number;
}

struct CronRange {
  int first;
  int last;
};

// "*", "5" or "1-5". A single value before a step ("10/5") extends to the end of the field.
std::optional<CronRange> range_in(const CronField& rule, std::string_view text, bool has_step) {
  if (text == "*") return CronRange{rule.least, &rule == &kWeekday ? 6 : rule.most};
  const std::size_t dash = text.find('-');
  const auto first = value_in(rule, text.substr(0, dash));
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return CronRange{*first, has_step ? rule.most : *first};
  const auto last = value_in(rule, text.substr(dash + 1));
  if (!last) return std::nullopt;
  return CronRange{*first, *last};
}

// One element of a list as bits.
Result<std::uint64_t> bits_of(const CronField& rule, std::string_view element) {
  const std::size_t slash = element.find('/');
  const bool has_step = slash != std::string_view::npos;
  const auto step = has_step ? number_in(element.substr(slash + 1)) : std::optional(1);
  const auto range = range_in(rule, element.substr(0, slash), has_step);
  if (!range) return wrong(rule, element);
  if (!step || *step < 1 || *step > rule.most)
    return Error{ErrorCode::bad_input, fmt::format("{}: the step of \"{}\" must be 1 to {}",
                                                   rule.name, element, rule.most)};
  // Fri-Mon wraps around the end of the week; in other fields the order is an error.
  const bool is_over_the_end = &rule == &kWeekday && range->first > range->last;
  if (range->first > range->last && !is_over_the_end)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the range \"{}\" ends before it starts", rule.name, element)};
  std::uint64_t bits = 0;
  const int last = is_over_the_end ? range->last + 7 : range->last;
  for (int value = range->first; value <= last; value += *step)
    bits |= std::uint64_t{1} << (&rule == &kWeekday ? value % 7 : value);
  return bits;
}

Result<std::uint64_t> read_field(const CronField& rule, std::string_view field) {
  std::uint64_t bits = 0;
  for (const std::string_view element : split(field, ',')) {
    auto more = bits_of(rule, element);
    if (!more) return more;
    bits |= *more;
  }
  return bits;
}

bool varies(std::string_view field) {
  return field.find_first_of("*?/") != std::string_view::npos;
}

bool is_any(std::string_view field) {
  return field == "*" || field == "?";
}

Status read_days(std::string_view field, CronExpression& out) {
  out.any_day = is_any(field);
  if (out.any_day) field = "*";
  for (const std::string_view element : split(field, ',')) {
    if (equals_ignoring_case(element, "L")) {
      out.last_day = true;
      continue;
    }
    auto bits = bits_of(kDay, element);
    if (!bits) return std::move(bits).error();
    out.days |= static_cast<std::uint32_t>(*bits);
  }
  return Done{};
}

// "5L" or "5#2"; false when it is neither.
Result<bool> read_special_weekday(std::string_view element, CronExpression& out) {
  const std::size_t hash = element.find('#');
  const bool is_last = element.size() > 1 && (element.back() == 'L' || element.back() == 'l');
  if (hash != std::string_view::npos) {
    const auto day = value_in(kWeekday, element.substr(0, hash));
    const auto nth = number_in(element.substr(hash + 1));
    if (!day || !nth || *nth < 1 || *nth > 5)
      return Error{ErrorCode::bad_input,
                   fmt::format("weekday: found \"{}\", expected a weekday and which of the month, "
                               "such as \"Fri#2\" (1 to 5)",
                               element)};
    out.nth_weekdays.emplace_back(*day % 7, *nth);
    return true;
  }
  const auto day =
      is_last ? value_in(kWeekday, element.substr(0, element.size() - 1)) : std::nullopt;
  if (!day) return false;
  out.last_weekdays |= static_cast<std::uint8_t>(1u << (*day % 7));
  return true;
}

Status read_weekdays(std::string_view field, CronExpression& out) {
  out.any_weekday = is_any(field);
  if (out.any_weekday) field = "*";
  for (std::string_view element : split(field, ',')) {
    if (equals_ignoring_case(element, "L")) element = "6";  // the week's last day
    auto special = read_special_weekday(element, out);
    if (!special) return std::move(special).error();
    if (*special) continue;
    auto bits = bits_of(kWeekday, element);
    if (!bits) return std::move(bits).error();
    out.weekdays |= static_cast<std::uint8_t>(*bits);
  }
  return Done{};
}

// A weekday of its own makes up for a date that never comes.
bool has_a_day(const CronExpression& cron) {
  if (!cron.any_weekday || cron.any_day || cron.last_day) return true;
  for (std::size_t month = 1; month < kLongestMonth.size(); ++month) {
    const std::uint64_t days = (std::uint64_t{1} << (kLongestMonth[month] + 1)) - 1;
    if ((cron.months >> month & 1u) != 0 && (cron.days & days) != 0) return true;
  }
  return false;
}

std::vector<std::string_view> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  while (true) {
    text = trim(text);
    if (text.empty()) return fields;
    const std::string_view field = text.substr(0, text.find_first_of(" \t\r\n"));
    fields.push_back(field);
    text.remove_prefix(field.size());
  }
}

Result<std::string_view> expression_of(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('@')) return text;
  std::vector<std::string_view> known;
  for (const auto& [word, expression] : kWords) {
    if (equals_ignoring_case(word, text)) return expression;
    known.push_back(word);
  }
  const auto nearest = nearest_name(text, known);
  return Error{
      ErrorCode::bad_input,
      nearest ? fmt::format("there is no \"{}\", did you mean \"{}\"?", text, *nearest)
              : fmt::format("there is no \"{}\", allowed are {}", text, fmt::join(known, ", "))};
}

}  // namespace

Result<CronExpression> parse_cron(std::string_view text) {
  auto expression = expression_of(text);
  if (!expression) return std::move(expression).error();
  auto fields = fields_of(*expression);
  if (fields.size() != 5 && fields.size() != 6)
    return Error{ErrorCode::bad_input,
                 fmt::format("found {}, expected five (minute hour day month weekday), or six with "
                             "the second first",
                             counted(fields.size(), "field"))};
  CronExpression out;
  if (fields.size() == 6) {
    auto seconds = read_field(kSecond, fields.front());
    if (!seconds) return std::move(seconds).error();
    out.seconds = *seconds;
    fields.erase(fields.begin());
  }
  auto minutes = read_field(kMinute, fields[0]);
  if (!minutes) return std::move(minutes).error();
  auto hours = read_field(kHour, fields[1]);
  if (!hours) return std::move(hours).error();
  if (auto days = read_days(fields[2], out); !days) return std::move(days).error();
  auto months = read_field(kMonth, fields[3]);
  if (!months) return std::move(months).error();
  if (auto weekdays = read_weekdays(fields[4], out); !weekdays) return std::move(weekdays).error();
  out.minute_varies = varies(fields[0]);
  out.hour_varies = varies(fields[1]);
  out.minutes = *minutes;
  out.hours = static_cast<std::uint32_t>(*hours);
  out.months = static_cast<std::uint16_t>(*months);
  if (has_a_day(out)) return out;
  return Error{ErrorCode::bad_input,
               "none of the months of this expression has such a day, so the job would never run"};
}

}  // namespace heddle::schedule
