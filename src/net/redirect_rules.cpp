#include "net/redirect_rules.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::net {

namespace {

using HeaderNames = std::span<const std::string_view>;

// Headers that another origin may see. Any other header may carry a secret under an unknown name,
// so it is dropped. The conditions (If-…) come from the site; the body is sent along with the
// headers that describe it.
constexpr std::array<std::string_view, 15> kHarmless{
    "accept",        "accept-language",   "accept-encoding",
    "user-agent",    "cache-control",     "pragma",
    "dnt",           "sec-gpc",           "range",
    "if-none-match", "if-modified-since", "upgrade-insecure-requests",
    "content-type",  "content-encoding",  "content-language"};
constexpr std::array<std::string_view, 6> kAboutBody{"content-type",     "content-encoding",
                                                     "content-language", "content-location",
                                                     "content-length",   "transfer-encoding"};

bool is_named(HeaderNames names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view one) { return equals_ignoring_case(one, name); });
}

void drop(Headers& headers, HeaderNames names) {
  std::erase_if(headers, [&](const Header& header) { return is_named(names, header.first); });
}

void keep_only(Headers& headers, HeaderNames names) {
  std::erase_if(headers, [&](const Header& header) { return !is_named(names, header.first); });
}

}  // namespace

bool is_followed_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

void prepare_for_redirect(FetchRequest& request, int status, const Url& from, const Url& to) {
  const bool becomes_get = (status == 303 && request.method != "HEAD") ||
                           ((status == 301 || status == 302) && request.method == "POST");
  if (becomes_get) {
    request.method = "GET";
    request.body.clear();
    drop(request.headers, kAboutBody);
  }
  if (from.origin() != to.origin()) keep_only(request.headers, kHarmless);
}

bool may_take_host_headers(const Url& from, const Url& to) {
  const bool is_made_secure =
      from.scheme() == "http" && from.port() == 80 && to.scheme() == "https" && to.port() == 443;
  return from.host() != to.host() || from.origin() == to.origin() || is_made_secure;
}

std::string describe_redirects(const std::vector<std::string>& hops) {
  const auto first = std::find(hops.begin(), hops.end() - 1, hops.back());
  if (first != hops.end() - 1) {
    const auto length = static_cast<std::size_t>(hops.end() - first);
    if (length <= 6) return join({first, hops.end()}, " -> ") + " (a loop)";
    return fmt::format("{} (a loop of {} hops)", hops.back(), length - 1);
  }
  return fmt::format("{} -> … -> {}", hops.front(), hops.back());
}

}  // namespace heddle::net
