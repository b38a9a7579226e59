#include "model/web/address_guard.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle {

namespace {

std::string normal_host(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  return to_lower_ascii(host);
}

// Unicode names and loose spellings are understood as in URLs, so that both sides compare equal.
Result<std::string> parse_host_rule(std::string_view entry) {
  const bool is_wildcard = entry.starts_with("*.");
  const auto url = Url::parse(fmt::format("http://{}/", is_wildcard ? entry.substr(2) : entry));
  if (!url || url->path() != "/" || url->text().find_first_of("?#") != std::string::npos ||
      url->port() != 80)
    return Error{ErrorCode::bad_input, "neither an address range nor a host name"};
  return fmt::format("{}{}", is_wildcard ? "*." : "", normal_host(url->host()));
}

// "::ffff:10.0.0.1" in a list means the IPv4 address it is.
AddressRange without_mapping(AddressRange range) {
  static const AddressRange mapped{*IpAddress::parse("::ffff:0:0"), 96};
  if (range.prefix_bits < 96 || !mapped.contains(range.network)) return range;
  return {embedded_v4(range.network).front(), range.prefix_bits - 96};
}

}  // namespace

Status AddressGuard::Rules::add(const std::string& entry, std::string_view list) {
  const std::string_view text = trim(entry);
  if (const auto range = AddressRange::parse(text)) {
    ranges.push_back(without_mapping(*range));
    return Done{};
  }
  auto host = parse_host_rule(text);
  if (!host)
    return std::move(host.error()).during(fmt::format("[network] {} entry \"{}\"", list, text));
  if (const auto address = literal_address(*host))
    ranges.push_back({*address, address->is_v4() ? 32 : 128});
  else
    hosts.push_back(std::move(*host));
  return Done{};
}

bool AddressGuard::Rules::has_address(const IpAddress& address) const {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const AddressRange& range) { return range.contains(address); });
}

bool AddressGuard::Rules::has_host(std::string_view host) const {
  if (hosts.empty()) return false;
  const std::string name = normal_host(host);
  return std::any_of(hosts.begin(), hosts.end(), [&](const std::string& rule) {
    if (!rule.starts_with("*.")) return rule == name;
    return name.size() > rule.size() - 1 && name.ends_with(std::string_view(rule).substr(1));
  });
}

std::string AddressGuard::Rules::key() const {
  std::vector<std::string> entries = hosts;
  for (const AddressRange& range : ranges)
    entries.push_back(fmt::format("{}/{}", range.network.text(), range.prefix_bits));
  std::sort(entries.begin(), entries.end());
  return join(entries, " ");
}

Result<AddressGuard> AddressGuard::make(const NetworkRules& rules, TrafficClass traffic) {
  AddressGuard guard;
  guard.traffic_ = traffic;
  const auto add_all = [](Rules& to, const std::vector<std::string>& entries,
                          std::string_view list) -> Status {
    for (const std::string& entry : entries)
      if (auto added = to.add(entry, list); !added) return added;
    return Done{};
  };
  if (auto added = add_all(guard.allow_, rules.allow, "allow"); !added) return added.error();
  if (auto added = add_all(guard.deny_, rules.deny, "deny"); !added) return added.error();
  if (traffic == TrafficClass::delivery)
    if (auto added = add_all(guard.allow_, rules.allow_delivery, "allow_delivery"); !added)
      return added.error();
  guard.key_ = guard.allow_.key() + " deny " + guard.deny_.key();
  return guard;
}

Result<AddressGuard> AddressGuard::narrowed_by(const std::vector<std::string>& deny) const {
  AddressGuard narrower = *this;
  for (const std::string& entry : deny)
    if (auto added = narrower.deny_.add(entry, "deny"); !added) return added.error();
  narrower.key_ = narrower.allow_.key() + " deny " + narrower.deny_.key();
  return narrower;
}

std::string AddressGuard::how_to_permit() const {
  return traffic_ == TrafficClass::fetch
             ? "list it under [network] allow to permit it"
             : "list it under [network] allow_delivery (or allow) to permit it";
}

std::optional<std::string> AddressGuard::refusal(std::string_view host,
                                                 const IpAddress& address) const {
  const std::vector<IpAddress> inner = embedded_v4(address);
  const auto is_denied = [this](const IpAddress& one) { return deny_.has_address(one); };
  if (is_denied(address) || std::any_of(inner.begin(), inner.end(), is_denied))
    return fmt::format("refused: {} is listed under [network] deny", address.text());
  if (deny_.has_host(host))
    return fmt::format("refused: host {} is listed under [network] deny", host);
  if (allow_.has_host(host)) return std::nullopt;

  bool is_inner_listed = !inner.empty();
  for (const IpAddress& one : inner) {
    if (allow_.has_address(one)) continue;
    is_inner_listed = false;
    if (const std::string_view use = special_use(one); !use.empty())
      return fmt::format("refused: {} is {} of {}, which is {}; {}", address.text(),
                         special_use(address), one.text(), use, how_to_permit());
  }
  if (is_inner_listed || allow_.has_address(address)) return std::nullopt;
  if (const std::string_view use = special_use(address); !use.empty())
    return fmt::format("refused: {} is {}; {}", address.text(), use, how_to_permit());
  return std::nullopt;
}

std::optional<std::string> AddressGuard::refusal_before_connecting(std::string_view host) const {
  if (const auto address = literal_address(host)) return refusal(host, *address);
  if (deny_.has_host(host))
    return fmt::format("refused: host {} is listed under [network] deny", host);
  return std::nullopt;
}

bool AddressGuard::allows_host(std::string_view host) const {
  return allow_.has_host(host) && !deny_.has_host(host);
}

std::optional<std::string> literal_address_warning(const Url& url, const AddressGuard& guard) {
  const auto address = literal_address(url.host());
  if (!address) return std::nullopt;
  return guard.refusal(url.host(), *address);
}

std::optional<IpAddress> literal_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return IpAddress::parse(host);
}

}  // namespace heddle
