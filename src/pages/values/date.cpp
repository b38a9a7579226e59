#include "pages/values/date.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "base/time.hpp"
#include "pages/values/date_tokens.hpp"
#include "pages/values/month_names.hpp"
#include "pages/values/time_of_day.hpp"

namespace heddle::pages {

namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;
using Tokens = std::span<const DateToken>;

struct FoundDate {
  year_month_day date;
  std::size_t begin = 0;  // tokens
  std::size_t end = 0;
};

std::optional<year_month_day> make_date(int year, int month, int day) {
  if (year < 1000 || year > 2999 || month < 1 || month > 12 || day < 1 || day > 31)
    return std::nullopt;
  const year_month_day date{std::chrono::year{year},
                            std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return date;
}

int full_year(const DateToken& token) {
  if (token.text.size() != 2) return token.value;
  return token.value < 70 ? 2000 + token.value : 1900 + token.value;
}

bool is_number_at(Tokens tokens, std::size_t at) {
  return at < tokens.size() && tokens[at].is_number();
}

bool is_four_digits_at(Tokens tokens, std::size_t at) {
  return is_number_at(tokens, at) && tokens[at].text.size() == 4;
}

bool is_day_at(Tokens tokens, std::size_t at) {
  return is_number_at(tokens, at) && tokens[at].text.size() <= 2;
}

// The day comes first unless that is impossible; with dots it always does.
std::optional<year_month_day> day_month_year(Tokens numbers, char32_t separator) {
  const int year = full_year(numbers[4]);
  if (const auto date = make_date(year, numbers[2].value, numbers[0].value)) return date;
  if (separator == U'.') return std::nullopt;
  return make_date(year, numbers[0].value, numbers[2].value);
}

// "12.03.2026", "2026/3/12", "12. 3. 2026": five tokens.
std::optional<FoundDate> numeric_date_at(Tokens tokens, std::size_t at) {
  if (at + 5 > tokens.size()) return std::nullopt;
  const Tokens five = tokens.subspan(at, 5);
  const char32_t separator = five[1].text[0];
  const bool is_shaped = five[0].is_number() && five[2].is_number() && five[4].is_number() &&
                         (separator == U'.' || separator == U'-' || separator == U'/') &&
                         five[1].is_sign(separator) && five[3].is_sign(separator);
  const bool goes_on = at + 6 < tokens.size() && tokens[at + 5].is_sign(separator) &&
                       tokens[at + 6].is_number() && !tokens[at + 6].follows_space;
  if (!is_shaped || goes_on || five[2].text.size() > 2) return std::nullopt;
  std::optional<year_month_day> date;
  if (five[0].text.size() == 4 && five[4].text.size() <= 2)
    date = make_date(five[0].value, five[2].value, five[4].value);
  else if (five[0].text.size() <= 2 && (five[4].text.size() == 4 || five[4].text.size() == 2))
    date = day_month_year(five, separator);
  if (!date) return std::nullopt;
  return FoundDate{*date, at, at + 5};
}

bool starts_with_one_of(const DateToken& token, std::u32string_view letters) {
  return token.kind == DateToken::Kind::word &&
         letters.find(token.text[0]) != std::u32string_view::npos;
}

// "2026年3月12日", "2026년 3월 12일".
std::optional<FoundDate> east_asian_date_at(Tokens tokens, std::size_t at) {
  if (at + 6 > tokens.size() || !is_four_digits_at(tokens, at) || !is_day_at(tokens, at + 2) ||
      !is_day_at(tokens, at + 4))
    return std::nullopt;
  if (!starts_with_one_of(tokens[at + 1], U"年년") ||
      !starts_with_one_of(tokens[at + 3], U"月월") ||
      !starts_with_one_of(tokens[at + 5], U"日일号號"))
    return std::nullopt;
  const auto date = make_date(tokens[at].value, tokens[at + 2].value, tokens[at + 4].value);
  if (!date) return std::nullopt;
  return FoundDate{*date, at, at + 6};
}

// Filler between day, month and year.
constexpr auto kFillers = std::to_array<std::u32string_view>(
    {U"of",  U"de", U"del", U"d", U"st", U"nd",   U"rd",  U"th", U"er",   U"e", U"den",
     U"the", U"го", U"й",   U"º", U"ª",  U"року", U"năm", U"di", U"gada", U"m"});

bool is_filler(const DateToken& token) {
  if (token.kind == DateToken::Kind::word)
    return std::find(kFillers.begin(), kFillers.end(), token.text) != kFillers.end();
  return token.kind == DateToken::Kind::sign &&
         std::u32string_view(U".,-/'°").find(token.text[0]) != std::u32string_view::npos;
}

// The next token that is no filler, at most four further on.
std::size_t skip_fillers(Tokens tokens, std::size_t at) {
  const std::size_t last = at + 4;
  while (at < last && at < tokens.size() && is_filler(tokens[at])) ++at;
  return at;
}

// "March" or the two tokens of Vietnamese "tháng 3".
struct FoundMonth {
  int number = 0;
  std::size_t end = 0;
};

std::optional<FoundMonth> month_at(Tokens tokens, std::size_t at) {
  if (at >= tokens.size() || tokens[at].kind != DateToken::Kind::word) return std::nullopt;
  if (tokens[at].text == U"tháng" && is_day_at(tokens, at + 1))
    return FoundMonth{tokens[at + 1].value, at + 2};
  const auto number = month_named(tokens[at].text);
  if (!number) return std::nullopt;
  return FoundMonth{*number, at + 1};
}

// Four digits, or two that are joined to the month: "Mar-26", "Mar '26".
bool is_year_at(Tokens tokens, std::size_t at) {
  if (is_four_digits_at(tokens, at)) return true;
  if (!is_number_at(tokens, at) || tokens[at].text.size() != 2 || tokens[at].follows_space)
    return false;
  return tokens[at - 1].is_sign(U'-') || tokens[at - 1].is_sign(U'/') ||
         tokens[at - 1].is_sign(U'\'');
}

std::optional<FoundDate> found(int year, int month, int day, std::size_t begin, std::size_t end) {
  const auto date = make_date(year, month, day);
  if (!date) return std::nullopt;
  return FoundDate{*date, begin, end};
}

// After the second day of "12–14 March" or "12.-14. März"; `at` itself when there is none.
std::size_t skip_last_day(Tokens tokens, std::size_t at) {
  std::size_t joint = at;
  if (joint < tokens.size() && tokens[joint].is_sign(U'.')) ++joint;
  const bool has_dash =
      joint < tokens.size() && (tokens[joint].is_sign(U'-') || tokens[joint].is_sign(kDash));
  return has_dash && is_day_at(tokens, joint + 1) ? joint + 2 : at;
}

// "12 March 2026", "12. März 2026", "12 de marzo de 2026"; of "12–14 March 2026" the first day.
std::optional<FoundDate> day_first_at(Tokens tokens, std::size_t at) {
  if (!is_day_at(tokens, at)) return std::nullopt;
  const auto month = month_at(tokens, skip_fillers(tokens, skip_last_day(tokens, at + 1)));
  if (!month) return std::nullopt;
  const std::size_t year = skip_fillers(tokens, month->end);
  if (!is_year_at(tokens, year)) return std::nullopt;
  return found(full_year(tokens[year]), month->number, tokens[at].value, at, year + 1);
}

// "March 12, 2026", "Mar 12 10:00:00 2026".
std::optional<FoundDate> month_first_at(Tokens tokens, std::size_t at) {
  const auto month = month_at(tokens, at);
  if (!month) return std::nullopt;
  const std::size_t day = skip_fillers(tokens, month->end);
  if (!is_day_at(tokens, day)) return std::nullopt;
  const std::size_t behind_day = skip_fillers(tokens, day + 1);
  if (is_four_digits_at(tokens, behind_day))
    return found(tokens[behind_day].value, month->number, tokens[day].value, at, behind_day + 1);
  if (behind_day >= tokens.size()) return std::nullopt;
  const std::size_t clock = time_length(tokens.subspan(behind_day));
  const std::size_t year = behind_day + clock;
  if (clock == 0 || !is_four_digits_at(tokens, year)) return std::nullopt;
  // The time is inside the date: end before it, so that it is still found.
  return found(tokens[year].value, month->number, tokens[day].value, at, behind_day);
}

// "2026 March 12", "2026. március 12."
std::optional<FoundDate> year_first_at(Tokens tokens, std::size_t at) {
  if (!is_four_digits_at(tokens, at)) return std::nullopt;
  const auto month = month_at(tokens, skip_fillers(tokens, at + 1));
  if (!month) return std::nullopt;
  const std::size_t day = skip_fillers(tokens, month->end);
  if (!is_day_at(tokens, day)) return std::nullopt;
  return found(tokens[at].value, month->number, tokens[day].value, at, day + 1);
}

std::optional<FoundDate> find_date(Tokens tokens) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    for (const auto reads :
         {numeric_date_at, east_asian_date_at, day_first_at, month_first_at, year_first_at})
      if (auto date = reads(tokens, at)) return date;
  }
  return std::nullopt;
}

