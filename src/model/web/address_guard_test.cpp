#include "model/web/address_guard.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::HasSubstr;

AddressGuard make(const NetworkRules& rules, TrafficClass traffic = TrafficClass::fetch) {
  auto guard = AddressGuard::make(rules, traffic);
  EXPECT_TRUE(guard) << (guard ? "" : guard.error().message);
  return guard ? *guard : AddressGuard{};
}

NetworkRules rules(std::vector<std::string> allow, std::vector<std::string> deny = {}) {
  NetworkRules made;
  made.allow = std::move(allow);
  made.deny = std::move(deny);
  return made;
}

bool permits(const AddressGuard& guard, std::string_view address,
             std::string_view host = "h.example") {
  return !guard.refusal(host, *IpAddress::parse(address));
}

// How one IPv4 part may be written: decimal, octal with any zeros before it, hex in both cases.
std::vector<std::string> spellings_of_part(std::uint32_t value) {
  return {std::to_string(value),         fmt::format("0{:o}", value),
          fmt::format("000{:o}", value), fmt::format("0x{:x}", value),
          fmt::format("0X{:X}", value),  fmt::format("0x00{:x}", value)};
}

// One, two, three and four parts in every spelling, with and without a trailing dot, percent- and
// Unicode-encoded, inside every kind of IPv6 address.
std::vector<std::string> encodings_of(std::uint32_t v4) {
  const std::uint32_t a = v4 >> 24, b = (v4 >> 16) & 255, c = (v4 >> 8) & 255, d = v4 & 255;
  std::vector<std::string> hosts = spellings_of_part(v4);
  const auto add_all = [&hosts](std::vector<std::uint32_t> parts) {
    for (std::size_t first = 0; first < 6; ++first)
      for (std::size_t rest = 0; rest < 6; ++rest) {
        std::string host = spellings_of_part(parts[0])[first];
        for (std::size_t i = 1; i < parts.size(); ++i)
          host += "." + spellings_of_part(parts[i])[rest];
        hosts.push_back(host);
      }
  };
  add_all({a, v4 & 0xFFFFFF});
  add_all({a, b, v4 & 0xFFFF});
  add_all({a, b, c, d});
  const std::string dotted = fmt::format("{}.{}.{}.{}", a, b, c, d);
  std::string percent, fullwidth, ideographic;
  for (const char digit : dotted) {
    percent += fmt::format("%{:02x}", digit);
    const auto wide = [](int base, char ch) {
      const int code = base + ch;
      return std::string{static_cast<char>(0xE0 | (code >> 12)),
                         static_cast<char>(0x80 | ((code >> 6) & 63)),
                         static_cast<char>(0x80 | (code & 63))};
    };
    fullwidth += digit == '.' ? "．" : wide(0xFF10 - '0', digit);
    ideographic += digit == '.' ? "。" : std::string(1, digit);
  }
  hosts.insert(hosts.end(), {percent, fullwidth, ideographic});
  const std::size_t plain = hosts.size();
  for (std::size_t i = 0; i < plain; ++i) hosts.push_back(hosts[i] + ".");
  const std::string high = fmt::format("{:x}", v4 >> 16), low = fmt::format("{:x}", v4 & 0xFFFF);
  for (const char* form :
       {"[::{0}]", "[::ffff:{0}]", "[::FFFF:{0}]", "[::ffff:0:{0}]", "[0:0:0:0:0:ffff:{0}]",
        "[64:ff9b::{0}]", "[64:ff9b:1::{0}]", "[0064:ff9b:0:0:0:0:{0}]", "[2002:{1}:{2}::]",
        "[2002:{1}:{2}::1]", "[2001:0:{1}:{2}::1]", "[::{1}:{2}]", "[::ffff:{1}:{2}]"})
    hosts.push_back(fmt::format(fmt::runtime(form), dotted, high, low));
  hosts.push_back(fmt::format("[2001::{:x}:{:x}]", (~v4 >> 16) & 0xFFFF, ~v4 & 0xFFFF));
  return hosts;
}

