#include "net/cookie_jar.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "net/fetching_test.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace heddle::testing;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(CookieJar, KeepsCookiesAcrossRedirectsAndFetches) {
  TestSite site;
  site.answer("/login", redirect("/home").with_header("Set-Cookie", "session=abc; Path=/"));
  site.answer("/home", html("ok"));
  CookieJar jar;
  const FetchOptions options{.cookies = &jar};
  expect_response(fetch(get(site.url("/login")), options));
  expect_response(fetch(get(site.url("/home")), options));
  EXPECT_EQ(site.requests("/home").at(0).header("cookie"), "session=abc");
  EXPECT_EQ(site.requests("/home").at(1).header("cookie"), "session=abc");
}

TEST(CookieJar, JoinsTheCallersOwnCookie) {
  TestSite site;
  site.answer("/", html("ok").with_header("Set-Cookie", "a=1"));
  CookieJar jar;
  const FetchOptions options{.cookies = &jar};
  expect_response(fetch(get(site.url()), options));
  FetchRequest request = get(site.url());
  request.headers = {{"Cookie", "own=2"}};
  expect_response(fetch(std::move(request), options));
  EXPECT_EQ(site.requests("/").at(1).header("cookie"), "a=1; own=2");
}

TEST(CookieJar, IsNotSharedBetweenJobsOrUsedByDefault) {
  TestSite site;
  site.answer("/", html("ok").with_header("Set-Cookie", "a=1"));
  CookieJar jar;
  CookieJar other;
  const FetchOptions with_jar{.cookies = &jar};
  const FetchOptions with_other{.cookies = &other};
  run_async([](TestSite& place, FetchOptions one, FetchOptions two) -> Async<void> {
    const auto client =
        *Client::make(co_await boost::asio::this_coro::executor, allowing_loopback());
    const FetchOptions none;
    for (const FetchOptions& options : {one, two, none, none, one})
      expect_response(co_await client->fetch(get(place.url()), options));
  }(site, with_jar, with_other));
  const auto seen = site.requests("/");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(seen[i].header("cookie"), "") << i;
  EXPECT_EQ(seen[4].header("cookie"), "a=1");
}

TEST(CookieJar, SendsCookiesOnlyWhereTheyBelong) {
  TestSite site;
  site.answer("/a/set", html("ok")
                            .with_header("Set-Cookie", "scoped=1; Path=/a")
                            .with_header("Set-Cookie", "secure=1; Secure")
                            .with_header("Set-Cookie", "foreign=1; Domain=example.org")
                            .with_header("Set-Cookie", "suffix=1; Domain=com")
                            .with_header("Set-Cookie", "gone=1; Max-Age=0"));
  site.handle_rest([](const SiteRequest&) { return html("ok"); });
  CookieJar jar;
  const FetchOptions options{.cookies = &jar};
  ClientSettings settings = allowing_loopback();  // by name: loopback itself counts as secure
  settings.names = [](std::string_view) { return std::vector{*IpAddress::parse("127.0.0.1")}; };
  const std::string origin = "http://shop.example.com:" + std::to_string(site.port());
  for (const char* path : {"/a/set", "/a/x", "/b"})
    expect_response(fetch(get(origin + path), options, settings));
  EXPECT_EQ(site.requests("/a/x").at(0).header("cookie"), "scoped=1");
  EXPECT_EQ(site.requests("/b").at(0).header("cookie"), "");
}

TEST(CookieJar, SavesAndLoadsNetscapeFiles) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "cookies.txt";
  TestSite site;
  site.answer("/", html("ok")
                       .with_header("Set-Cookie", "session=1")
                       .with_header("Set-Cookie", "lasting=2; Max-Age=1000; HttpOnly"));
  {
    CookieJar jar;
    const FetchOptions options{.cookies = &jar};
    expect_response(fetch(get(site.url()), options));
    ASSERT_TRUE(jar.save(file));
  }
  CookieJar jar;
  ASSERT_TRUE(jar.load(file));
  EXPECT_THAT(jar.lines(), SizeIs(2));
  const FetchOptions options{.cookies = &jar};
  expect_response(fetch(get(site.url()), options));
  EXPECT_THAT(site.requests("/").at(1).header("cookie"), HasSubstr("session=1"));
  EXPECT_THAT(site.requests("/").at(1).header("cookie"), HasSubstr("lasting=2"));
  jar.clear();
  EXPECT_THAT(jar.lines(), IsEmpty());
}

TEST(CookieJar, LimitsTheNumberOfCookies) {
  TestSite site;
  int next = 0;
  site.handle_rest([&next](const SiteRequest&) {
    SiteResponse response = html("ok");
    for (int i = 0; i < 40; ++i)
      response.headers.emplace_back("Set-Cookie", "c" + std::to_string(++next) + "=1");
    return response;
  });
  CookieJar jar;
  const FetchOptions options{.cookies = &jar};
  run_async([](TestSite& place, FetchOptions with_jar) -> Async<void> {
    const auto client =
        *Client::make(co_await boost::asio::this_coro::executor, allowing_loopback());
    for (int i = 0; i < 60; ++i)
      expect_response(co_await client->fetch(get(place.url()), with_jar));
  }(site, options));
  EXPECT_GT(next, 2000);
  EXPECT_LT(jar.lines().size(), 1300u);
}

TEST(CookieJar, TreatsAMissingFileAsEmptyAndRefusesGarbage) {
  const TemporaryFolder folder;
  CookieJar jar;
  EXPECT_TRUE(jar.load(folder.path() / "none"));
  EXPECT_FALSE(jar.load(folder.write("bad", "this is not a cookie file\n")));
  EXPECT_FALSE(jar.save(folder.path() / "no" / "such" / "folder"));
}

}  // namespace
}  // namespace heddle::net
