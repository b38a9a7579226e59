// Parses, prints and compares IP addresses and ranges, and knows which ranges are not public.
// Pure; address_guard.hpp decides what is permitted.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class IpAddress {
 public:
  using Bytes = std::array<std::uint8_t, 16>;

  // Strict spellings only: dotted decimal, or IPv6 without brackets and zone id.
  static std::optional<IpAddress> parse(std::string_view text);
  static IpAddress v4(std::uint32_t value);
  static IpAddress v6(const Bytes& bytes);

  [[nodiscard]] bool is_v4() const { return is_v4_; }
  [[nodiscard]] std::uint32_t v4_value() const;  // only when is_v4()
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] std::string text() const;  // IPv6 compressed, without brackets

  auto operator<=>(const IpAddress&) const = default;

 private:
  bool is_v4_ = false;
  Bytes bytes_{};  // IPv4 in the first four
};

// "10.0.0.0/8", "fd00::/8", or a single address.
struct AddressRange {
  IpAddress network;
  int prefix_bits = 0;

  static std::optional<AddressRange> parse(std::string_view text);
  [[nodiscard]] bool contains(const IpAddress& address) const;
  auto operator<=>(const AddressRange&) const = default;
};

// What an address is when it is not an ordinary public one ("loopback", "private", "link-local",
// …); empty for public addresses. Looks at the address alone, not at one embedded in it.
std::string_view special_use(const IpAddress& address);

// IPv4 addresses carried inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo, …).
std::vector<IpAddress> embedded_v4(const IpAddress& address);

// WHATWG number forms: "127.1", "0x7f000001", "017700000001", "2130706433"; nullopt when it is
// written as a number but is none.
std::optional<IpAddress> parse_loose_v4(std::string_view host);
// Whether a host name must be read as an IPv4 address because its last label is a number.
bool ends_in_number(std::string_view host);

}  // namespace heddle
