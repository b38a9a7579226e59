// Parses and normalises URLs. The HTTP client gets the text printed here, so that no two parsers
// can disagree about the host. Follows the WHATWG rules for http and https.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace heddle {

// An absolute http(s) URL, normalised: lower-case scheme and host (IDNA names as punycode, IPv4 in
// any spelling as dotted decimal, IPv6 compressed in brackets), default port dropped, dot segments
// resolved, spaces, control and non-ASCII characters percent-encoded. A plain value.
class Url {
 public:
  // Refuses other schemes, missing or invalid hosts, and user names or passwords, with the reason.
  static Result<Url> parse(std::string_view text);

  // Resolves a reference ("../x", "?page=2", "//host/p", "#top") against this URL.
  [[nodiscard]] Result<Url> resolve(std::string_view reference) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string without_fragment() const;
  [[nodiscard]] std::string_view scheme() const;  // "http" or "https"
  [[nodiscard]] std::string_view host() const;    // IPv6 with its brackets
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string_view path() const;   // starts with "/"
  [[nodiscard]] std::string_view query() const;  // without "?", empty when none
  [[nodiscard]] std::string_view path_and_query() const;
  [[nodiscard]] std::string origin() const;  // "https://host:port", default port left out

 private:
  friend class UrlBuilder;
  std::string text_;
  // Offsets into text_.
  std::uint32_t host_start_ = 0;
  std::uint32_t host_end_ = 0;
  std::uint32_t path_start_ = 0;
  std::uint32_t path_end_ = 0;   // start of "?…" or "#…", or the end
  std::uint32_t query_end_ = 0;  // start of "#…", or the end
  std::uint16_t port_ = 0;
};

// Resolves a page's link the way a browser would, without failing: a reference that cannot
// be resolved ("mailto:x", "javascript:…", garbage) is returned trimmed but unchanged.
std::string absolute_link(const Url& base, std::string_view reference);

}  // namespace heddle
