// Sites that try to exhaust memory.
#include <fstream>

#include <gmock/gmock.h>

#include "net/client.hpp"
#include "net/fetching_test.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace heddle::testing;
using ::testing::HasSubstr;

TEST(HostileSite, IsStoppedAtTheLimitOfTheBody) {
  TestSite site;
  site.answer("/big", html(std::string(2000, 'x')));
  FetchRequest request = get(site.url("/big"));
  request.max_body_bytes = 2000;
  expect_response(fetch(request));
  request.max_body_bytes = 1999;

  const auto error = expect_error(fetch(request));

  EXPECT_EQ(error.kind, FetchErrorKind::size);
  EXPECT_FALSE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("larger than 1999 bytes"));
}

TEST(HostileSite, IsStoppedInTheMiddleOfAnEndlessBody) {
  TestSite site;
  site.answer("/", misbehaving(SiteBehaviour::endless, std::string(10'000, 'x')));
  EXPECT_EQ(expect_error(fetch(site.url())).kind, FetchErrorKind::size);
  EXPECT_TRUE(site.wait_for_no_connections());
}

std::size_t peak_memory_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6));
  return 0;
}

TEST(HostileSite, CannotFillMemoryWithAGzipBomb) {
  TestSite site;
  SiteResponse bomb{.headers = {{"Content-Encoding", "gzip"}}, .body = gzip_bomb(100 << 20)};
  ASSERT_LT(bomb.body.size(), 200'000u);
  site.answer("/", std::move(bomb));
  const std::size_t before = peak_memory_kb();

  EXPECT_EQ(expect_error(fetch(site.url())).kind, FetchErrorKind::size);

  EXPECT_LT(peak_memory_kb() - before, 64u * 1024u);
}

TEST(HostileSite, CannotFillMemoryWithABombInsideABomb) {
  TestSite site;
  SiteResponse nested = gzipped(gzip_bomb(100 << 20));
  nested.headers = {{"Content-Encoding", "gzip, gzip"}};
  ASSERT_LT(nested.body.size(), 20'000u);
  site.answer("/", std::move(nested));
  const std::size_t before = peak_memory_kb();

  EXPECT_EQ(expect_error(fetch(site.url())).kind, FetchErrorKind::size);

  EXPECT_LT(peak_memory_kb() - before, 64u * 1024u);
}

TEST(HostileSite, MayNotCompressInManyLayers) {
  TestSite site;
  SiteResponse layered = html("x");
  layered.headers = {{"Content-Encoding", "gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip"}};
  site.answer("/", std::move(layered));
  EXPECT_EQ(expect_error(fetch(site.url())).kind, FetchErrorKind::unknown);
}

TEST(HostileSite, CausesAnErrorWhenItsBodyCannotBeDecompressed) {
  TestSite site;
  site.answer("/", html("not gzip at all").with_header("Content-Encoding", "gzip"));
  const auto error = expect_error(fetch(site.url()));
  EXPECT_EQ(error.kind, FetchErrorKind::unknown);
  EXPECT_THAT(error.message, HasSubstr("cannot be decompressed"));
}

TEST(HostileSite, IsStoppedAtTheLimitOfTheHeaders) {
  TestSite site;
  SiteResponse response = html("x");
  for (int i = 0; i < 5000; ++i) response.headers.emplace_back("X-Filler", std::string(100, 'y'));
  site.answer("/", std::move(response));
  const auto error = expect_error(fetch(site.url()));
  EXPECT_EQ(error.kind, FetchErrorKind::size);
  EXPECT_THAT(error.message, HasSubstr("headers"));
}

TEST(HostileSite, IsStoppedAtAnEndlessHeaderLine) {
  TestSite site;
  site.answer("/", html("x").with_header("X-Filler", std::string(200'000, 'y')));
  const auto error = expect_error(fetch(site.url()));
  EXPECT_EQ(error.kind, FetchErrorKind::size);
  EXPECT_FALSE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("header line"));
}

TEST(HostileSite, CausesAnErrorWhenItsBodyIsShorterThanAnnounced) {
  for (const char* length : {"100", "18446744073709551615", "99999999999999999999999"}) {
    TestSite site;
    SiteResponse response = misbehaving(SiteBehaviour::until_closed, "<p>half");
    site.answer("/", std::move(response).with_header("Content-Length", length));
    const auto error = expect_error(fetch(site.url()));
    EXPECT_EQ(error.kind, FetchErrorKind::connect) << length;
    EXPECT_TRUE(error.transient) << length;
  }
}

TEST(HostileSite, CausesAnErrorWhenItsLengthIsInvalid) {
  for (const char* length : {"-1", "abc", "7x", ""}) {
    TestSite site;
    SiteResponse response = misbehaving(SiteBehaviour::until_closed, "<p>half");
    site.answer("/", std::move(response).with_header("Content-Length", length));
    const auto error = expect_error(fetch(site.url()));
    EXPECT_EQ(error.kind, FetchErrorKind::connect) << length;
    EXPECT_THAT(error.message, HasSubstr("length")) << length;
  }
}

TEST(HostileSite, CausesAnErrorWhenItAnnouncesTwoLengths) {
  TestSite site;
  SiteResponse response = misbehaving(SiteBehaviour::until_closed, "<p>half");
  site.answer(
      "/",
      std::move(response).with_header("Content-Length", "7").with_header("Content-Length", "3"));
  const auto error = expect_error(fetch(site.url()));
  EXPECT_EQ(error.kind, FetchErrorKind::connect);
  EXPECT_THAT(error.message, HasSubstr("two lengths"));
}

TEST(HostileSite, MayRepeatTheSameLength) {
  TestSite site;
  SiteResponse response = misbehaving(SiteBehaviour::until_closed, "<p>half");
  site.answer(
      "/",
      std::move(response).with_header("Content-Length", "7").with_header("Content-Length", "7"));
  EXPECT_EQ(expect_response(fetch(site.url())).body, "<p>half");
}

}  // namespace
}  // namespace heddle::net
