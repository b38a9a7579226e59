#include "model/web/url_host.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <idn2.h>

#include "base/free_with.hpp"
#include "base/text.hpp"
#include "model/web/address.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMaxHostBytes = 253;  // the limit of DNS
constexpr std::size_t kMaxRawBytes = 4096;  // as written, percent-encoded and in Unicode

enum class HostByte : unsigned char { plain, upper, forbidden, percent, wide };

constexpr std::array<HostByte, 256> kHostBytes = [] {
  std::array<HostByte, 256> table{};
  for (std::size_t c = 0; c <= 0x20; ++c) table[c] = HostByte::forbidden;
  for (std::size_t c = 0x7F; c < 256; ++c) table[c] = HostByte::wide;
  table[0x7F] = HostByte::forbidden;
  // Stricter than browsers: libcurl would refuse these too, and no name on the net has them.
  for (const char c : std::string_view("!\"#$&'()*+,/:;<=>?@[\\]^`{|}"))
    table[static_cast<unsigned char>(c)] = HostByte::forbidden;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) table[c] = HostByte::upper;
  table['%'] = HostByte::percent;
  return table;
}();

HostByte kind_of(char c) {
  return kHostBytes[static_cast<unsigned char>(c)];
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                           hex_value(text[i + 2]) >= 0;
    if (!is_escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
    i += 2;
  }
  return out;
}

// UTS 46, non-transitional, as browsers do: "ⓔxample。org" -> "example.org", "bücher" -> "xn--…".
const char* to_ascii(std::string_view name, std::string& ascii) {
  if (!is_valid_utf8(name)) return "the host name is not UTF-8";
  char* converted = nullptr;
  const std::string input(name);
  const int outcome =
      idn2_to_ascii_8z(input.c_str(), &converted, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  const std::unique_ptr<char, FreeWith<idn2_free>> owner(converted);
  if (outcome != IDN2_OK) return "the host is not a valid international domain name";
  ascii = converted;
  return nullptr;
}

const char* append_ascii_host(std::string& out, std::string_view host) {
  if (host.empty() || host == ".") return "the host is missing";
  if (host.size() > kMaxHostBytes + 1) return "the host name is longer than 253 characters";
  if (ends_in_number(host)) {
    const auto address = parse_loose_v4(host);
    if (!address) return "the host is not a valid IPv4 address";
    out += address->text();
    return nullptr;
  }
  const std::size_t start = out.size();
  out += host;
  for (std::size_t i = start; i < out.size(); ++i) {
    const HostByte kind = kind_of(out[i]);
    if (kind == HostByte::upper)
      out[i] = static_cast<char>(out[i] + 32);
    else if (kind != HostByte::plain)
      return "the host contains a forbidden character";
  }
  return nullptr;
}

}  // namespace

const char* append_normal_host(std::string& out, std::string_view host) {
  if (host.starts_with('[')) {
    if (!host.ends_with(']')) return "the IPv6 address is not closed with ]";
    const auto address = IpAddress::parse(host.substr(1, host.size() - 2));
    if (!address || address->is_v4()) return "the host is not a valid IPv6 address";
    out += '[';
    out += address->text();
    out += ']';
    return nullptr;
  }
  const auto needs_work = [](char c) {
    const HostByte kind = kind_of(c);
    return kind == HostByte::percent || kind == HostByte::wide;
  };
  if (std::none_of(host.begin(), host.end(), needs_work)) return append_ascii_host(out, host);
  if (host.size() > kMaxRawBytes) return "the host name is longer than 253 characters";

  const std::string decoded = percent_decoded(host);
  if (decoded.find('\0') != std::string::npos) return "the host contains a forbidden character";
  const bool is_ascii = std::all_of(decoded.begin(), decoded.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (is_ascii) return append_ascii_host(out, decoded);
  std::string ascii;
  if (const char* problem = to_ascii(decoded, ascii)) return problem;
  return append_ascii_host(out, ascii);
}

}  // namespace heddle
