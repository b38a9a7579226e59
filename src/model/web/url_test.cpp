#include "model/web/url.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct ParseCase {
  std::string input;
  std::string expected;  // empty: must be refused
};

void expect_all(const std::vector<ParseCase>& cases) {
  for (const auto& [input, expected] : cases) {
    const auto url = Url::parse(input);
    if (expected.empty())
      EXPECT_FALSE(url) << input << " became " << (url ? url->text() : "");
    else if (url)
      EXPECT_EQ(url->text(), expected) << input;
    else
      ADD_FAILURE() << input << ": " << url.error().message;
  }
}

TEST(Url, KeepsAnOrdinaryUrlAsItIs) {
  expect_all({{"https://example.org/a/b?c=d&e=f#g", "https://example.org/a/b?c=d&e=f#g"},
              {"http://example.org:8080/", "http://example.org:8080/"},
              {"http://a-b_c.example.org/x;y=1,2", "http://a-b_c.example.org/x;y=1,2"}});
}

TEST(Url, NormalisesSchemeHostAndPort) {
  expect_all({{"HTTP://EXAMPLE.org", "http://example.org/"},
              {"https://example.org:443/x", "https://example.org/x"},
              {"http://example.org:80", "http://example.org/"},
              {"http://example.org:443", "http://example.org:443/"},
              {"http://example.org:0080/", "http://example.org/"},
              {"http://example.org:/", "http://example.org/"},
              {"http://example.org.", "http://example.org./"},
              {"http:example.org", "http://example.org/"},
              {"http:/example.org", "http://example.org/"},
              {"http:///example.org", "http://example.org/"}});
}

TEST(Url, ResolvesDotSegments) {
  expect_all({{"http://h/a/../b/./c", "http://h/b/c"},
              {"http://h/../../x", "http://h/x"},
              {"http://h/a/b/..", "http://h/a/"},
              {"http://h/a/b/.", "http://h/a/b/"},
              {"http://h/a/%2e%2E/b", "http://h/b"},
              {"http://h/a/.%2e/b", "http://h/b"},
              {"http://h/a/...", "http://h/a/..."},
              {"http://h//a//b", "http://h//a//b"},
              {"http://h/a//../b", "http://h/a/b"}});
}

TEST(Url, EncodesWhatMayNotStandInAUrl) {
  expect_all({{"http://h/a b?c d#e f", "http://h/a%20b?c%20d#e%20f"},
              {"http://h/ü?ü=ß", "http://h/%C3%BC?%C3%BC=%C3%9F"},
              {"http://h/%zz%41", "http://h/%zz%41"},
              {"http://h/\"<>`{}", "http://h/%22%3C%3E%60%7B%7D"},
              {"http://h/?\"<>'`{}", "http://h/?%22%3C%3E%27`{}"},
              {std::string("http://h/a\0b", 12), "http://h/a%00b"},
              {"http://h/?", "http://h/?"},
              {"http://h/#", "http://h/#"}});
}

TEST(Url, ReadsTabsLineBreaksAndBackslashesAsBrowsersDo) {
  expect_all({{"  http://example.org/ \n", "http://example.org/"},
              {"ht\ntp://exa\tmple.org/a\r\nb", "http://example.org/ab"},
              {"http:\\\\example.org\\a\\b", "http://example.org/a/b"},
              {"http://example.org\\@evil.org/", "http://example.org/@evil.org/"}});
}

