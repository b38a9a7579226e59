// HTTP requests, responses and errors, as script, pipeline and net exchange them. Plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace heddle {

using Header = std::pair<std::string, std::string>;
using Headers = std::vector<Header>;

// The last value of a header, compared without case; nullptr when absent.
const std::string* find_header(const Headers& headers, std::string_view name);

struct FetchRequest {
  std::string url;
  std::string method = "GET";
  Headers headers;
  std::string body;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  std::string proxy;                        // empty: direct
  std::size_t max_body_bytes = 10'485'760;  // of decoded bytes
  int max_redirects = 10;
};

struct FetchResponse {
  int status = 0;
  std::string url;    // after redirects
  Headers headers;    // names in lower case, of the last hop
  std::string body;   // decoded from gzip/br/zstd, not yet from its charset
  std::string proxy;  // the one used, empty: direct
  std::chrono::microseconds time{0};
  std::size_t wire_bytes = 0;                        // as transferred, before decompression
  std::optional<WallTime> certificate_expires_at{};  // nullopt: without TLS, or not known
};

enum class FetchErrorKind { dns, timeout, proxy, tls, connect, size, http, blocked, unknown };
std::string_view to_text(FetchErrorKind kind);

struct FetchError {
  FetchErrorKind kind = FetchErrorKind::unknown;
  std::string message{};
  std::string proxy{};                      // the one used, empty: direct
  bool transient = false;                   // worth another try
  std::optional<FetchResponse> response{};  // what the server said with a status outside 2xx
};

}  // namespace heddle
