#include "pages/outline/outline.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "html/selector.hpp"

namespace heddle::pages {
namespace {

html::NodeId node_of(const html::Document& document, std::string_view css) {
  return html::select_first(document, *html::Selector::compile(css), html::Document::root())
      ->value();
}

TEST(PageOutline, CountsShownTextAndLinks) {
  const auto document =
      *html::parse("<p>ab <a href=x>cdé</a><i hidden>no</i><script>no</script></p>");
  const PageOutline outline(document);
  EXPECT_EQ(outline.text_length(node_of(document, "p")), 5U);
  EXPECT_EQ(outline.link_length(node_of(document, "p")), 3U);
  EXPECT_FALSE(outline.is_shown(node_of(document, "i")));
}

TEST(PageOutline, KnowsTheRegionsOfAPage) {
  const std::string text(400, 'x');
  const auto document = *html::parse(
      "<header><i>top</i></header><div class='main-nav'><b>n</b></div><main><header><h1>T</h1>"
      "</header><p>" +
      text +
      "</p><div id=relatedPosts><u>r</u></div></main>"
      "<div class=CookieBar><s>c</s></div><footer><em>f</em></footer>");
  const PageOutline outline(document);
  EXPECT_TRUE(outline.is_in(node_of(document, "i"), Region::header));
  EXPECT_TRUE(outline.is_in(node_of(document, "b"), Region::navigation));
  EXPECT_TRUE(outline.is_in(node_of(document, "u"), Region::related));
  EXPECT_TRUE(outline.is_in(node_of(document, "s"), Region::overlay));
  EXPECT_TRUE(outline.is_in(node_of(document, "em"), Region::footer));
  EXPECT_TRUE(outline.is_content(node_of(document, "h1")));
  EXPECT_EQ(outline.heading(), node_of(document, "h1"));
  EXPECT_EQ(outline.main(), node_of(document, "main"));
}

TEST(PageOutline, DoesNotTakeAWholePageForARegion) {
  const auto document = *html::parse("<div class='with-sidebar'><p>All of the text</p></div>");
  EXPECT_FALSE(PageOutline(document).is_in(node_of(document, "p"), Region::aside));
}

TEST(PageOutline, ReadsNoscriptWhenItHoldsTheText) {
  const std::string text(600, 'x');
  const auto document = *html::parse("<body><b>a</b><noscript><p>" + text + "</p></noscript>");
  EXPECT_EQ(PageOutline(document).text_length(node_of(document, "p")), 600U);
  const auto other =
      *html::parse("<body><b>" + text + "</b><noscript><p>" + text + "</p></noscript>");
  EXPECT_EQ(PageOutline(other).text_length(node_of(other, "p")), 0U);
}

TEST(NameWords, SplitClassesAtSignsAndCapitals) {
  std::string words;
  each_name_word("ProductCard--old_price x2",
                 [&](std::string_view word) { (words += word) += ' '; });
  EXPECT_EQ(words, "product card old price x2 ");
}

}  // namespace
}  // namespace heddle::pages
