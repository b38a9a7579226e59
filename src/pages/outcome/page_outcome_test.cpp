#include "pages/outcome/page_outcome.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::pages {
namespace {

using ::testing::HasSubstr;

PageOutcome with_items() {
  PageOutcome outcome;
  outcome.selector = "li";
  outcome.matches = 2;
  outcome.items = 2;
  return outcome;
}

PageOutcome without_items() {
  PageOutcome outcome;
  outcome.selector = "li";
  return outcome;
}

TEST(PageOutcome, IsFineWhenEveryFieldFindsSomething) {
  EXPECT_EQ(judge_page(with_items()).kind, ErrorKind::none);
}

TEST(PageOutcome, IsANoticeWhenNothingWasEverFound) {
  const RunError found = judge_page(without_items());
  EXPECT_EQ(found.kind, ErrorKind::nothing_found);
  EXPECT_EQ(found.message, "selector \"li\" matches nothing on the page");
}

TEST(PageOutcome, IsSuspiciousWhenThereWereItemsBefore) {
  PageOutcome outcome = without_items();
  outcome.had_items = true;
  const RunError found = judge_page(outcome);
  EXPECT_EQ(found.kind, ErrorKind::no_items);
  EXPECT_EQ(found.message, "selector \"li\" matches nothing on the page; it had items before");
}

TEST(PageOutcome, SaysWhatFoundNothing) {
  PageOutcome outcome = without_items();
  outcome.matches = 3;
  EXPECT_EQ(judge_page(outcome).message,
            "selector \"li\" matches, but no field finds anything inside");
  outcome.selector.clear();
  EXPECT_EQ(judge_page(outcome).message, "no field finds anything on the page");
}

TEST(PageOutcome, NamesFieldsThatAreEmptyEverywhere) {
  PageOutcome outcome = with_items();
  outcome.empty_fields = {"price"};
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::empty_field);
  EXPECT_EQ(judge_page(outcome).message, "field \"price\" is empty in all items");
  outcome.empty_fields.emplace_back("link");
  EXPECT_EQ(judge_page(outcome).message, "fields \"price\", \"link\" are empty in all items");
}

TEST(PageOutcome, SaysWhatThePageIs) {
  const std::vector<std::pair<EmptyPageKind, ErrorKind>> kinds{
      {EmptyPageKind::login, ErrorKind::login_required},
      {EmptyPageKind::app_shell, ErrorKind::app_shell},
      {EmptyPageKind::bot_wall, ErrorKind::bot_wall},
      {EmptyPageKind::error_page, ErrorKind::error_page}};
  for (const auto& [kind, error] : kinds) {
    PageOutcome outcome = without_items();
    outcome.kind = kind;
    EXPECT_EQ(judge_page(outcome).kind, error);
    EXPECT_THAT(judge_page(outcome).message, HasSubstr("selector \"li\" matches nothing"));
    outcome = with_items();
    outcome.kind = kind;
    EXPECT_EQ(judge_page(outcome).kind, ErrorKind::none) << "it has items";
  }
}

TEST(PageOutcome, SaysThatABodyIsNotHtml) {
  PageOutcome outcome = without_items();
  outcome.body = {BodyFormat::binary, "a PDF"};
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::not_html);
  EXPECT_EQ(judge_page(outcome).message,
            "the page is a PDF, not HTML: nothing can be extracted from it");
  outcome.body = {BodyFormat::json, "JSON"};
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::not_html);
}

TEST(PageOutcome, SaysWhatIsLostOfAFeed) {
  PageOutcome outcome = with_items();
  outcome.body = {BodyFormat::feed, "an RSS feed"};
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::read_as_html);
  outcome.has_markup_remains = true;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::not_html);
  outcome.empty_fields = {"link"};
  EXPECT_EQ(
      judge_page(outcome).message,
      "the page is an RSS feed, which is read as HTML: field \"link\" is empty; feeds and XML "
      "are not supported yet");
  outcome.items = 0;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::not_html);
}

EmptyPageKind kind_of(const std::string& page) {
  html::Parser parser;
  const auto document = parser.parse(page, {});
  return document ? classify_empty_page(*document) : EmptyPageKind::ordinary;
}

TEST(EmptyPage, IsALogInPage) {
  EXPECT_EQ(kind_of("<h1>Welcome</h1><form><input name=u><input type=Password name=p></form>"),
            EmptyPageKind::login);
}

TEST(EmptyPage, IsNoLogInPageWhenItHasContent) {
  EXPECT_EQ(kind_of("<form><input type=password></form><p>" + std::string(3000, 'x')),
            EmptyPageKind::ordinary);
}

TEST(EmptyPage, IsAnApplicationShell) {
  EXPECT_EQ(kind_of("<title>Shop</title><noscript>Enable JavaScript</noscript>"
                    "<div id=root></div><script src=/app.js></script>"),
            EmptyPageKind::app_shell);
  EXPECT_EQ(kind_of("<app-root></app-root><script src=/app.js></script>"),
            EmptyPageKind::app_shell);
}

TEST(EmptyPage, IsNoApplicationShellWhenItHasContent) {
  EXPECT_EQ(kind_of("<div id=root><p>No offers today.</p></div><script src=/app.js></script>"),
            EmptyPageKind::ordinary);
  EXPECT_EQ(kind_of("<ul></ul>"), EmptyPageKind::ordinary);
}

}  // namespace
}  // namespace heddle::pages
