#include "model/web/address.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>

#include "base/text.hpp"

namespace heddle {

namespace {

struct SpecialRange {
  std::string_view network;
  int prefix_bits;
  std::string_view use;
};

// IANA special-purpose registries. Within a family the first match names the address.
constexpr auto kSpecialRanges = std::to_array<SpecialRange>({
    {"0.0.0.0", 8, "this network (0.0.0.0/8)"},
    {"10.0.0.0", 8, "private (10.0.0.0/8)"},
    {"100.64.0.0", 10, "carrier-grade NAT (100.64.0.0/10)"},
    {"127.0.0.0", 8, "loopback"},
    {"169.254.0.0", 16, "link-local (169.254.0.0/16)"},
    {"172.16.0.0", 12, "private (172.16.0.0/12)"},
    {"192.0.0.0", 24, "reserved for protocols (192.0.0.0/24)"},
    {"192.0.2.0", 24, "documentation (192.0.2.0/24)"},
    {"192.31.196.0", 24, "reserved (AS112)"},
    {"192.52.193.0", 24, "reserved (AMT)"},
    {"192.88.99.0", 24, "6to4 relay anycast (192.88.99.0/24)"},
    {"192.168.0.0", 16, "private (192.168.0.0/16)"},
    {"192.175.48.0", 24, "reserved (AS112)"},
    {"198.18.0.0", 15, "benchmarking (198.18.0.0/15)"},
    {"198.51.100.0", 24, "documentation (198.51.100.0/24)"},
    {"203.0.113.0", 24, "documentation (203.0.113.0/24)"},
    {"224.0.0.0", 4, "multicast (224.0.0.0/4)"},
    {"255.255.255.255", 32, "broadcast"},
    {"240.0.0.0", 4, "reserved (240.0.0.0/4)"},
    {"::1", 128, "loopback"},
    {"::", 128, "unspecified"},
    {"::ffff:0:0", 96, "an IPv4-mapped address"},
    {"::ffff:0:0:0", 96, "an IPv4-translated address"},
    {"::", 96, "an IPv4-compatible address"},
    {"64:ff9b::", 96, "a NAT64 address"},
    {"64:ff9b:1::", 48, "a local NAT64 address"},
    {"100::", 64, "discard-only (100::/64)"},
    {"2001::", 32, "a Teredo address"},
    {"2001:2::", 48, "benchmarking (2001:2::/48)"},
    {"2001:db8::", 32, "documentation (2001:db8::/32)"},
    {"2001:10::", 28, "reserved (ORCHID)"},
    {"2001:20::", 28, "reserved (ORCHIDv2)"},
    {"2001::", 23, "reserved for protocols (2001::/23)"},
    {"2002::", 16, "a 6to4 address"},
    {"3fff::", 20, "documentation (3fff::/20)"},
    {"5f00::", 16, "reserved (segment routing)"},
    {"fc00::", 7, "unique local (fc00::/7)"},
    {"fe80::", 10, "link-local (fe80::/10)"},
    {"fec0::", 10, "site-local (fec0::/10)"},
    {"ff00::", 8, "multicast (ff00::/8)"},
});

struct ParsedRange {
  AddressRange range;
  std::string_view use;
};

const std::vector<ParsedRange>& special_ranges() {
  static const std::vector<ParsedRange> ranges = [] {
    std::vector<ParsedRange> parsed;
    parsed.reserve(kSpecialRanges.size());
    for (const SpecialRange& row : kSpecialRanges)
      parsed.push_back({{*IpAddress::parse(row.network), row.prefix_bits}, row.use});
    return parsed;
  }();
  return ranges;
}

bool is_global_unicast_v6(const IpAddress& address) {
  return (address.bytes()[0] & 0xE0u) == 0x20;
}

IpAddress v4_at(const IpAddress::Bytes& bytes, std::size_t offset, std::uint8_t mask = 0) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = (value << 8) | static_cast<std::uint8_t>(bytes[offset + i] ^ mask);
  return IpAddress::v4(value);
}

bool starts_with(const IpAddress& address, std::string_view network, int bits) {
  return AddressRange{*IpAddress::parse(network), bits}.contains(address);
}

// RFC 6052 puts the address around byte 8 for short prefixes; networks that use 64:ff9b:1::/48 with
// a /96 inside keep it at the end, and only there are the last four bytes in use.
IpAddress v4_in_local_nat64(const IpAddress::Bytes& bytes) {
  if (std::any_of(bytes.begin() + 12, bytes.end(), [](auto byte) { return byte != 0; }))
    return v4_at(bytes, 12);
  IpAddress::Bytes joined{};
  joined[0] = bytes[6];
  joined[1] = bytes[7];
  joined[2] = bytes[9];
  joined[3] = bytes[10];
  return v4_at(joined, 0);
}

// The longest run of zero groups, at least two long: where "::" goes.
std::pair<int, int> zero_run(const std::array<unsigned, 8>& groups) {
  std::pair<int, int> best{-1, 1};
  for (int start = 0; start < 8; ++start) {
    int end = start;
    while (end < 8 && groups[static_cast<std::size_t>(end)] == 0) ++end;
    if (end - start > best.second) best = {start, end - start};
    start = std::max(start, end - 1);
  }
  return best;
}

std::string v6_text(const IpAddress::Bytes& bytes) {
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < 8; ++i) groups[i] = (bytes[2 * i] * 256u) + bytes[2 * i + 1];
  const auto [run_start, run_length] = zero_run(groups);
  std::string out;
  for (int i = 0; i < 8; ++i) {
    if (i == run_start) {
      out += "::";
      i += run_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    char digits[4];
    const auto end = std::to_chars(digits, digits + 4, groups[static_cast<std::size_t>(i)], 16);
    out.append(digits, end.ptr);
  }
  return out;
}

// One part of a loose IPv4 spelling: 0x hex, 0 octal, else decimal. nullopt: not a number;
// values too large for any part come back as 2^32.
std::optional<std::uint64_t> loose_number(std::string_view part) {
  if (part.empty()) return std::nullopt;
  int base = 10;
  if (part.size() >= 2 && part[0] == '0' && (part[1] | 0x20) == 'x') {
    base = 16;
    part.remove_prefix(2);
  } else if (part.size() >= 2 && part[0] == '0') {
    base = 8;
    part.remove_prefix(1);
  }
  if (part.empty()) return 0;  // "0x" alone
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), value, base);
  if (failure == std::errc::result_out_of_range) return std::uint64_t{1} << 32;
  if (failure != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return std::min(value, std::uint64_t{1} << 32);
}

