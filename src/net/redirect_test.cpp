#include <gmock/gmock.h>

#include "net/client.hpp"
#include "net/fetching_test.hpp"
#include "net/redirect_rules.hpp"
#include "net/request_rules.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace heddle::testing;
using ::testing::HasSubstr;

TEST(Redirects, AreFollowedToTheirEnd) {
  TestSite site;
  site.answer("/a", redirect("/b/c", 301));
  site.answer("/b/c", redirect("../d?x=1#frag", 307));
  site.answer("/d", html("end"));
  const auto response = expect_response(fetch(site.url("/a")));
  EXPECT_EQ(response.body, "end");
  EXPECT_EQ(response.url, site.url("/d?x=1#frag"));
}

TEST(Redirects, ChangeTheMethodAsBrowsersDo) {
  struct Case {
    int status;
    std::string method;
    std::string becomes;
  };
  for (const auto& [status, method, becomes] :
       {Case{301, "POST", "GET"}, Case{302, "POST", "GET"}, Case{303, "POST", "GET"},
        Case{303, "PUT", "GET"}, Case{303, "HEAD", "HEAD"}, Case{301, "PUT", "PUT"},
        Case{307, "POST", "POST"}, Case{308, "POST", "POST"}, Case{308, "GET", "GET"}}) {
    TestSite site;
    site.answer("/a", redirect("/b", status));
    site.answer("/b", html("ok"));
    FetchRequest request = get(site.url("/a"));
    request.method = method;
    if (method != "GET" && method != "HEAD") request.body = "data";
    request.headers = {{"Content-Type", "text/plain"}};
    expect_response(fetch(std::move(request)));
    const SiteRequest seen = site.requests("/b").at(0);
    EXPECT_EQ(seen.method, becomes) << status << method;
    const bool keeps_body = becomes == method && method != "HEAD" && method != "GET";
    EXPECT_EQ(seen.body, keeps_body ? "data" : "") << status << method;
    EXPECT_EQ(seen.header("content-type"), becomes != method ? "" : "text/plain");
  }
}

TEST(Redirects, EndWithAnErrorInALoop) {
  TestSite site;
  site.answer("/a", redirect("/b"));
  site.answer("/b", redirect("/a"));
  FetchRequest request = get(site.url("/a"));
  request.max_redirects = 4;
  const auto error = expect_error(fetch(std::move(request)));
  EXPECT_EQ(error.kind, FetchErrorKind::http);
  EXPECT_FALSE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("gave up after 4 redirects"));
  EXPECT_THAT(error.message, HasSubstr("a loop"));
  EXPECT_THAT(error.message, HasSubstr(site.url("/b") + " -> " + site.url("/a")));
  EXPECT_EQ(site.count("/a") + site.count("/b"), 5u);
}

TEST(Redirects, AreCountedInTheSingular) {
  TestSite site;
  site.answer("/a", redirect("/b"));
  site.answer("/b", redirect("/c"));
  FetchRequest request = get(site.url("/a"));
  request.max_redirects = 1;
  EXPECT_THAT(expect_error(fetch(std::move(request))).message,
              HasSubstr("gave up after 1 redirect: "));
}

TEST(Redirects, AreNotFollowedWhenNoneAreAllowed) {
  TestSite site;
  site.answer("/a", redirect("/b"));
  FetchRequest request = get(site.url("/a"));
  request.max_redirects = 0;
  const auto error = expect_error(fetch(std::move(request)));
  ASSERT_TRUE(error.response);
  EXPECT_EQ(error.response->status, 302);
  EXPECT_EQ(site.count("/b"), 0u);
}

TEST(Redirects, TakeOnlyHarmlessHeadersToAnotherOrigin) {
  TestSite first;
  TestSite second;
  first.answer("/same", redirect("/next"));
  first.answer("/next", redirect(second.url("/other")));
  second.answer("/other", html("ok"));
  FetchRequest request = get(first.url("/same"));
  request.headers = {
      {"Authorization", "Bearer x"}, {"Cookie", "a=b"},         {"X-Api-Key", "k"},
      {"PRIVATE-TOKEN", "t"},        {"Accept-Language", "de"}, {"user-agent", "mine"}};
  expect_response(fetch(std::move(request)));
  const SiteRequest stayed = first.requests("/next").at(0);
  EXPECT_EQ(stayed.header("authorization"), "Bearer x");
  EXPECT_EQ(stayed.header("cookie"), "a=b");
  EXPECT_EQ(stayed.header("x-api-key"), "k");
  const SiteRequest left = second.requests("/other").at(0);
  for (const char* name : {"authorization", "cookie", "x-api-key", "private-token"})
    EXPECT_EQ(left.header(name), "") << name;
  EXPECT_EQ(left.header("accept-language"), "de");
  EXPECT_EQ(left.header("user-agent"), "mine");
}

