#include "notify/retry_after.hpp"

#include <algorithm>
#include <ctime>
#include <iomanip>
#include <locale>
#include <sstream>

#include "base/text.hpp"

namespace heddle::notify {

namespace {

using namespace std::chrono;

constexpr std::size_t kMaxDigits = 9;

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() <= kMaxDigits &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "Thu, 12 Mar 2026 10:00:00 GMT", the one form servers may send today.
std::optional<WallTime> read_http_date(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  std::tm parts{};
  stream >> std::get_time(&parts, "%a, %d %b %Y %H:%M:%S GMT");
  if (stream.fail()) return std::nullopt;
  const year_month_day date{year{parts.tm_year + 1900},
                            month{static_cast<unsigned>(parts.tm_mon) + 1},
                            day{static_cast<unsigned>(parts.tm_mday)}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date} + hours(parts.tm_hour) + minutes(parts.tm_min) + seconds(parts.tm_sec);
}

}  // namespace

std::optional<seconds> read_retry_after(std::string_view text, WallTime now) {
  text = trim(text);
  if (is_digits(text)) return seconds(std::stoll(std::string(text)));
  const auto date = read_http_date(text);
  if (!date) return std::nullopt;
  return std::max(seconds(0), ceil<seconds>(*date - now));
}

}  // namespace heddle::notify
