#include "pages/changes/page_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::pages {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PageTextOfAPage : public ::testing::Test {
 protected:
  PageTextOfAPage() { job.watch = WatchKind::text; }

  PageText read(std::string_view body, std::string_view type = "text/html",
                std::optional<bool> is_whole = {}) {
    auto source = SourceRules::compile(job);
    EXPECT_TRUE(source) << source.error().message;
    auto rules = TextRules::compile(job.changes);
    EXPECT_TRUE(rules) << rules.error().message;
    html::Parser parser;
    auto document = read_source(parser, *source, type, body, {});
    EXPECT_TRUE(document) << document.error().message;
    auto text = read_page_text(*document, *source, *rules, is_whole);
    EXPECT_TRUE(text) << text.error().message;
    return *text;
  }

  Job job;
};

constexpr std::string_view kPage = R"(<title>Opening hours</title>
<header><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav></header>
<main><h1>Opening hours</h1><p>Monday to Friday from nine to five.</p>
<p class="visits">Seen <b>12</b> times</p><div class="ads">Buy tea!</div></main>
<footer>Copyright 2026</footer>)";

TEST_F(PageTextOfAPage, HasNoNavigationAndNoFooter) {
  const std::string text = read(kPage).text;
  EXPECT_THAT(text, HasSubstr("Opening hours\n\nMonday to Friday"));
  EXPECT_THAT(text, Not(HasSubstr("Home")));
  EXPECT_THAT(text, Not(HasSubstr("Copyright")));
}

TEST_F(PageTextOfAPage, HasTheHeaderThatHoldsTheHeading) {
  const std::string text =
      read("<body><header><nav>Home</nav><h1>Road works</h1></header><p>Closed until May.</p>")
          .text;
  EXPECT_THAT(text, HasSubstr("Road works"));
  EXPECT_THAT(text, HasSubstr("Closed until May."));
  EXPECT_THAT(text, Not(HasSubstr("Home")));
}

TEST_F(PageTextOfAPage, IsWholeWhereHardlyAnythingElseIs) {
  const PageText page = read("<nav>All the services are running</nav><p>Hi</p>");
  EXPECT_TRUE(page.is_whole);
  EXPECT_THAT(page.text, HasSubstr("services are running"));
  EXPECT_THAT(read("<nav>Services</nav><p>Hi</p>", "text/html", false).text,
              Not(HasSubstr("Serv")));
}

TEST_F(PageTextOfAPage, LeavesOutIgnoredPartsAndTexts) {
  job.changes.ignore = {".ads", "h1"};
  job.changes.ignore_text = {R"(\d+ times)"};
  const std::string text = read(kPage).text;
  EXPECT_THAT(text, Not(HasSubstr("Buy tea")));
  EXPECT_THAT(text, Not(HasSubstr("Opening hours")));
  EXPECT_THAT(text, Not(HasSubstr("12")));
  EXPECT_THAT(text, HasSubstr("Monday"));
}

TEST_F(PageTextOfAPage, IsThatOfTheSelectedPartsEachOnce) {
  job.selector = "main, p";
  job.changes.ignore = {".ads"};
  const PageText page = read(kPage);
  EXPECT_EQ(page.matches, 3U);
  EXPECT_EQ(page.text, "Opening hours\n\nMonday to Friday from nine to five.\n\nSeen 12 times");
}

TEST_F(PageTextOfAPage, TakesAnAttributeThatAnXPathSelects) {
  job.selector = "//a/@href";
  EXPECT_EQ(read(kPage).text, "/\n/shop");
}

TEST_F(PageTextOfAPage, IsEmptyWithoutAMatch) {
  job.selector = ".missing";
  const PageText page = read(kPage);
  EXPECT_EQ(page.matches, 0U);
  EXPECT_EQ(page.text, "");
}

TEST_F(PageTextOfAPage, SelectsTheTriggerPartsWithoutIgnoredOnes) {
  job.changes.trigger = {".visits", ".ads"};
  job.changes.ignore = {".ads"};
  EXPECT_EQ(read(kPage).trigger_text, "Seen 12 times");
}

TEST_F(PageTextOfAPage, HasALineForEachValueOfJson) {
  job.format = PageFormat::json;
  EXPECT_EQ(
      read(R"({"a": {"b": 1, "b": 2, "c": "x"}, "l": [{"n": null}, true]})", "application/json")
          .text,
      "a:\nb: 2\nc: x\nl:\nn: null\ntrue");
}

TEST_F(PageTextOfAPage, IsThatOfTheValuesThatAJsonPathSelects) {
  job.selector = "$.l[*]";
  const PageText page = read(R"({"t": 1, "l": [{"n": "x"}, {"n": "y"}]})", "application/json");
  EXPECT_EQ(page.text, "n: x\nn: y");
  EXPECT_EQ(page.matches, 2U);
}

TEST_F(PageTextOfAPage, ReportsOnlyWhatItsRulesTell) {
  job.changes.trigger_text = {"(?i)sold out"};
  job.changes.min_significance = Significance::medium;
  auto rules = TextRules::compile(job.changes);
  ASSERT_TRUE(rules);
  FieldChange change{.key = "", .field = "text", .before = "Last tickets", .after = "Sold out"};
  EXPECT_TRUE(rules->tells(change));
  change.significance = Significance::low;
  EXPECT_FALSE(rules->tells(change));
  change = {.key = "", .field = "text", .before = "Friday", .after = "Monday"};
  EXPECT_FALSE(rules->tells(change));
}

TEST(PlainText, IsToldByItsTypeOrByHavingNoMarkup) {
  EXPECT_TRUE(is_plain_text("text/plain; charset=utf-8", "User-agent: *\nDisallow: /a <b"));
  EXPECT_TRUE(is_plain_text("", "one\ntwo"));
  EXPECT_FALSE(is_plain_text("", "<p>one"));
  EXPECT_FALSE(is_plain_text("text/html", "one\ntwo"));
  EXPECT_FALSE(is_plain_text("text/plain", "<!DOCTYPE html><p>sent with the wrong type"));
}

}  // namespace
}  // namespace heddle::pages
