#include "config/read/values/formats.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.hpp"
#include "config/read/values/quantity.hpp"
#include "model/web/address_guard.hpp"
#include "model/web/url.hpp"
#include "pages/source/source_selector.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kSelectorPrefix = "selector: ";
constexpr std::int64_t kRegexMemory = 8 << 20;

Error wrong(std::string message) {
  return {ErrorCode::bad_input, std::move(message)};
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

bool is_token_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// Headers that the HTTP client writes itself; a second, different one would split the request.
bool is_written_by_client(std::string_view name) {
  return equals_ignoring_case(name, "content-length") ||
         equals_ignoring_case(name, "transfer-encoding");
}

// Compiled zones begin with these bytes; the database folder also holds tables and scripts.
bool is_zone_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string magic(4, '\0');
  return in.read(magic.data(), 4) && magic == "TZif";
}

bool is_zone_name(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.size() > 100) return false;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '-' || c == '+';
  };
  return std::all_of(name.begin(), name.end(),
                     allowed);  // no dot: the path stays inside the folder
}

}  // namespace

Status check_url(std::string_view text) {
  auto url = Url::parse(text);
  if (!url) return std::move(url).error();
  return Done{};
}

Status check_proxy_url(std::string_view text) {
  const std::size_t mark = text.find("://");
  const std::string scheme = to_lower_ascii(text.substr(0, mark));
  if (mark == std::string_view::npos ||
      (scheme != "http" && scheme != "https" && scheme != "socks5"))
    return wrong("a proxy must start with http://, https:// or socks5://");
  std::string_view authority = text.substr(mark + 3);
  const std::size_t slash = authority.find_first_of("/?#");
  if (slash != std::string_view::npos && authority.substr(slash) != "/")
    return wrong("a proxy URL must not have a path");
  authority = authority.substr(0, slash);
  if (std::any_of(authority.begin(), authority.end(), is_control))
    return wrong("a proxy URL must not have control characters");
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) authority.remove_prefix(at + 1);
  auto url = Url::parse(fmt::format("http://{}/", authority));
  if (!url) return std::move(url).error();
  return Done{};
}

Status check_css(std::string_view text) {
  return check_selector(SelectorKind::css, text);
}

Status check_namespace(std::string_view prefix, std::string_view name) {
  static const re2::RE2 prefixes(R"([\p{L}_][\p{L}\p{N}._-]*)");
  static const re2::RE2 uris(R"([A-Za-z][A-Za-z0-9+.-]*:[^\s<>"]*)");
  const auto refuse = [](std::string message) {
    return Error{ErrorCode::bad_input, std::move(message)};
  };
  if (!re2::RE2::FullMatch({prefix.data(), prefix.size()}, prefixes))
    return refuse(
        fmt::format("{} cannot be a prefix: it begins with a letter and has letters, "
                    "digits, \"-\", \"_\" and \".\"",
                    in_quotes(prefix)));
  if (prefix == "xml" || prefix == "xmlns")
    return refuse(fmt::format("the prefix {} belongs to XML itself", in_quotes(prefix)));
  if (!re2::RE2::FullMatch({name.data(), name.size()}, uris))
    return refuse(
        fmt::format("{} is not the URI of a namespace, such as "
                    "\"http://purl.org/dc/elements/1.1/\"",
                    in_quotes(name)));
  return Done{};
}

Status check_selector(std::string_view text) {
  return check_selector(selector_kind(text), text);
}

Status check_selector(SelectorKind kind, std::string_view text) {
  if (trim(text).empty()) return wrong("a selector must not be empty");
  auto selector = pages::SourceSelector::compile(kind, trim(text));
  if (selector) return Done{};
  // The caller adds the key or field.
  std::string message = std::move(selector).error().message;
  if (message.starts_with(kSelectorPrefix)) message.erase(0, kSelectorPrefix.size());
  return wrong(std::move(message));
}

Status check_regex(std::string_view text) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kRegexMemory);
  const re2::RE2 regex(re2::StringPiece(text.data(), text.size()), options);
  if (!regex.ok()) return wrong(fmt::format("not a regular expression: {}", regex.error()));
  return Done{};
}

Status check_network(std::string_view text) {
  NetworkRules rules;
  rules.allow.emplace_back(text);
  auto guard = AddressGuard::make(rules, TrafficClass::fetch);
  if (!guard) return wrong(fmt::format("{} is not a CIDR range, address or host", text));
  return Done{};
}

Status check_token(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_token_char))
    return wrong("only letters, digits and !#$%&'*+-.^_`|~ are allowed");
  return Done{};
}

Status check_header(std::string_view name, std::string_view value) {
  if (auto token = check_token(name); !token)
    return std::move(token).error().during("not a header name");
  if (is_written_by_client(name)) return wrong("this header is written by the HTTP client itself");
  const auto is_bad = [](char c) { return is_control(c) && c != '\t'; };
  if (std::any_of(value.begin(), value.end(), is_bad))
    return wrong("a header value must not have line breaks or other control characters");
  return Done{};
}

Status check_listen(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong("the port is missing, write \"address:port\"");
  const auto port = parse_integer(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) return wrong("the port must be 0 to 65535");
  const std::string_view host = text.substr(0, colon);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (host.empty() || (host.find(':') != std::string_view::npos && !is_bracketed))
    return wrong("the address is missing or wrong, IPv6 is written \"[::1]:7979\"");
  return check_url(fmt::format("http://{}/", host));
}

Status check_path(std::string_view text) {
  if (trim(text).empty()) return wrong("a path must not be empty");
  if (std::any_of(text.begin(), text.end(), is_control))
    return wrong("a path must not have control characters");
  return Done{};
}

Result<StatusRange> read_status_range(std::string_view text) {
  const std::string_view range = trim(text);
  const std::size_t dash = range.find('-');
  const auto first = parse_integer(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_integer(range.substr(dash + 1));
  const auto is_status = [](const auto& number) {
    return number && *number >= 100 && *number <= 599;
  };
  if (!is_status(first) || !is_status(last) || *first > *last)
    return wrong(
        fmt::format("\"{}\" is not an HTTP status: give a number such as 404, or a range such "
                    "as 200-299",
                    text));
  return StatusRange{static_cast<int>(*first), static_cast<int>(*last)};
}

ZoneCheck check_zone(std::string_view name, const Environment& environment) {
  if (name == "UTC") return ZoneCheck::exists;
  if (!is_zone_name(name)) return ZoneCheck::missing;
  std::error_code ignored;
  if (!std::filesystem::is_directory(environment.zoneinfo, ignored)) return ZoneCheck::no_database;
  return is_zone_file(environment.zoneinfo / name) ? ZoneCheck::exists : ZoneCheck::missing;
}

}  // namespace heddle::config
