#include "pages/values/time_of_day.hpp"

#include <algorithm>
#include <array>

namespace heddle::pages {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using Tokens = std::span<const DateToken>;

struct ZoneAbbreviation {
  std::u32string_view name;
  int minutes_east;
};

// Ambiguous abbreviations are omitted, except those of RFC 2822.
constexpr auto kZones = std::to_array<ZoneAbbreviation>({
    {U"z", 0},      {U"utc", 0},    {U"gmt", 0},    {U"ut", 0},     {U"wet", 0},    {U"bst", 60},
    {U"cet", 60},   {U"mez", 60},   {U"west", 60},  {U"cest", 120}, {U"mesz", 120}, {U"eet", 120},
    {U"eest", 180}, {U"msk", 180},  {U"мск", 180},  {U"jst", 540},  {U"kst", 540},  {U"aest", 600},
    {U"aedt", 660}, {U"est", -300}, {U"edt", -240}, {U"cst", -360}, {U"cdt", -300}, {U"mst", -420},
    {U"mdt", -360}, {U"pst", -480}, {U"pdt", -420},
});

struct ClockTime {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
  std::size_t length = 0;  // in tokens
};

const DateToken* token_at(Tokens tokens, std::size_t at) {
  return at < tokens.size() ? &tokens[at] : nullptr;
}

bool is_sign_at(Tokens tokens, std::size_t at, char32_t sign) {
  const DateToken* token = token_at(tokens, at);
  return token != nullptr && token->is_sign(sign);
}

// A number of exactly two digits, at most `max`, directly after the token before it.
const DateToken* two_digits_at(Tokens tokens, std::size_t at, int max) {
  const DateToken* token = token_at(tokens, at);
  const bool fits = token != nullptr && token->is_number() && token->text.size() == 2 &&
                    !token->follows_space && token->value <= max;
  return fits ? token : nullptr;
}

int milliseconds_of(std::u32string_view digits) {
  int value = 0;
  for (std::size_t i = 0; i < 3; ++i)
    value = value * 10 + (i < digits.size() ? static_cast<int>(digits[i] - U'0') : 0);
  return value;
}

void read_seconds(Tokens tokens, ClockTime& clock) {
  const DateToken* second = two_digits_at(tokens, clock.length + 1, 60);
  if (!is_sign_at(tokens, clock.length, U':') || second == nullptr) return;
  clock.second = second->value;
  clock.length += 2;
  const bool has_mark =
      is_sign_at(tokens, clock.length, U'.') || is_sign_at(tokens, clock.length, U',');
  const DateToken* fraction = token_at(tokens, clock.length + 1);
  if (!has_mark || fraction == nullptr || !fraction->is_number() || fraction->follows_space) return;
  clock.millisecond = milliseconds_of(fraction->text);
  clock.length += 2;
}

bool is_hour_word(const DateToken* token) {
  return token != nullptr && (token->is_word(U"uhr") || token->is_word(U"h"));
}

// "am", "p.m.": 0 or 12 hours to add, and the tokens it takes.
struct HalfDay {
  int added_hours = 0;
  std::size_t length = 0;
};

HalfDay half_day_at(Tokens tokens, std::size_t at) {
  const DateToken* first = token_at(tokens, at);
  if (first == nullptr) return {};
  if (first->is_word(U"am") || first->is_word(U"πμ")) return {0, 1};
  if (first->is_word(U"pm") || first->is_word(U"μμ")) return {12, 1};
  const bool is_letter_pair = (first->is_word(U"a") || first->is_word(U"p")) &&
                              is_sign_at(tokens, at + 1, U'.') &&
                              token_at(tokens, at + 2) != nullptr && tokens[at + 2].is_word(U"m");
  return is_letter_pair ? HalfDay{first->text[0] == U'p' ? 12 : 0, 3} : HalfDay{};
}

// "10:30", "10h30", "10.30 Uhr", or only the hour, which needs a word after it ("3 pm", "10 Uhr").
std::optional<ClockTime> hour_and_minute(Tokens tokens) {
  const DateToken* hour = token_at(tokens, 0);
  if (hour == nullptr || !hour->is_number() || hour->text.size() > 2 || hour->value > 23)
    return std::nullopt;
  const DateToken* minute = two_digits_at(tokens, 2, 59);
  const DateToken* joint = token_at(tokens, 1);
  if (minute != nullptr &&
      (joint->is_sign(U':') || (joint->is_word(U"h") && !joint->follows_space)))
    return ClockTime{hour->value, minute->value, 0, 0, 3};
  if (minute != nullptr && joint->is_sign(U'.') && is_hour_word(token_at(tokens, 3)))
    return ClockTime{hour->value, minute->value, 0, 0, 3};
  if (half_day_at(tokens, 1).length > 0 || (joint != nullptr && joint->is_word(U"uhr")))
    return ClockTime{hour->value, 0, 0, 0, 1};
  return std::nullopt;
}

std::optional<ClockTime> clock_time_at(Tokens tokens) {
  auto clock = hour_and_minute(tokens);
  if (!clock) return std::nullopt;
  if (clock->length == 3) read_seconds(tokens, *clock);
  const HalfDay half = half_day_at(tokens, clock->length);
  if (half.length == 0) return clock;
  if (clock->hour > 12) return std::nullopt;
  clock->hour = clock->hour % 12 + half.added_hours;
  clock->length += half.length;
  return clock;
}

// "+02:00", "-0530", "+2" at the front.
std::optional<minutes> offset_at(Tokens tokens) {
  const DateToken* sign = token_at(tokens, 0);
  const DateToken* digits = token_at(tokens, 1);
  if (sign == nullptr || digits == nullptr || !digits->is_number() || digits->follows_space)
    return std::nullopt;
  const bool is_west = sign->is_sign(U'-') || sign->is_sign(kMinus);
  if (!is_west && !sign->is_sign(U'+')) return std::nullopt;
  minutes east{0};
  if (digits->text.size() == 4)
    east = hours(digits->value / 100) + minutes(digits->value % 100);
  else if (digits->text.size() <= 2)
    east = hours(digits->value);
  else
    return std::nullopt;
  const DateToken* minute = two_digits_at(tokens, 3, 59);
  if (minute != nullptr && is_sign_at(tokens, 2, U':')) east += minutes(minute->value);
  if (east > hours(18)) return std::nullopt;
  return is_west ? -east : east;
}

std::optional<minutes> zone_at(Tokens tokens) {
  if (is_sign_at(tokens, 0, U'(')) tokens = tokens.subspan(1);
  if (tokens.empty()) return std::nullopt;
  const auto named = std::find_if(kZones.begin(), kZones.end(), [&](const ZoneAbbreviation& zone) {
    return tokens[0].is_word(zone.name);
  });
  if (named == kZones.end()) return offset_at(tokens);
  const auto offset = offset_at(tokens.subspan(1));  // "GMT+2"
  return named->minutes_east == 0 && offset ? offset : minutes(named->minutes_east);
}

bool continues_number(Tokens tokens, std::size_t at) {
  return at > 0 && !tokens[at].follows_space &&
         (tokens[at - 1].is_sign(U':') || tokens[at - 1].is_sign(U'+') ||
          tokens[at - 1].is_sign(U'.'));
}

}  // namespace

std::optional<TimeOfDay> find_time(Tokens tokens) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (continues_number(tokens, at)) continue;
    const auto clock = clock_time_at(tokens.subspan(at));
    if (!clock) continue;
    std::size_t behind = at + clock->length;
    if (is_hour_word(token_at(tokens, behind))) ++behind;
    return TimeOfDay{hours(clock->hour) + minutes(clock->minute) + seconds(clock->second) +
                         milliseconds(clock->millisecond),
                     zone_at(tokens.subspan(behind))};
  }
  return std::nullopt;
}

std::size_t time_length(Tokens tokens) {
  const auto clock = clock_time_at(tokens);
  return clock ? clock->length : 0;
}

}  // namespace heddle::pages
