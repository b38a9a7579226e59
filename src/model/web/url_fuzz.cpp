// Every parsed URL must be a fixed point of the parser, with parts that lie inside it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "model/web/address_guard.hpp"
#include "model/web/url.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const heddle::Url& url) {
  const auto again = heddle::Url::parse(url.text());
  require(bool(again));
  require(again->text() == url.text());
  require(again->host() == url.host() && again->port() == url.port());
  require(again->path() == url.path() && again->query() == url.query());
  require(url.path().starts_with('/'));
  require(url.host().find_first_of("@/\\?# \t\r\n%") == std::string_view::npos);
  require(url.text().find_first_of(" \t\r\n\"<>") == std::string::npos);
  const heddle::AddressGuard guard;
  const auto reason = guard.refusal_before_connecting(url.host());
  if (const auto address = heddle::literal_address(url.host()))
    require(reason.has_value() == guard.refusal(url.host(), *address).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto url = heddle::Url::parse(text)) check(*url);
  static const auto kBase = heddle::Url::parse("https://h.example:8443/a/b/c?q#f");
  if (const auto url = kBase->resolve(text)) check(*url);
  static_cast<void>(heddle::absolute_link(*kBase, text));
  return 0;
}
