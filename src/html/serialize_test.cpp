#include "html/serialize.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::html {
namespace {

std::string body_of(std::string_view html) {
  const auto page = parse(html);
  return inner_html(*page, page->body());
}

TEST(Serialize, WritesElementsWithTheirAttributes) {
  EXPECT_EQ(body_of("<P Class=x>a<br>b<img src='1'></p>"),
            "<p class=\"x\">a<br>b<img src=\"1\"></p>");
}

TEST(Serialize, EscapesMarkupCharacters) {
  EXPECT_EQ(body_of("<p title='&quot;&amp;<>&nbsp;'>&lt;a&gt;&amp;&nbsp;Â</p>"),
            "<p title=\"&quot;&amp;<>&nbsp;\">&lt;a&gt;&amp;&nbsp;Â</p>");
}

TEST(Serialize, DoesNotEscapeScriptsAndStyles) {
  EXPECT_EQ(body_of("<p></p><script>a<b && c</script><style>a>b</style>"),
            "<p></p><script>a<b && c</script><style>a>b</style>");
}

TEST(Serialize, WritesDoctypeAndComments) {
  const auto page = parse("<!doctype html><!-- c --><p>x");
  EXPECT_EQ(outer_html(*page, Document::root()),
            "<!DOCTYPE html><!-- c --><html><head></head><body><p>x</p></body></html>");
}

TEST(Serialize, DistinguishesOuterFromInner) {
  const auto page = parse("<p><b>x</b>y</p>z");
  const NodeId paragraph = page->first_child(page->body());
  EXPECT_EQ(outer_html(*page, paragraph), "<p><b>x</b>y</p>");
  EXPECT_EQ(inner_html(*page, paragraph), "<b>x</b>y");
  EXPECT_EQ(outer_html(*page, page->next(paragraph)), "z");
  EXPECT_EQ(inner_html(*page, page->next(paragraph)), "");
}

// Serialized HTML parses to the same tree.
TEST(Serialize, ParsesBackToTheSameTree) {
  const std::string once = body_of("<table><tr><td>a<b>c<p>d</b>e<svg viewBox=1><path d=M/></svg>");
  EXPECT_EQ(body_of(once), once);
}

}  // namespace
}  // namespace heddle::html
