#include "model/web/address.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(IpAddress, ReadsAndWritesStrictSpellings) {
  for (const char* text : {"0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
                           "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8", "1:0:0:2::3"}) {
    const auto address = IpAddress::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
  }
}

TEST(IpAddress, RefusesLooseSpellings) {
  for (const char* text : {"", "127.1", "0x7f.0.0.1", "1.2.3.256", "fe80::1%eth0", "[::1]", "::g",
                           "1.2.3.4.5", "12345::", "1:2:3:4:5:6:7:8:9", " 1.2.3.4"})
    EXPECT_FALSE(IpAddress::parse(text)) << text;
}

TEST(AddressRange, ContainsItsAddressesAndNoOthers) {
  const auto range = AddressRange::parse("172.16.0.0/12");
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->contains(*IpAddress::parse("172.31.255.255")));
  EXPECT_FALSE(range->contains(*IpAddress::parse("172.32.0.0")));
  EXPECT_FALSE(range->contains(*IpAddress::parse("::ffff:172.16.0.1")));
  EXPECT_TRUE(AddressRange::parse("::/0")->contains(*IpAddress::parse("::1")));
  EXPECT_TRUE(AddressRange::parse("10.1.2.3")->contains(*IpAddress::parse("10.1.2.3")));
  EXPECT_FALSE(AddressRange::parse("10.1.2.3")->contains(*IpAddress::parse("10.1.2.4")));
}

TEST(AddressRange, RefusesBadPrefixes) {
  for (const char* text :
       {"10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "/8"})
    EXPECT_FALSE(AddressRange::parse(text)) << text;
}

TEST(SpecialUse, KnowsTheBordersOfEveryRange) {
  struct Border {
    const char* below;
    const char* first;
    const char* last;
    const char* above;
  };
  for (const auto& [below, first, last, above] :
       {Border{"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
        Border{"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
        Border{"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
        Border{"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
        Border{"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
        Border{"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
        Border{"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
        Border{"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
        Border{"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
        Border{"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
        Border{"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
        Border{"223.255.255.255", "224.0.0.0", "255.255.255.255", "1.0.0.0"},
        Border{"1.0.0.0", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
        Border{"2600::", "fc00::", "fdff:ffff::", "2600::"},
        Border{"2600::", "fe80::", "febf:ffff::", "2600::"},
        Border{"2600::", "ff00::", "ffff:ffff::", "2600::"},
        Border{"2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::", "2001:db9::"},
        Border{"2001:200::", "2001::", "2001:1ff:ffff::", "2001:200::"},
        Border{"2003::", "2002::", "2002:ffff::", "2003::"}}) {
    EXPECT_EQ(special_use(*IpAddress::parse(below)), "") << below;
    EXPECT_NE(special_use(*IpAddress::parse(first)), "") << first;
    EXPECT_NE(special_use(*IpAddress::parse(last)), "") << last;
    EXPECT_EQ(special_use(*IpAddress::parse(above)), "") << above;
  }
}

TEST(SpecialUse, CallsPublicAddressesPublic) {
  for (const char* text :
       {"1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:82b::200e"})
    EXPECT_EQ(special_use(*IpAddress::parse(text)), "") << text;
}

TEST(SpecialUse, ReservesAllOfIpv6OutsideGlobalUnicast) {
  for (const char* text :
       {"::2:0:0:0", "100::1", "1000::", "4000::", "8000::", "e000::", "fec0::1"})
    EXPECT_NE(special_use(*IpAddress::parse(text)), "") << text;
}

TEST(EmbeddedV4, FindsTheAddressInsideTheAddress) {
  struct Case {
    const char* outer;
    std::vector<std::string> inner;
  };
  for (const auto& [outer, inner] :
       {Case{"::ffff:127.0.0.1", {"127.0.0.1"}}, Case{"::ffff:0:127.0.0.1", {"127.0.0.1"}},
        Case{"::127.0.0.1", {"127.0.0.1"}}, Case{"64:ff9b::7f00:1", {"127.0.0.1"}},
        Case{"64:ff9b:1::7f00:1", {"127.0.0.1"}}, Case{"64:ff9b:1:7f00:0:100::", {"127.0.0.1"}},
        Case{"2002:7f00:1::", {"127.0.0.1"}},
        Case{"2001:0:7f00:1:0:0:f5ff:fffe", {"127.0.0.1", "10.0.0.1"}}, Case{"::1", {}},
        Case{"::", {}}, Case{"2600::1", {}}, Case{"127.0.0.1", {}}}) {
    std::vector<std::string> found;
    for (const IpAddress& address : embedded_v4(*IpAddress::parse(outer)))
      found.push_back(address.text());
    EXPECT_EQ(found, inner) << outer;
  }
}

}  // namespace
}  // namespace heddle