TEST(AddressGuard, RefusesEverySpellingOfEveryPrivateTarget) {
  const AddressGuard guard;
  std::size_t checked = 0;
  for (const char* target :
       {"0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1",
        "192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"}) {
    const auto encodings = encodings_of(IpAddress::parse(target)->v4_value());
    ASSERT_GE(encodings.size(), 244u);
    for (const std::string& host : encodings) {
      ++checked;
      const auto url = Url::parse("http://" + host + "/");
      if (!url) continue;  // refused even earlier
      const auto address = literal_address(url->host());
      ASSERT_TRUE(address) << host << " became the name " << url->host();
      EXPECT_TRUE(guard.refusal(url->host(), *address)) << host << " -> " << url->text();
      EXPECT_TRUE(guard.refusal_before_connecting(url->host())) << host;
    }
  }
  EXPECT_GE(checked, 2928u);
}

TEST(AddressGuard, ReadsTheSameSpellingsOfAPublicTargetAsPublic) {
  const AddressGuard guard;
  std::size_t permitted = 0;
  for (const std::string& host : encodings_of(IpAddress::parse("93.184.216.34")->v4_value())) {
    const auto url = Url::parse("http://" + host + "/");
    if (url && !url->host().starts_with('[') && !guard.refusal_before_connecting(url->host()))
      ++permitted;
  }
  EXPECT_GE(permitted, 200u);
}

TEST(AddressGuard, RefusesIpv6TargetsThatAreNotPublic) {
  const AddressGuard guard;
  for (const char* address :
       {"::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1",
        "100::1", "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8", "::8.8.8.8"})
    EXPECT_FALSE(permits(guard, address)) << address;
  EXPECT_TRUE(permits(guard, "2606:4700:4700::1111"));
}

TEST(AddressGuard, NamesAddressRuleAndConfigurationKey) {
  const AddressGuard guard;
  EXPECT_EQ(guard.refusal("localhost", *IpAddress::parse("127.0.0.1")),
            "refused: 127.0.0.1 is loopback; list it under [network] allow to permit it");
  EXPECT_EQ(
      guard.refusal("h", *IpAddress::parse("64:ff9b::a00:1")),
      "refused: 64:ff9b::a00:1 is a NAT64 address of 10.0.0.1, which is private (10.0.0.0/8); "
      "list it under [network] allow to permit it");
  const AddressGuard delivery = make({}, TrafficClass::delivery);
  EXPECT_THAT(*delivery.refusal("h", *IpAddress::parse("10.0.0.1")), HasSubstr("allow_delivery"));
}

TEST(AddressGuard, PermitsWhatAllowLists) {
  const AddressGuard guard = make(rules({"10.0.0.0/8", "fd00::/8", "127.0.0.1", " 192.168.1.5 "}));
  for (const char* address : {"10.1.2.3", "fd12::1", "127.0.0.1", "192.168.1.5", "::ffff:10.1.2.3",
                              "64:ff9b::a01:203", "8.8.8.8"})
    EXPECT_TRUE(permits(guard, address)) << address;
  for (const char* address : {"127.0.0.2", "192.168.1.6", "172.16.0.1", "::1", "::ffff:172.16.0.1"})
    EXPECT_FALSE(permits(guard, address)) << address;
}

TEST(AddressGuard, PermitsATransitionRangeButChecksTheEmbeddedAddress) {
  const AddressGuard guard = make(rules({"64:ff9b::/96"}));
  EXPECT_TRUE(permits(guard, "64:ff9b::808:808"));
  EXPECT_FALSE(permits(guard, "64:ff9b::a00:1"));
}

