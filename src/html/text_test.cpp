#include "html/text.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "html/selector.hpp"

namespace heddle::html {
namespace {

std::string text_of(std::string_view html) {
  return readable_text(*parse(html), Document::root());
}

std::string text_of(std::string_view html, std::string_view css) {
  const auto page = parse(html);
  const auto node = select_first(*page, *Selector::compile(css), Document::root());
  return readable_text(*page, node->value());
}

TEST(ReadableText, LeavesOutNodesWithoutBreakingTheLine) {
  const auto page = parse("<p>one <b>two <i>three</i></b> four</p><p>five</p><p>six</p>");
  std::vector<NodeId> omitted;
  ASSERT_TRUE(select(*page, *Selector::compile("b, i, p:nth-child(2)"), Document::root(), omitted));
  EXPECT_EQ(text_without(*page, Document::root(), omitted), "one four\n\nsix");
  EXPECT_EQ(text_without(*page, Document::root(), {}), readable_text(*page, Document::root()));
}

TEST(ReadableText, CollapsesWhiteSpace) {
  EXPECT_EQ(text_of("  a \n\t b  <b> c</b>d "), "a b cd");
  EXPECT_EQ(text_of("a<b> </b>b"), "a b");
  EXPECT_EQ(text_of("1&nbsp;234&nbsp;&nbsp;€"), "1 234 €");
}

TEST(ReadableText, BreaksLinesAroundBlocks) {
  EXPECT_EQ(text_of("a<div>b</div>c"), "a\nb\nc");
  EXPECT_EQ(text_of("<div><div><div>x</div></div></div><div>y</div>"), "x\ny");
  EXPECT_EQ(text_of("<ul><li>one<li>two</ul>"), "one\ntwo");
  EXPECT_EQ(text_of("<h1>T</h1><section>s</section>"), "T\ns");
}

TEST(ReadableText, LeavesOneEmptyLineAroundParagraphs) {
  EXPECT_EQ(text_of("<p>a</p><p>b</p>"), "a\n\nb");
  EXPECT_EQ(text_of("<p>a</p><p></p><p> </p><div><p>b</p></div>"), "a\n\nb");
}

TEST(ReadableText, BreaksLinesAtBr) {
  EXPECT_EQ(text_of("a<br>b"), "a\nb");
  EXPECT_EQ(text_of("a<br><br><br><br>b"), "a\n\nb");
  EXPECT_EQ(text_of("<br>a<br>"), "a");
}

TEST(ReadableText, KeepsPreformattedText) {
  EXPECT_EQ(text_of("x<pre>a\n  b&nbsp;c\n\nd</pre>y"), "x\na\n  b c\n\nd\ny");
  EXPECT_EQ(text_of("<pre>  <b>in</b>dent</pre>"), "  indent");
}

TEST(ReadableText, SeparatesTableCells) {
  EXPECT_EQ(text_of("<table><tr><th>a<th>b<tr><td>1<td>2</table>"), "a\tb\n1\t2");
  EXPECT_EQ(text_of("<table><tr><td>1<td><td>3</table>"), "1\t\t3");
}

TEST(ReadableText, OmitsHiddenContent) {
  EXPECT_EQ(text_of("<title>t</title><style>s</style>a<script>b</script><noscript>c</noscript>"
                    "<template>d</template><p hidden>e</p><i style='color:red; display : none'>f"
                    "</i><!-- g -->h<iframe>i</iframe>"),
            "ah");
}

TEST(ReadableText, AlwaysReadsTheGivenNode) {
  EXPECT_EQ(text_of("<title> The  title </title>", "title"), "The title");
  EXPECT_EQ(text_of("<script>var a = 1;</script>", "script"), "var a = 1;");
  EXPECT_EQ(text_of("<p hidden>x<b>y</b></p>", "p"), "xy");
}

TEST(ReadableText, ReadsOneTextNode) {
  const auto page = parse("<p>  a  b  </p>");
  EXPECT_EQ(readable_text(*page, page->first_child(page->first_child(page->body()))), "a b");
}

TEST(ReadableText, OmitsWhatIsCrossedOutOnRequest) {
  const auto page = parse(
      "<p><s>$38</s> <b>$12</b> <del>x</del><strike>y</strike>"
      "<i style='text-decoration:line-through'>z</i> now</p>");
  const NodeId paragraph = page->first_child(page->body());
  EXPECT_EQ(readable_text(*page, paragraph), "$38 $12 xyz now");
  EXPECT_EQ(text_without_struck(*page, paragraph), "$12 now");
}

TEST(ReadableText, AppendsToExistingText) {
  const auto page = parse("<p> \n </p><p>x");
  std::string out = "before ";
  append_readable_text(*page, page->first_child(page->body()), out);
  EXPECT_EQ(out, "before ");
  append_readable_text(*page, page->body(), out);
  EXPECT_EQ(out, "before x");
}

}  // namespace
}  // namespace heddle::html
