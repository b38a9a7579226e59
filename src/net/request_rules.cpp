#include "net/request_rules.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::net {

namespace {

using Names = std::span<const std::string_view>;

// The client writes these itself; a wrong one would shift the border between two requests.
constexpr std::array<std::string_view, 7> kFraming{
    "content-length", "transfer-encoding", "connection", "keep-alive", "te", "upgrade", "expect"};
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

bool is_one_of(Names names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view one) { return equals_ignoring_case(one, name); });
}

void drop(Headers& headers, Names names) {
  std::erase_if(headers, [&](const Header& header) { return is_one_of(names, header.first); });
}

void keep_only(Headers& headers, Names names) {
  std::erase_if(headers, [&](const Header& header) { return !is_one_of(names, header.first); });
}

constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool is_one_line(std::string_view value) {
  return std::none_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7F;
  });
}

}  // namespace

Status check_request(const FetchRequest& request) {
  if (!is_token(request.method) || equals_ignoring_case(request.method, "CONNECT"))
    return Error{ErrorCode::bad_input, fmt::format("\"{}\" is not a method that can be sent",
                                                   to_valid_utf8(request.method))};
  for (const auto& [name, value] : request.headers) {
    if (!is_token(name))
      return Error{ErrorCode::bad_input,
                   fmt::format("\"{}\" is not a valid header name", to_valid_utf8(name))};
    if (!is_one_line(value))
      return Error{ErrorCode::bad_input,
                   fmt::format("the value of header {} contains a control character", name)};
  }
  return Done{};
}

SentHeaders merge_headers(const Headers& request, const Headers& of_host) {
  SentHeaders sent;
  const auto add = [&sent](const Header& header) {
    if (is_one_of(kFraming, header.first)) return;
    if (equals_ignoring_case(header.first, "cookie"))
      sent.cookie = header.second;
    else
      sent.headers.push_back(header);
  };
  for (const Header& header : of_host)
    if (find_header(request, header.first) == nullptr) add(header);
  for (const Header& header : request) add(header);
  return sent;
}

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