std::string date_text(year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// ISO 8601 without milliseconds that are zero.
std::string time_text(WallTime time, bool is_utc) {
  std::string text = to_iso8601(time);
  text.pop_back();
  if (text.ends_with(".000")) text.resize(text.size() - 4);
  return is_utc ? text + "Z" : text;
}

// Machine-readable digits: "20260312", seconds or milliseconds since 1970.
std::optional<std::string> read_digits(std::u32string_view digits) {
  std::int64_t value = 0;
  for (const char32_t digit : digits) value = value * 10 + static_cast<std::int64_t>(digit - U'0');
  if (digits.size() == 13) return time_text(WallTime{std::chrono::milliseconds(value)}, true);
  if (digits.size() == 10) return time_text(WallTime{std::chrono::seconds(value)}, true);
  const auto number = static_cast<int>(value);
  const auto date = make_date(number / 10000, number / 100 % 100, number % 100);
  if (digits.size() != 8 || !date) return std::nullopt;
  return date_text(*date);
}

}  // namespace

std::optional<std::string> read_date(std::string_view text) {
  const NormalizedText normalized(text);
  const std::vector<DateToken> all = date_tokens(normalized);
  const Tokens tokens(all);
  const bool is_digits = tokens.size() == 1 && tokens[0].is_number() && tokens[0].text.size() <= 13;
  if (is_digits) return read_digits(tokens[0].text);
  const auto found_date = find_date(tokens);
  if (!found_date) return std::nullopt;
  auto time = find_time(tokens.subspan(found_date->end));
  if (!time) time = find_time(tokens.first(found_date->begin));
  if (!time) return date_text(found_date->date);
  const WallTime local = sys_days{found_date->date} + time->since_midnight;
  return time_text(local - time->zone.value_or(std::chrono::minutes(0)), time->zone.has_value());
}

}  // namespace heddle::pages
