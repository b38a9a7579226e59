#include "pages/outcome/expectations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(std::string_view body, std::string_view type,
                    PageFormat format = PageFormat::detected) {
  html::Parser parser;
  return *text_to_check(parser, {body, type, format}, {});
}

ExpectRule containing(std::vector<std::string> texts) {
  ExpectRule rule;
  rule.contains = std::move(texts);
  return rule;
}

ExpectRule without(std::string text) {
  ExpectRule rule;
  rule.not_contains = {std::move(text)};
  return rule;
}

TEST(TextToCheck, IsWhatABrowserShowsOfHtml) {
  EXPECT_THAT(text_of("<title>Shop &amp; more</title><style>p{color:red}</style><p>In <b>stock</b>"
                      "<p hidden>maintenance<!-- offline --><script>'sold out'</script>",
                      "text/html"),
              AllOf(HasSubstr("Shop & more"), HasSubstr("In stock"), Not(HasSubstr("maintenance")),
                    Not(HasSubstr("sold out")), Not(HasSubstr("offline")), Not(HasSubstr("red"))));
}

TEST(TextToCheck, IsTheBodyOfOtherFormats) {
  EXPECT_EQ(text_of("{\"status\": \"<b>ok</b>\"}", "application/json"),
            "{\"status\": \"<b>ok</b>\"}");
  EXPECT_EQ(text_of("<a><b>1</b></a>", "application/xml"), "<a><b>1</b></a>");
  EXPECT_EQ(text_of("<b>1</b>", "text/html", PageFormat::text), "<b>1</b>");
}

TEST(TextToCheck, FailsBeyondTheLimits) {
  html::Parser parser;
  std::string page;
  for (int i = 0; i < 200; ++i) page += "<b>x</b>";
  EXPECT_FALSE(text_to_check(parser, {page, "text/html"}, {.max_nodes = 100}));
}

TEST(JudgeText, FindsTextsInAnyCaseAndWithAnyWhiteSpace) {
  EXPECT_EQ(judge_text(containing({"in  Stock", "STRÜMPFE"}), "Now IN\n\tstock, Strümpfe").kind,
            ErrorKind::none);
  EXPECT_EQ(judge_text(without("maintenance"), "all is well").kind, ErrorKind::none);
  EXPECT_EQ(judge_text({}, "").kind, ErrorKind::none);
}

TEST(JudgeText, NamesTheMissingTextsAndWhatThePageSays) {
  const RunError broken = judge_text(containing({"In stock", "EUR", "Tea"}), "  Tea:\nsold out");
  EXPECT_EQ(broken.kind, ErrorKind::expectation);
  EXPECT_EQ(broken.message,
            "expected \"In stock\" and \"EUR\" on the page; it begins with \"Tea: sold out\"");
  EXPECT_EQ(judge_text(containing({"a"}), " \n").message,
            "expected \"a\" on the page; it has no text");
}

TEST(JudgeText, ShowsAnUnwantedTextWhereItIs) {
  const std::string page =
      std::string(200, 'x') + " is down for Maintenance until " + std::string(200, 'y');
  const RunError broken = judge_text(without("maintenance"), page);
  EXPECT_EQ(broken.kind, ErrorKind::expectation);
  EXPECT_THAT(broken.message,
              AllOf(HasSubstr("found \"maintenance\" on the page, which must not be there: \"…x"),
                    HasSubstr("is down for Maintenance until yyy"), ::testing::EndsWith("y…\"")));
  EXPECT_LT(broken.message.size(), 220U);
}

TEST(JudgeText, CutsNoCharacterInHalf) {
  std::string page;
  for (int i = 0; i < 100; ++i) page += "ü";
  for (const char* unwanted : {"xé", "x"}) {
    const RunError broken = judge_text(without(unwanted), page + "xé" + page);
    EXPECT_THAT(broken.message, AllOf(HasSubstr("…ü"), HasSubstr("ü…")));
    EXPECT_THAT(broken.message, Not(HasSubstr("\xEF\xBF\xBD")));
  }
}

TEST(JudgeItemCount, NamesBothNumbers) {
  ExpectRule rule;
  EXPECT_EQ(judge_item_count(rule, 0).kind, ErrorKind::none);
  rule.min_items = 1;
  EXPECT_EQ(judge_item_count(rule, 1).kind, ErrorKind::none);
  EXPECT_EQ(judge_item_count(rule, 0).message, "expected at least 1 item on the page; it has 0");
  rule.min_items = 5;
  EXPECT_EQ(judge_item_count(rule, 2).kind, ErrorKind::expectation);
  EXPECT_EQ(judge_item_count(rule, 2).message, "expected at least 5 items on the page; it has 2");
}

TEST(JudgeStatus, TakesAnUnmodifiedPageForOneWithStatus200) {
  ExpectRule rule;
  EXPECT_TRUE(accepts_status(rule, 304));
  rule.status = {{404, 404}};
  EXPECT_FALSE(accepts_status(rule, 304));
  EXPECT_FALSE(accepts_status(rule, 200));
  EXPECT_TRUE(accepts_status(rule, 404));
}

TEST(JudgeStatus, NamesWhatWasExpected) {
  ExpectRule rule;
  EXPECT_EQ(broken_status(rule, "http://a/ answered with status 503").message,
            "http://a/ answered with status 503; expected status 200-299");
  rule.status = {{200, 204}, {404, 404}};
  EXPECT_EQ(broken_status(rule, "x").message, "x; expected status 200-204, 404");
}

class JudgeService : public ::testing::Test {
 protected:
  RunError judge() { return judge_service(rule, response, now); }

  ExpectRule rule;
  FetchResponse response{.status = 200,
                         .url = "https://shop.example/a",
                         .headers = {},
                         .body = {},
                         .proxy = {},
                         .time = 1500ms};
  WallTime now = *parse_iso8601("2026-11-19T12:00:00Z");
};

TEST_F(JudgeService, WarnsOfASlowPage) {
  rule.max_time = 1500ms;
  EXPECT_EQ(judge().kind, ErrorKind::none);
  response.time += 1us;
  EXPECT_EQ(judge().kind, ErrorKind::expectation);
  EXPECT_EQ(judge().message, "the page took 1501 ms, expected at most 1500 ms");
}

TEST_F(JudgeService, WarnsOfACertificateThatExpiresSoon) {
  rule.tls_days = 14;
  EXPECT_EQ(judge().kind, ErrorKind::none) << "not known when it does";
  response.certificate_expires_at = now + 14 * 24h;
  EXPECT_EQ(judge().kind, ErrorKind::none);
  response.certificate_expires_at = now + 14 * 24h - 1ms;
  EXPECT_EQ(judge().kind, ErrorKind::expectation);
  EXPECT_EQ(judge().message,
            "the certificate of shop.example is valid for 13 days (until 2026-12-03), expected at "
            "least 14");
  response.certificate_expires_at = now - 1h;
  EXPECT_THAT(judge().message, HasSubstr("valid for 0 days"));
}

TEST_F(JudgeService, NamesBothWarnings) {
  rule.max_time = 1ms;
  rule.tls_days = 14;
  response.certificate_expires_at = now + 25h;
  EXPECT_THAT(judge().message, AllOf(HasSubstr("1500 ms, expected at most 1 ms; the certificate"),
                                     HasSubstr("valid for 1 day (until")));
}

}  // namespace
}  // namespace heddle::pages