TEST(Url, ReadsEverySpellingOfAnIpv4Address) {
  for (const char* spelling :
       {"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7F.1", "0x7f.0x0.0x0.0x1",
        "017700000001", "0177.0.0.01", "0177.0x0.1", "127.0.0.1.", "%31%32%37.0.0.1",
        "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "0x7f.1."}) {
    const auto url = Url::parse(std::string("http://") + spelling + "/");
    ASSERT_TRUE(url) << spelling << ": " << url.error().message;
    EXPECT_EQ(url->host(), "127.0.0.1") << spelling;
  }
}

TEST(Url, RefusesNumbersThatAreNoIpv4Address) {
  expect_all({{"http://256.0.0.1/", ""},
              {"http://4294967296/", ""},
              {"http://0x100000000/", ""},
              {"http://1.2.3.4.5/", ""},
              {"http://1.2.3.09/", ""},
              {"http://example.1/", ""},
              {"http://127..1/", ""},
              {"http://1.2.3.0x1g/", "http://1.2.3.0x1g/"},
              {"http://99999999999999999999/", ""},
              {"http://0.0x/", "http://0.0.0.0/"}});
}

TEST(Url, CompressesIpv6AndRefusesZoneIds) {
  expect_all({{"http://[::1]:81/", "http://[::1]:81/"},
              {"http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"},
              {"http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"},
              {"http://[2001:DB8::0:1]/", "http://[2001:db8::1]/"},
              {"http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"},
              {"http://[::]/", "http://[::]/"},
              {"http://[fe80::1%25eth0]/", ""},
              {"http://[fe80::1%eth0]/", ""},
              {"http://[::1/", ""},
              {"http://[::1]x/", ""},
              {"http://[127.0.0.1]/", ""},
              {"http://::1/", ""}});
}

TEST(Url, WritesInternationalNamesAsPunycode) {
  expect_all({{"http://bücher.example/", "http://xn--bcher-kva.example/"},
              {"http://BÜCHER.example/", "http://xn--bcher-kva.example/"},
              {"http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"},
              {"http://faß.de/", "http://xn--fa-hia.de/"},
              {"http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"},
              {"http://exa\xC2\xADmple.org/", "http://example.org/"},
              {"http://ｅｘａｍｐｌｅ.org/", "http://example.org/"},
              {"http://\xFF.org/", ""}});
}

TEST(Url, RefusesUserNamesAndPasswords) {
  expect_all({{"http://user@example.org/", ""},
              {"http://user:pass@example.org/", ""},
              {"http://example.org@127.0.0.1/", ""},
              {"http://@example.org/", ""},
              {"http://example.org#@127.0.0.1/", "http://example.org/#@127.0.0.1/"},
              {"http://example.org?@127.0.0.1/", "http://example.org/?@127.0.0.1/"}});
}

TEST(Url, RefusesWhatIsNoAbsoluteWebAddress) {
  expect_all({{"", ""},
              {"example.org", ""},
              {"/path", ""},
              {"ftp://h/", ""},
              {"file:///etc", ""},
              {"javascript:alert(1)", ""},
              {"http://", ""},
              {"http:///", ""},
              {"http://?x", ""},
              {"http://a b/", ""},
              {"http://a<b/", ""},
              {"http://a^b/", ""},
              {"http://a|b/", ""},
              {"http://a%00b/", ""},
              {"http://a%20b/", ""},
              {"http://a%2fb/", ""},
              {"http://h:65536/", ""},
              {"http://h:8x/", ""},
              {"http://h:-1/", ""},
              {"http://h:8:9/", ""},
              {"gopher://h/", ""},
              {"dict://h/", ""},
              {"http://a\"b/", ""},
              {"http://a'b/", ""},
              {"http://a;b/", ""},
              {"http://a*b/", ""},
              {"http://%25/", ""},
              {"http://./", ""}});
}

TEST(Url, SaysWhyItRefuses) {
  const auto url = Url::parse("ftp://example.org/");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().code, ErrorCode::bad_input);
  EXPECT_EQ(
      url.error().message,
      "\"ftp://example.org/\" is not a URL Heddle can fetch: only http and https are allowed");
}

