// A proxy as configured: "http://user:secret@proxy.example:3128", "https://…", "socks5://…".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace heddle::net {

enum class ProxyKind { http, https, socks5 };

struct ProxyUrl {
  ProxyKind kind = ProxyKind::http;
  std::string host;  // normalised as in Url, IPv6 with brackets
  std::uint16_t port = 0;
  std::string user;
  std::string password;

  // socks5h is read as socks5. A missing port is 3128 (https: 443, socks5: 1080).
  static Result<ProxyUrl> parse(std::string_view text);

  [[nodiscard]] std::string address() const;   // "http://host:port": what the connection needs
  [[nodiscard]] std::string redacted() const;  // for people: "http://***@host:port"
};

// The text with any password in it hidden, also when it is no valid proxy URL.
std::string redacted_proxy(std::string_view text);

}  // namespace heddle::net
