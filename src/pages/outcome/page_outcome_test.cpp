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
            "selector \"li\" matches, but none of the fields matches inside");
  outcome.selector.clear();
  EXPECT_EQ(judge_page(outcome).message, "none of the fields matches on the page");
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
  const std::vector<std::pair<PageClass, ErrorKind>> classes{
      {PageClass::login, ErrorKind::login_required},
      {PageClass::bot_wall, ErrorKind::bot_wall},
      {PageClass::error_page, ErrorKind::error_page}};
  for (const auto& [page_class, error] : classes) {
    PageOutcome outcome = without_items();
    outcome.page.page_class = page_class;
    outcome.had_items = true;
    EXPECT_EQ(judge_page(outcome).kind, error);
    EXPECT_THAT(judge_page(outcome).message, HasSubstr("selector \"li\" matches nothing"));
    outcome = with_items();
    outcome.page.page_class = page_class;
    EXPECT_EQ(judge_page(outcome).kind, ErrorKind::none) << "it has items";
  }
}

TEST(PageOutcome, IsNoErrorPageWhenThePageNeverHadItems) {
  PageOutcome outcome = without_items();
  outcome.page.page_class = PageClass::error_page;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::nothing_found) << "\"no offers\" reads like one";
}

TEST(PageOutcome, IsAnErrorPageWhenThatIsSure) {
  PageOutcome outcome = without_items();
  outcome.page.page_class = PageClass::error_page;
  outcome.page.confidence = 1;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::error_page);
  outcome.wants_errors = true;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::nothing_found);
  outcome.had_items = true;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::no_items);
}

TEST(PageOutcome, SaysThatThePageIsEmpty) {
  for (const bool had_items : {false, true}) {
    PageOutcome outcome = without_items();
    outcome.is_blank = true;
    outcome.had_items = had_items;
    const RunError found = judge_page(outcome);
    EXPECT_EQ(found.kind, had_items ? ErrorKind::no_items : ErrorKind::nothing_found);
    EXPECT_THAT(found.message, HasSubstr("the page is empty, the site sent no text"));
    EXPECT_THAT(found.message, HasSubstr("min_items = 0"));
  }
  PageOutcome lines = without_items();
  lines.is_blank = true;
  lines.is_read_as_html = false;
  EXPECT_EQ(judge_page(lines).kind, ErrorKind::nothing_found) << "JSON Lines without lines";
}

TEST(PageOutcome, SaysThatThePageIsPlainText) {
  PageOutcome outcome = without_items();
  outcome.is_plain_text = true;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::not_html);
  EXPECT_THAT(judge_page(outcome).message, HasSubstr("the page is plain text, not HTML"));
  outcome.items = 1;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::none);
}

TEST(PageOutcome, IsOnlyANoticeWhenTheJobExpectsEmptyPages) {
  PageOutcome outcome = without_items();
  outcome.is_blank = outcome.is_plain_text = outcome.may_be_empty = true;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::nothing_found);
  outcome.page.page_class = PageClass::login;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::login_required);
}

TEST(PageOutcome, SaysThatAPageReadsLikeAnErrorPage) {
  PageOutcome outcome = without_items();
  outcome.page.page_class = PageClass::error_page;
  EXPECT_THAT(judge_page(outcome).message,
              HasSubstr("the page reads like an error page: selector"));
}

TEST(PageOutcome, NamesOnlyPagesInPlaceOfTheWantedOne) {
  EXPECT_EQ(wrong_page_error(PageClass::login, "no items").message,
            "the page asks to log in: no items");
  EXPECT_EQ(wrong_page_error(PageClass::listing, "no items").kind, ErrorKind::none);
}

TEST(PageOutcome, SaysWhyATextIsNotCompared) {
  PageOutcome outcome;
  outcome.is_text = true;
  outcome.matches = 1;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::nothing_found);
  EXPECT_THAT(judge_page(outcome).message, "it shows no text");
  outcome.page.page_class = PageClass::error_page;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::error_page);
  EXPECT_THAT(judge_page(outcome).message,
              ::testing::HasSubstr("name its content with `selector`"));
  outcome.items = 1;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::none);
  outcome = {};
  outcome.is_text = true;
  outcome.selector = ".hours";
  outcome.had_items = true;
  EXPECT_EQ(judge_page(outcome).message,
            "selector \".hours\" matches nothing on the page; it had text before");
}

TEST(PageOutcome, SaysThatThePageNeedsScripts) {
  PageOutcome outcome = without_items();
  outcome.page.is_empty_shell = true;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::app_shell);
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
  EXPECT_EQ(judge_page(outcome).message,
            "the page is an RSS feed, which `format = \"html\"` reads as HTML: field \"link\" is "
            "empty; leave `format` out");
  outcome.items = 0;
  EXPECT_EQ(judge_page(outcome).kind, ErrorKind::not_html);
}

TEST(PageOutcome, IsFineWhenXmlAndJsonAreReadAsSuch) {
  for (const BodyFormat format : {BodyFormat::xml, BodyFormat::feed, BodyFormat::json}) {
    PageOutcome outcome = with_items();
    outcome.body = {format, "XML"};
    outcome.is_read_as_html = false;
    EXPECT_EQ(judge_page(outcome).kind, ErrorKind::none);
    outcome.items = 0;
    EXPECT_EQ(judge_page(outcome).kind, ErrorKind::nothing_found);
  }
}

ClassifiedPage classify(const std::string& page) {
  html::Parser parser;
  const auto document = parser.parse(page, {});
  const auto url = Url::parse("http://example.com/offers");
  return classify_empty_page(*document, {*url});
}

TEST(EmptyPage, IsALogInPage) {
  EXPECT_EQ(classify("<title>Log in</title><h1>Log in</h1><form><label>User <input name=u></label>"
                     "<label>Password <input type=password name=p></label>"
                     "<button>Log in</button></form>")
                .page_class,
            PageClass::login);
}

TEST(EmptyPage, IsAnApplicationShell) {
  EXPECT_TRUE(classify("<title>Shop</title><noscript>You need to enable JavaScript to run this "
                       "app.</noscript><div id=root></div><script src=/app.js></script>")
                  .is_empty_shell);
  EXPECT_FALSE(classify("<h1>Offers</h1><p>No offers today, come back tomorrow.</p><ul></ul>")
                   .is_empty_shell);
}

}  // namespace
}  // namespace heddle::pages