TEST(Url, RefusesEndlessUrlsAndHosts) {
  EXPECT_FALSE(Url::parse("http://h/" + std::string(70'000, 'a')));
  EXPECT_FALSE(Url::parse("http://" + std::string(300, 'a') + "/"));
  EXPECT_TRUE(Url::parse("http://h/" + std::string(60'000, 'a')));
}

TEST(Url, SplitsIntoItsParts) {
  const auto url = Url::parse("https://Shop.example:8443/a/b?x=1&y#frag");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme(), "https");
  EXPECT_EQ(url->host(), "shop.example");
  EXPECT_EQ(url->port(), 8443);
  EXPECT_EQ(url->path(), "/a/b");
  EXPECT_EQ(url->query(), "x=1&y");
  EXPECT_EQ(url->path_and_query(), "/a/b?x=1&y");
  EXPECT_EQ(url->origin(), "https://shop.example:8443");
  EXPECT_EQ(url->without_fragment(), "https://shop.example:8443/a/b?x=1&y");
}

TEST(Url, ResolvesReferencesLikeABrowser) {
  const auto base = Url::parse("http://h.example:8080/a/b/c?q=1#f");
  ASSERT_TRUE(base);
  const std::vector<ParseCase> cases{{"", "http://h.example:8080/a/b/c?q=1"},
                                     {"d", "http://h.example:8080/a/b/d"},
                                     {"./d", "http://h.example:8080/a/b/d"},
                                     {"../d", "http://h.example:8080/a/d"},
                                     {"../../../d", "http://h.example:8080/d"},
                                     {"..", "http://h.example:8080/a/"},
                                     {"/d", "http://h.example:8080/d"},
                                     {"\\d", "http://h.example:8080/d"},
                                     {"?x", "http://h.example:8080/a/b/c?x"},
                                     {"?", "http://h.example:8080/a/b/c?"},
                                     {"#y", "http://h.example:8080/a/b/c?q=1#y"},
                                     {"d?x#y", "http://h.example:8080/a/b/d?x#y"},
                                     {"//other.example/x", "http://other.example/x"},
                                     {"\\/other.example/x", "http://other.example/x"},
                                     {"///other.example/x", "http://other.example/x"},
                                     {"https://s.example", "https://s.example/"},
                                     {"http:d", "http://h.example:8080/a/b/d"},
                                     {"http:/d", "http://h.example:8080/d"},
                                     {"https:d", "https://d/"},
                                     {"http://x.example", "http://x.example/"},
                                     {" d e ", "http://h.example:8080/a/b/d%20e"},
                                     {"a:b", ""},
                                     {"1a:b", "http://h.example:8080/a/b/1a:b"},
                                     {"mailto:x@y", ""},
                                     {"http://u@h/", ""}};
  for (const auto& [reference, expected] : cases) {
    const auto url = base->resolve(reference);
    if (expected.empty())
      EXPECT_FALSE(url) << reference;
    else if (url)
      EXPECT_EQ(url->text(), expected) << reference;
    else
      ADD_FAILURE() << reference << ": " << url.error().message;
  }
}

TEST(Url, KeepsItsPartsConsistentAfterResolving) {
  const auto base = Url::parse("http://h.example/a/b?q#f");
  for (const char* reference : {"", "x", "/x?y", "?z", "#g", "//o.example:81/p?r#s", "../.."}) {
    const auto resolved = base->resolve(reference);
    ASSERT_TRUE(resolved);
    const auto again = Url::parse(resolved->text());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->text(), resolved->text());
    EXPECT_EQ(again->host(), resolved->host());
    EXPECT_EQ(again->port(), resolved->port());
    EXPECT_EQ(again->path(), resolved->path());
    EXPECT_EQ(again->query(), resolved->query());
    EXPECT_EQ(again->without_fragment(), resolved->without_fragment());
  }
}

TEST(AbsoluteLink, ReturnsUnresolvableReferencesUnchanged) {
  const auto base = Url::parse("https://h.example/a/");
  EXPECT_EQ(absolute_link(*base, " mailto:a@b.example "), "mailto:a@b.example");
  EXPECT_EQ(absolute_link(*base, "javascript:void(0)"), "javascript:void(0)");
  EXPECT_EQ(absolute_link(*base, "http://[bad"), "http://[bad");
  EXPECT_EQ(absolute_link(*base, "../b?c#d"), "https://h.example/b?c#d");
}

}  // namespace
}  // namespace heddle
