#include "net/proxy_url.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/web/url.hpp"

namespace heddle::net {

namespace {

struct KindRow {
  std::string_view scheme;
  ProxyKind kind;
  std::uint16_t default_port;
};

constexpr std::array<KindRow, 4> kKinds{{{"http", ProxyKind::http, 3128},
                                         {"https", ProxyKind::https, 443},
                                         {"socks5", ProxyKind::socks5, 1080},
                                         {"socks5h", ProxyKind::socks5, 1080}}};

constexpr std::array<std::string_view, 3> kSchemes{"http", "https", "socks5"};  // per ProxyKind

const KindRow* find_kind(std::string_view scheme) {
  for (const KindRow& row : kKinds)
    if (equals_ignoring_case(row.scheme, scheme)) return &row;
  return nullptr;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    unsigned value = 0;
    const bool is_escape =
        text[0] == '%' && text.size() >= 3 &&
        std::from_chars(text.data() + 1, text.data() + 3, value, 16).ptr == text.data() + 3;
    out += is_escape ? static_cast<char>(value) : text[0];
    text.remove_prefix(is_escape ? 3 : 1);
  }
  return out;
}

Error bad_proxy(std::string_view text, std::string_view problem) {
  return {ErrorCode::bad_input, fmt::format("proxy \"{}\": {}", redacted_proxy(text), problem)};
}

}  // namespace

Result<ProxyUrl> ProxyUrl::parse(std::string_view text) {
  const std::string_view whole = trim(text);
  const std::size_t colon = whole.find("://");
  const KindRow* row =
      colon == std::string_view::npos ? nullptr : find_kind(whole.substr(0, colon));
  if (row == nullptr) return bad_proxy(whole, "must start with http://, https:// or socks5://");
  ProxyUrl proxy;
  proxy.kind = row->kind;
  std::string_view rest = whole.substr(colon + 3);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = rest.substr(0, at);
    const std::size_t mark = std::min(login.find(':'), login.size());
    proxy.user = percent_decoded(login.substr(0, mark));
    if (mark < login.size()) proxy.password = percent_decoded(login.substr(mark + 1));
    rest.remove_prefix(at + 1);
  }
  const auto address = Url::parse(fmt::format("http://{}/", rest));
  if (!address || address->path_and_query() != "/")
    return bad_proxy(whole, "host or port is not valid");
  const bool has_port =
      rest.find(':', rest.rfind(']') == rest.npos ? 0 : rest.rfind(']')) != rest.npos;
  proxy.host = address->host();
  proxy.port = has_port ? address->port() : row->default_port;
  return proxy;
}

std::string ProxyUrl::address() const {
  return fmt::format("{}://{}:{}", kSchemes[static_cast<std::size_t>(kind)], host, port);
}

std::string ProxyUrl::redacted() const {
  const std::string plain = address();
  if (user.empty() && password.empty()) return plain;
  const std::size_t start = plain.find("://") + 3;
  return plain.substr(0, start) + "***@" + plain.substr(start);
}

std::string redacted_proxy(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  const std::size_t scheme = text.find("://");
  const std::size_t start = scheme == std::string_view::npos ? 0 : scheme + 3;
  return std::string(text.substr(0, start)) + "***" + std::string(text.substr(at));
}

}  // namespace heddle::net