std::string_view without_last_dot(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  char buffer[INET6_ADDRSTRLEN];
  if (text.size() >= sizeof buffer) return std::nullopt;
  text.copy(buffer, text.size());  // an empty view may have no data
  buffer[text.size()] = '\0';
  in_addr small{};
  if (inet_pton(AF_INET, buffer, &small) == 1) return v4(ntohl(small.s_addr));
  Bytes bytes{};
  if (inet_pton(AF_INET6, buffer, bytes.data()) == 1) return v6(bytes);
  return std::nullopt;
}

IpAddress IpAddress::v4(std::uint32_t value) {
  IpAddress address;
  address.is_v4_ = true;
  for (std::size_t i = 0; i < 4; ++i)
    address.bytes_[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  return address;
}

IpAddress IpAddress::v6(const Bytes& bytes) {
  IpAddress address;
  address.bytes_ = bytes;
  return address;
}

std::uint32_t IpAddress::v4_value() const {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | bytes_[i];
  return value;
}

std::string IpAddress::text() const {
  if (!is_v4_) return v6_text(bytes_);
  std::string out;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) out += '.';
    out += std::to_string(bytes_[i]);
  }
  return out;
}

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  const int most = address->is_v4() ? 32 : 128;
  if (slash == std::string_view::npos) return AddressRange{*address, most};
  const std::string_view digits = text.substr(slash + 1);
  int bits = -1;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (failure != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (bits < 0 || bits > most) return std::nullopt;
  return AddressRange{*address, bits};
}

bool AddressRange::contains(const IpAddress& address) const {
  if (address.is_v4() != network.is_v4()) return false;
  const auto whole = static_cast<std::size_t>(prefix_bits / 8);
  if (std::memcmp(address.bytes().data(), network.bytes().data(), whole) != 0) return false;
  const int rest = prefix_bits % 8;
  if (rest == 0) return true;
  const unsigned difference = address.bytes()[whole] ^ network.bytes()[whole];
  return (difference >> (8 - rest)) == 0;
}

std::string_view special_use(const IpAddress& address) {
  for (const auto& [range, use] : special_ranges())
    if (range.contains(address)) return use;
  if (!address.is_v4() && !is_global_unicast_v6(address)) return "reserved (not in 2000::/3)";
  return {};
}

std::vector<IpAddress> embedded_v4(const IpAddress& address) {
  if (address.is_v4()) return {};
  const IpAddress::Bytes& bytes = address.bytes();
  if (starts_with(address, "::", 127)) return {};  // "::" and "::1" are themselves
  if (starts_with(address, "::", 96) || starts_with(address, "::ffff:0:0", 96) ||
      starts_with(address, "::ffff:0:0:0", 96) || starts_with(address, "64:ff9b::", 96))
    return {v4_at(bytes, 12)};
  if (starts_with(address, "64:ff9b:1::", 48)) return {v4_in_local_nat64(bytes)};
  if (starts_with(address, "2002::", 16)) return {v4_at(bytes, 2)};
  if (starts_with(address, "2001::", 32)) return {v4_at(bytes, 4), v4_at(bytes, 12, 0xFF)};
  return {};
}

bool ends_in_number(std::string_view host) {
  host = without_last_dot(host);
  const std::size_t dot = host.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
  if (last.empty()) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!is_digit(last.front())) return false;
  return std::all_of(last.begin(), last.end(), is_digit) || loose_number(last).has_value();
}

std::optional<IpAddress> parse_loose_v4(std::string_view host) {
  const auto parts = split(without_last_dot(host), '.');
  if (parts.size() > 4) return std::nullopt;
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = loose_number(parts[i]);
    if (!number) return std::nullopt;
    const bool is_last = i + 1 == parts.size();
    if (!is_last && *number > 255) return std::nullopt;
    if (is_last && *number >= std::uint64_t{1} << (8 * (4 - i))) return std::nullopt;
    address |= is_last ? *number : *number << (24 - 8 * i);
  }
  return IpAddress::v4(static_cast<std::uint32_t>(address));
}

}  // namespace heddle