TEST(Redirects, DoNotRestoreHeadersOnReturnToTheOrigin) {
  TestSite first;
  TestSite second;
  first.answer("/start", redirect(second.url("/")));
  second.answer("/", redirect(first.url("/end")));
  first.answer("/end", html("ok"));
  FetchRequest request = get(first.url("/start"));
  request.headers = {{"X-Api-Key", "k"}};
  expect_response(fetch(std::move(request)));
  EXPECT_EQ(first.requests("/end").at(0).header("x-api-key"), "");
}

TEST(Redirects, TakeTheHeadersOfAHostToNoOtherPortOfIt) {
  TestSite first;
  TestSite second;
  first.answer("/a", redirect("/b"));
  first.answer("/b", redirect(second.url("/c")));
  second.answer("/c", redirect("/d"));
  second.answer("/d", html("ok"));
  ClientSettings settings = allowing_loopback();
  settings.hosts["127.0.0.1"].headers = {{"X-Api-Key", "k"}};
  expect_response(fetch(get(first.url("/a")), {}, std::move(settings)));
  EXPECT_EQ(first.requests("/b").at(0).header("x-api-key"), "k");
  EXPECT_EQ(second.requests("/c").at(0).header("x-api-key"), "");
  EXPECT_EQ(second.requests("/d").at(0).header("x-api-key"), "");
}

TEST(RequestRules, SendHostHeadersToTheSameNameOrItsHttpsOrigin) {
  const auto may = [](const char* from, const char* to) {
    return may_take_host_headers(*Url::parse(from), *Url::parse(to));
  };
  EXPECT_TRUE(may("https://a.example/", "https://a.example/x"));
  EXPECT_TRUE(may("https://a.example/", "https://b.example/"));
  EXPECT_TRUE(may("http://a.example/", "https://a.example/"));
  EXPECT_FALSE(may("https://a.example/", "http://a.example/"));
  EXPECT_FALSE(may("https://a.example/", "https://a.example:8443/"));
}

TEST(Redirects, ToAnythingButTheWebAreRefused) {
  TestSite site;
  for (const char* location : {"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:25/x",
                               "dict://127.0.0.1/", "http://u:p@127.0.0.1/", "http://[", "//"}) {
    site.answer("/", redirect(location));
    EXPECT_EQ(expect_error(fetch(site.url())).kind, FetchErrorKind::blocked) << location;
  }
}

TEST(Redirects, ToPrivateAddressesAreRefusedWithEveryStatus) {
  TestSite site;
  for (const int status : {301, 302, 303, 307, 308})
    for (const char* location :
         {"http://127.0.0.2/", "http://2130706434/", "http://[::1]/", "http://10.0.0.1/",
          "//169.254.169.254/latest/meta-data", "http://0/", "http://[::ffff:7f00:2]/"}) {
      site.answer("/", redirect(location, status));
      const auto error = expect_error(fetch(site.url()));
      EXPECT_EQ(error.kind, FetchErrorKind::blocked) << status << location;
      EXPECT_THAT(error.message, HasSubstr("[network] allow"));
    }
  for (const int status : {300, 305}) {
    site.answer("/", redirect("http://10.0.0.1/", status));
    EXPECT_EQ(expect_error(fetch(site.url())).kind, FetchErrorKind::http) << status;
  }
}

TEST(RequestRules, LeaveFramingToTheClient) {
  const auto sent = merge_headers({{"Content-Length", "99"},
                                   {"Transfer-Encoding", "chunked"},
                                   {"connection", "close"},
                                   {"Cookie", "a=b"},
                                   {"X", "1"}},
                                  {{"x", "host"}, {"Y", "2"}});
  EXPECT_EQ(sent.headers, (Headers{{"Y", "2"}, {"X", "1"}}));
  EXPECT_EQ(sent.cookie, "a=b");
}

TEST(RequestRules, DescribeLoopsAndEndlessChains) {
  EXPECT_EQ(describe_redirects({"a", "b", "c", "b"}), "b -> c -> b (a loop)");
  EXPECT_EQ(describe_redirects({"a", "a"}), "a -> a (a loop)");
  EXPECT_EQ(describe_redirects({"1", "2", "3"}), "1 -> … -> 3");
  EXPECT_EQ(describe_redirects({"1", "2", "3", "4", "5", "6", "7", "8", "1"}),
            "1 (a loop of 8 hops)");
}

}  // namespace
}  // namespace heddle::net
