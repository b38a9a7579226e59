#include "net/request_rules.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::net {

namespace {

// The client writes these itself; a wrong one would shift the border between two requests.
constexpr std::array<std::string_view, 7> kFraming{
    "content-length", "transfer-encoding", "connection", "keep-alive", "te", "upgrade", "expect"};

bool is_framing(std::string_view name) {
  return std::any_of(kFraming.begin(), kFraming.end(),
                     [&](std::string_view one) { return equals_ignoring_case(one, name); });
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
    if (is_framing(header.first)) return;
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

}  // namespace heddle::net
