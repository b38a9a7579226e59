// Validates the text of a value: URL, selector, zone, header … Error messages continue a sentence
// that begins with the key. Pure, except check_zone().
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "config/environment.hpp"
#include "model/job/page_rules.hpp"
#include "model/job/page_source.hpp"

namespace heddle::config {

Status check_url(std::string_view text);        // absolute http(s)
Status check_proxy_url(std::string_view text);  // http, https, socks5; may contain a password
Status check_css(std::string_view text);        // not empty
Status check_namespace(std::string_view prefix, std::string_view name);
Status check_selector(std::string_view text);  // of the kind that its beginning says
Status check_selector(SelectorKind kind, std::string_view text);
Status check_regex(std::string_view text);    // RE2, which matches in linear time
Status check_network(std::string_view text);  // CIDR, address or host name
Status check_token(std::string_view text);    // RFC 9110: method and header names
Status check_header(std::string_view name, std::string_view value);
Status check_listen(std::string_view text);  // "address:port"
Status check_path(std::string_view text);
Result<StatusRange> read_status_range(std::string_view text);  // "404", "200-299"

enum class ZoneCheck { exists, missing, no_database };
// Reads the time zone database; "UTC" always exists.
ZoneCheck check_zone(std::string_view name, const Environment& environment);

}  // namespace heddle::config
