#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "pages/feed/feed.hpp"
#include "pages/values/date.hpp"

namespace heddle::pages {

namespace {

using std::chrono::minutes;

constexpr auto kMonths = std::to_array<std::string_view>(
    {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});

struct ZoneName {
  std::string_view name;
  int hours;
};
constexpr auto kZoneNames = std::to_array<ZoneName>({
    {"ut", 0},   {"utc", 0},  {"gmt", 0},   {"z", 0},     {"est", -5},  {"edt", -4},
    {"et", -5},  {"cst", -6}, {"cdt", -5},  {"ct", -6},   {"mst", -7},  {"mdt", -6},
    {"mt", -7},  {"pst", -8}, {"pdt", -7},  {"pt", -8},   {"bst", 1},   {"cet", 1},
    {"cest", 2}, {"met", 1},  {"mest", 2},  {"eet", 2},   {"eest", 3},  {"msk", 3},
    {"jst", 9},  {"kst", 9},  {"aest", 10}, {"aedt", 11}, {"nzst", 12}, {"nzdt", 13},
});

// Reads "[Wed,] 02 Oct 2002 13:00[:00] [GMT | +0200 | EST]" and "Wed Oct  2 13:00:00 [GMT] 2002"
// with signs, names and numbers in unexpected places; nullopt for any other date.
class Rfc822Date {
 public:
  explicit Rfc822Date(std::string_view text) : text_(text) {}

  std::optional<std::string> read() {
    while (at_ < text_.size() && is_valid_) {
      const char c = text_[at_];
      if (is_digit(c))
        read_number();
      else if (is_letter(c))
        read_word();
      else if ((c == '+' || c == '-') && has_time_)
        read_offset(c);
      else
        ++at_;
    }
    return is_valid_ && month_ && day_ && year_ ? printed() : std::nullopt;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  int take_digits(std::size_t most, std::size_t& count) {
    int value = 0;
    for (count = 0; count < most && at_ < text_.size() && is_digit(text_[at_]); ++count, ++at_)
      value = value * 10 + (text_[at_] - '0');
    return value;
  }

  void read_number() {
    std::size_t count = 0;
    const int value = take_digits(9, count);
    if (at_ < text_.size() && text_[at_] == ':' && !has_time_) return read_time(value);
    if (!day_ && count <= 2)
      day_ = value;
    else if (!year_ && (count == 2 || count == 3 || count == 4))
      year_ = count == 4 ? value : value + (count == 2 && value < 70 ? 2000 : 1900);
    else
      is_valid_ = false;
  }

  void read_time(int hours) {
    std::size_t count = 0;
    has_time_ = true;
    ++at_;
    time_ = std::chrono::hours(hours) + minutes(take_digits(2, count));
    is_valid_ = count > 0 && hours <= 24 && time_ <= std::chrono::hours(24);
    if (at_ >= text_.size() || text_[at_] != ':') return;
    ++at_;
    time_ += std::chrono::seconds(std::min(take_digits(2, count), 59));
    if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
  }

  void read_offset(char sign) {
    ++at_;
    std::size_t count = 0;
    const int value = take_digits(4, count);
    int hours = count <= 2 ? value : value / 100;
    int rest = count <= 2 ? 0 : value % 100;
    if (count <= 2 && at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      rest = take_digits(2, count);
    }
    if (count == 0) return;
    const int total = hours * 60 + rest;
    if (total > 15 * 60) return;
    zone_ = minutes(sign == '-' ? -total : total);
  }

  void read_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string word = to_lower_ascii(text_.substr(begin, at_ - begin));
    if (has_time_ || day_) {
      for (const ZoneName& zone : kZoneNames)
        if (zone.name == word) zone_ = std::chrono::hours(zone.hours);
    }
    if (word == "pm" && time_ < std::chrono::hours(12)) time_ += std::chrono::hours(12);
    if (word == "am" && time_ >= std::chrono::hours(12)) time_ -= std::chrono::hours(12);
    if (month_ || word.size() < 3) return;
    const auto* const found = std::find(kMonths.begin(), kMonths.end(), word.substr(0, 3));
    if (found != kMonths.end()) month_ = static_cast<int>(found - kMonths.begin()) + 1;
  }

  [[nodiscard]] std::optional<std::string> printed() const {
    const std::chrono::year_month_day date{std::chrono::year{*year_},
                                           std::chrono::month{static_cast<unsigned>(*month_)},
                                           std::chrono::day{static_cast<unsigned>(*day_)}};
    if (!date.ok() || *year_ < 1970) return std::nullopt;
    if (!has_time_) return fmt::format("{:04}-{:02}-{:02}", *year_, *month_, *day_);
    const auto when = std::chrono::sys_days(date) + time_ - zone_.value_or(minutes(0));
    const auto day = std::chrono::floor<std::chrono::days>(when);
    const std::chrono::year_month_day shown{day};
    const std::chrono::hh_mm_ss clock{when - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}", static_cast<int>(shown.year()),
                       static_cast<unsigned>(shown.month()), static_cast<unsigned>(shown.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       zone_ ? "Z" : "");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_valid_ = true;
  bool has_time_ = false;
  std::optional<int> day_;
  std::optional<int> month_;
  std::optional<int> year_;
  std::chrono::seconds time_{0};
  std::optional<minutes> zone_;
};

}  // namespace

std::string feed_date(std::string_view text) {
  constexpr std::size_t kLongest = 100;  // a longer text is no date
  const std::string_view trimmed = trim(text);
  if (trimmed.empty() || trimmed.size() > kLongest) return std::string(trimmed);
  if (auto date = Rfc822Date(trimmed).read()) return *std::move(date);
  if (auto date = read_date(trimmed)) return *std::move(date);
  return std::string(trimmed);
}

}  // namespace heddle::pages
