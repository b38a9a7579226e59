#include "config/read/values/formats.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::config {
namespace {

TEST(Formats, AcceptProxiesOfThreeSchemes) {
  for (const char* good : {"http://proxy:3128", "https://u:p%40x@proxy.example.com",
                           "socks5://10.0.0.1:1080/", "HTTP://proxy", "socks5://[::1]:1080"})
    EXPECT_TRUE(check_proxy_url(good)) << good;
  for (const char* bad : {"proxy:3128", "ftp://proxy", "socks4://proxy", "http://",
                          "http://proxy/path", "http://proxy:99999", "http://pro\nxy"})
    EXPECT_FALSE(check_proxy_url(bad)) << bad;
}

TEST(Formats, RefuseHeadersThatCouldSplitARequest) {
  EXPECT_TRUE(check_header("X-Name", "value\twith tab"));
  EXPECT_TRUE(check_header("Accept", ""));
  EXPECT_FALSE(check_header("X Name", "v"));
  EXPECT_FALSE(check_header("X-Name:", "v"));
  EXPECT_FALSE(check_header("", "v"));
  EXPECT_FALSE(check_header("X-Name", "a\r\nB: c"));
  EXPECT_FALSE(check_header("X-Name", std::string_view("a\0b", 3)));
  EXPECT_FALSE(check_header("content-length", "5"));
  EXPECT_FALSE(check_header("Transfer-Encoding", "chunked"));
}

TEST(Formats, AcceptRegularExpressionsWithLinearTimeMatching) {
  EXPECT_TRUE(check_regex(R"((\d+) left)"));
  EXPECT_TRUE(check_regex("(a+)+$"));
  EXPECT_FALSE(check_regex("(unclosed"));
  EXPECT_FALSE(check_regex(R"((a)\1)"));
  EXPECT_FALSE(check_regex("((a{1000}){1000}){1000}"));
}

TEST(Formats, AcceptNetworksAndHosts) {
  for (const char* good : {"10.0.0.0/8", "192.168.1.7", "fd00::/8", "nas.local", "*.example.org"})
    EXPECT_TRUE(check_network(good)) << good;
  for (const char* bad : {"10.0.0.0/33", "", "a b", "http://x"})
    EXPECT_FALSE(check_network(bad)) << bad;
}

TEST(Formats, AcceptListenAddressesWithAPort) {
  for (const char* good : {"127.0.0.1:7979", "[::1]:80", "localhost:0"})
    EXPECT_TRUE(check_listen(good)) << good;
  for (const char* bad : {"127.0.0.1", ":80", "::1:80", "x:70000", "x:a"})
    EXPECT_FALSE(check_listen(bad)) << bad;
}

TEST(Formats, FindZonesInTheDatabaseOnly) {
  const heddle::testing::TemporaryFolder folder;
  folder.write("db/Europe/Berlin", "TZif2…");
  folder.write("db/zone.tab", "# table");
  folder.write("secret", "TZif2");
  const Environment machine{.zoneinfo = folder.path() / "db"};
  EXPECT_EQ(check_zone("Europe/Berlin", machine), ZoneCheck::exists);
  EXPECT_EQ(check_zone("UTC", machine), ZoneCheck::exists);
  for (const char* bad : {"Europe", "Europe/Paris", "zone.tab", "../secret", "/etc/passwd", ""})
    EXPECT_EQ(check_zone(bad, machine), ZoneCheck::missing) << bad;
}

TEST(Formats, ReportAMissingZoneDatabase) {
  const Environment machine{.zoneinfo = "/nonexistent"};
  EXPECT_EQ(check_zone("Europe/Berlin", machine), ZoneCheck::no_database);
  EXPECT_EQ(check_zone("UTC", machine), ZoneCheck::exists);
}

}  // namespace
}  // namespace heddle::config
