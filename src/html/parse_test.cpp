#include "html/parse.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "html/serialize.hpp"

namespace heddle::html {
namespace {

Document parsed(std::string_view html) {
  auto document = parse(html);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  return document ? std::move(*document) : Document();
}

std::string body_of(std::string_view html) {
  const Document page = parsed(html);
  return inner_html(page, page.body());
}

std::string error_of(std::string_view html, const ParseLimits& limits) {
  const auto document = parse(html, limits);
  return document ? "no error" : document.error().message;
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Parse, BuildsTheTreeOfABrowser) {
  const Document page = parsed("<title>T</title><p class='a b'>one<p>two");
  const NodeId first = page.first_child(page.body());
  EXPECT_EQ(page.tag_name(first), "p");
  EXPECT_EQ(page.class_names(first), "a b");
  EXPECT_EQ(page.text(first), "one");
  EXPECT_EQ(page.text(page.next(first)), "two");
  EXPECT_EQ(page.text(page.body()), "onetwo");
}

TEST(Parse, RepairsMisnestedTags) {
  EXPECT_EQ(body_of("<b>1<p>2</b>3</p>"), "<b>1</b><p><b>2</b>3</p>");
  EXPECT_EQ(body_of("<table>x<tr><td>y"), "x<table><tbody><tr><td>y</td></tr></tbody></table>");
}

TEST(Parse, DecodesEntitiesInTextAndAttributes) {
  const Document page = parsed("<a title='1 &lt; 2&eacute;'>&amp;&#x20AC;&nosuch;");
  const NodeId link = page.first_child(page.body());
  EXPECT_EQ(page.attribute(link, "title"), "1 < 2é");
  EXPECT_EQ(page.text(link), "&€&nosuch;");
}

TEST(Parse, KeepsTheFirstOfSeveralEqualAttributes) {
  const Document page = parsed("<p id=one ID=two id=three>");
  EXPECT_EQ(page.id(page.first_child(page.body())), "one");
  EXPECT_EQ(page.attributes(page.first_child(page.body())).size(), 1U);
}

TEST(Parse, BuildsACompletePageFromEmptyInput) {
  const Document page = parsed("");
  EXPECT_EQ(outer_html(page, Document::root()), "<html><head></head><body></body></html>");
}

TEST(Parse, HandlesNulBytesAndInvalidUtf8) {
  using namespace std::string_view_literals;
  const Document page = parsed("<p\0x\0=\xff\xfe>a\0b\xC3(\xF0\x9F</p\0>"sv);
  EXPECT_GT(page.size(), 3U);
  EXPECT_NE(page.text(page.body()).find('a'), std::string_view::npos);
}

TEST(Parse, ReadsPagesWithAByteOrderMarkAndForeignLineEnds) {
  const Document page = parsed("\xEF\xBB\xBF<!DOCTYPE html>\r\n<title>T</title>\r<pre>\r\na\r\nb");
  EXPECT_EQ(
      outer_html(page, Document::root()),
      "<!DOCTYPE html><html><head><title>T</title>\n</head><body><pre>a\nb</pre></body></html>");
}

TEST(Parse, StoresTheValueOfAReopenedElementOnce) {
  const std::string value(10'000, 'x');
  const Document page = parsed("<p><b title=" + value + ">y" + repeat("<p>y", 1000));
  EXPECT_LT(page.memory_bytes(), 300'000U);
  const NodeId last = page.last_child(page.last_child(page.body()));
  EXPECT_EQ(page.tag_name(last), "b");
  EXPECT_TRUE(page.attribute(last, "title") == value);
}

TEST(Parse, AddsAttributesOfASecondBodyToTheFirst) {
  const Document page = parsed("<body a=1><p><body a=2 b=3><html c=4>");
  EXPECT_EQ(page.attribute(page.body(), "a"), "1");
  EXPECT_EQ(page.attribute(page.body(), "b"), "3");
  EXPECT_EQ(page.attribute(page.root_element(), "c"), "4");
}

TEST(Parser, KeepsNoStateBetweenPages) {
  Parser parser;
  ASSERT_TRUE(parser.parse("<!DOCTYPE html PUBLIC 'a' 'b'><x-one y-two><table><b><svg>"));
  ASSERT_FALSE(parser.parse(repeat("<div>", 2000)));
  ASSERT_TRUE(parser.parse("<!DOCTYPE html PUBLIC>"));
  const auto page = parser.parse("<p>clean");
  ASSERT_TRUE(page);
  EXPECT_EQ(outer_html(*page, Document::root()),
            "<html><head></head><body><p>clean</p></body></html>");
}

TEST(Parser, BuildsTheSameTreeAsANewOne) {
  Parser kept;
  std::error_code missing;
  int pages = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(HEDDLE_SHARED_DATA "/pages", missing)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string html(std::istreambuf_iterator<char>(file), {});
    const auto again = kept.parse(html);
    const auto fresh = parse(html);
    ASSERT_TRUE(again && fresh) << entry.path();
    ASSERT_EQ(outer_html(*again, Document::root()), outer_html(*fresh, Document::root()));
    if (++pages == 30) break;
  }
  if (pages == 0) GTEST_SKIP() << "no pages in " HEDDLE_SHARED_DATA "/pages";
}

TEST(ParseLimits, AcceptPagesExactlyAtTheLimit) {
  const ParseLimits limits{.max_nodes = 100, .max_depth = 10};
  // <html>, <head>, <body> and these elements.
  EXPECT_EQ(error_of(repeat("<br>", 97), limits), "no error");
  EXPECT_EQ(error_of(repeat("<br>", 98), limits),
            "too_complex: the page has more than 100 nodes (limits.nodes)");
  EXPECT_EQ(error_of(repeat("<div>", 8), limits), "no error");
  EXPECT_EQ(error_of(repeat("<div>", 9), limits),
            "too_complex: elements are nested more than 10 deep (limits.html_depth)");
}

TEST(ParseLimits, CountAttributesSeparately) {
  EXPECT_EQ(error_of("<p " + repeat("a ", 101) + ">", {.max_nodes = 100}),
            "too_complex: the page has more than 100 attributes (limits.nodes)");
}

TEST(ParseLimits, AreReportedAsBadInput) {
  const auto document = parse(repeat("<div>", 5000));
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::bad_input);
}

TEST(ParseLimits, BoundTheDistinctNamesOfAPage) {
  std::string page = "<p";
  for (int i = 0; i < 30'000; ++i) page += " a" + std::to_string(i);
  EXPECT_NE(error_of(page + ">", {}).find("different names"), std::string::npos);
}

}  // namespace
}  // namespace heddle::html
