#include "net/hosts/retry_after.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <curl/curl.h>

#include "base/text.hpp"

namespace heddle::net {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds kLongest = 24h;

}  // namespace

std::optional<milliseconds> parse_retry_after(std::string_view value, WallTime now) {
  value = trim(value);
  if (value.empty()) return std::nullopt;
  long long seconds = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (end == value.data() + value.size() && value[0] != '-') {
    if (failure == std::errc::result_out_of_range) return kLongest;
    return std::min<milliseconds>(kLongest, std::chrono::seconds(std::min(seconds, 86'400LL)));
  }
  if (value.find(':') == std::string_view::npos) return std::nullopt;
  const time_t date = curl_getdate(std::string(value).c_str(), nullptr);
  if (date < 0) return std::nullopt;
  const WallTime until{std::chrono::seconds(date)};
  return std::clamp<milliseconds>(until - now, 0ms, kLongest);
}

std::optional<milliseconds> asked_to_wait(const FetchResponse& answer, const RetryPolicy& policy,
                                          WallTime now) {
  if (answer.status != 429 && answer.status != 503) return std::nullopt;
  const std::string* value = find_header(answer.headers, "retry-after");
  const auto asked = value == nullptr ? std::nullopt : parse_retry_after(*value, now);
  return std::min(asked.value_or(policy.base), policy.cap);
}

}  // namespace heddle::net