TEST(AddressGuard, PermitsTheAddressesOfAnAllowedName) {
  const AddressGuard guard = make(rules({"intranet.example", "*.lab.example", "bücher.example"}));
  EXPECT_TRUE(permits(guard, "10.0.0.1", "Intranet.Example."));
  EXPECT_TRUE(permits(guard, "10.0.0.1", "a.b.lab.example"));
  EXPECT_TRUE(permits(guard, "10.0.0.1", "xn--bcher-kva.example"));
  EXPECT_FALSE(permits(guard, "10.0.0.1", "lab.example"));
  EXPECT_FALSE(permits(guard, "10.0.0.1", "evillab.example"));
  EXPECT_FALSE(permits(guard, "10.0.0.1", "intranet.example.evil.example"));
  EXPECT_TRUE(guard.allows_host("intranet.example"));
}

TEST(AddressGuard, LetsDenyWin) {
  const AddressGuard guard =
      make(rules({"10.0.0.0/8", "bad.example"}, {"10.0.0.1", "bad.example", "8.8.8.0/24"}));
  EXPECT_TRUE(permits(guard, "10.0.0.2"));
  EXPECT_FALSE(permits(guard, "10.0.0.1"));
  EXPECT_FALSE(permits(guard, "::ffff:10.0.0.1"));
  EXPECT_FALSE(permits(guard, "8.8.8.8"));
  EXPECT_FALSE(permits(guard, "1.1.1.1", "bad.example"));
  EXPECT_FALSE(guard.allows_host("bad.example"));
  EXPECT_THAT(*guard.refusal_before_connecting("bad.example"), HasSubstr("[network] deny"));
}

TEST(AddressGuard, CountsAllowDeliveryForDeliveriesOnly) {
  NetworkRules both = rules({"10.0.0.1"});
  both.allow_delivery = {"10.0.0.2"};
  EXPECT_FALSE(permits(make(both), "10.0.0.2"));
  EXPECT_TRUE(permits(make(both, TrafficClass::delivery), "10.0.0.2"));
  EXPECT_TRUE(permits(make(both, TrafficClass::delivery), "10.0.0.1"));
}

TEST(AddressGuard, CanBeNarrowedButNotWidened) {
  const AddressGuard guard = make(rules({"10.0.0.0/8"}));
  const auto narrower = guard.narrowed_by({"10.1.0.0/16"});
  ASSERT_TRUE(narrower);
  EXPECT_TRUE(permits(*narrower, "10.2.0.1"));
  EXPECT_FALSE(permits(*narrower, "10.1.0.1"));
  EXPECT_NE(narrower->key(), guard.key());
}

TEST(AddressGuard, HasEqualKeysForEqualDecisions) {
  EXPECT_EQ(make(rules({"10.0.0.0/8", "127.0.0.1"})).key(),
            make(rules({"127.0.0.1", "10.0.0.0/8"})).key());
  EXPECT_NE(make(rules({"10.0.0.0/8"})).key(), make(rules({}, {"10.0.0.0/8"})).key());
  EXPECT_NE(make(rules({"a.example"})).key(), make(rules({"b.example"})).key());
}

TEST(AddressGuard, RefusesListsItCannotRead) {
  for (const char* entry : {"10.0.0.0/40", "http://x/", "a b", "x/y", "user@h", "h:81", ""}) {
    const auto guard = AddressGuard::make(rules({entry}), TrafficClass::fetch);
    ASSERT_FALSE(guard) << entry;
    EXPECT_THAT(guard.error().message, HasSubstr("[network] allow entry"));
  }
}

TEST(LiteralAddressWarning, WarnsOnlyForRefusedLiterals) {
  const AddressGuard guard = make(rules({"10.0.0.1"}));
  EXPECT_TRUE(literal_address_warning(*Url::parse("http://127.1/"), guard));
  EXPECT_TRUE(literal_address_warning(*Url::parse("http://[::1]/"), guard));
  EXPECT_FALSE(literal_address_warning(*Url::parse("http://10.0.0.1/"), guard));
  EXPECT_FALSE(literal_address_warning(*Url::parse("http://localhost/"), guard));
  EXPECT_FALSE(literal_address_warning(*Url::parse("http://8.8.8.8/"), guard));
}

}  // namespace
}  // namespace heddle
