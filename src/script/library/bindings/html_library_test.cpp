#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

const std::string kPage = R"(local page = [[
<html><head><title>Shop</title></head><body>
<ul><li class=item><a href="/one">One <b>bold</b></a></li>
<li class="item sale"><a href="two">Two</a></li></ul></body></html>]]
local doc = html.parse(page)
)";

TEST(HtmlLibrary, SelectsNodesOfAPage) {
  EXPECT_EQ(
      run_sandboxed(kPage + "local items = doc:select('li.item') local second = items[2]\n"
                            "return #items, second:text(), second:tag(), second:attr('class'), "
                            "second:attr('id'), #second:select('a'), #second:select('li')"),
      "2|Two|li|item sale|nil|1|0");
}

TEST(HtmlLibrary, SelectsTheFirstNodeOrNone) {
  EXPECT_EQ(run_sandboxed(kPage + "return doc:select_one('a'):text(), doc:select_one('p'), "
                                  "doc:select_one('li'):select_one('b'):html()"),
            "One bold|nil|<b>bold</b>");
}

TEST(HtmlLibrary, ReadsAWholePage) {
  EXPECT_EQ(run_sandboxed("return html.parse('<p>a<p>b'):text(), html.parse('<p>x'):html()"),
            "a\n\nb|<html><head></head><body><p>x</p></body></html>");
}

TEST(HtmlLibrary, ReturnsAbsoluteLinksWhenTheUrlIsGiven) {
  EXPECT_EQ(run_sandboxed("local doc = html.parse('<a href=/x class=y>', 'https://a.example/b/c')\n"
                          "local a = doc:select_one('a') return a:attr('href'), a:attr('class'), "
                          "html.parse('<a href=/x>'):select_one('a'):attr('href')"),
            "https://a.example/x|y|/x");
}

TEST(HtmlLibrary, RejectsAnInvalidSelectorOrUrl) {
  EXPECT_THAT(run_sandboxed(kPage + "doc:select('a[')"), HasSubstr("selector: position"));
  EXPECT_THAT(run_sandboxed(kPage + "doc:select(('a '):rep(10000))"), HasSubstr("longer than"));
  EXPECT_THAT(run_sandboxed("html.parse('', 'ftp://x')"), HasSubstr("error"));
}

TEST(HtmlLibrary, SelectsByXPath) {
  EXPECT_EQ(run_sandboxed(kPage + "local items = doc:xpath('//li[contains(@class, \"sale\")]')\n"
                                  "return #items, items[1]:text(), items[1]:xpath('a/@href')[1], "
                                  "items[1] == doc:select('li')[2], #doc:xpath('//table')"),
            "1|Two|two|true|0");
  EXPECT_EQ(
      run_sandboxed(kPage + "return doc:xpath('//b/text()')[1], doc:xpath('count(//li)'), "
                            "tostring(doc:xpath('0.5 * 3')), doc:xpath('string(//title)'), "
                            "doc:xpath('//ul and 1'), doc:xpath('/')[1]:select_one('b'):tag()"),
      "bold|2|1.5|Shop|true|b");
}

TEST(HtmlLibrary, SelectsFromANodeOnwardsByXPath) {
  EXPECT_EQ(
      run_sandboxed(kPage + "local item = doc:select('li')[2]\n"
                            "return #item:xpath('.//a'), #item:xpath('preceding-sibling::li'), "
                            "#item:xpath('//a'), item:xpath('..')[1]:tag()"),
      "1|1|2|ul");
}

TEST(HtmlLibrary, ReturnsAbsoluteLinksOfXPathsWhenTheUrlIsGiven) {
  EXPECT_EQ(run_sandboxed("local doc = html.parse('<a href=/x class=y>', 'https://a.example/b/c')\n"
                          "return doc:xpath('//@href')[1], doc:xpath('//@class')[1]"),
            "https://a.example/x|y");
}

TEST(HtmlLibrary, RejectsAnInvalidXPath) {
  EXPECT_THAT(run_sandboxed(kPage + "doc:xpath('//a[')"), HasSubstr("XPath: position"));
  EXPECT_THAT(run_sandboxed(kPage + "doc:xpath(('/a'):rep(10000))"), HasSubstr("longer than"));
  EXPECT_THAT(run_sandboxed(kPage + "doc:xpath()"), HasSubstr("string expected"));
}

TEST(HtmlLibrary, EndsAnXPathThatTakesTooLong) {
  EXPECT_THAT(run_sandboxed("local doc = html.parse(('<i>x</i>'):rep(3000))\n"
                            "doc:xpath('//i[count(//i[count(//i) > 1]) > 1]')"),
              HasSubstr("more than 10000000 steps"));
}

TEST(HtmlLibrary, RejectsAPageBeyondTheLimits) {
  EXPECT_THAT(run_sandboxed("html.parse(('<div>'):rep(100000))"), HasSubstr("too_complex"));
  EXPECT_THAT(run_sandboxed("html.parse(('x'):rep(33000000))"), HasSubstr("larger than 32 MB"));
}

TEST(HtmlLibrary, KeepsADocumentAliveThroughItsNodes) {
  EXPECT_EQ(
      run_sandboxed("local nodes = {} for i = 1, 200 do\n"
                    "nodes[i] = html.parse('<p>' .. i .. ('<i>x</i>'):rep(50)):select_one('p') "
                    "end\ncollectgarbage('step', 100000)\n"
                    "for i = 1, 200 do assert(nodes[i]:text():match('^' .. i)) end return 'ok'"),
      "ok");
}

TEST(HtmlLibrary, LimitsTheMemoryOfDocumentsInUse) {
  auto lua = TestLua::sandbox();
  EXPECT_THAT(lua.run("kept = {} for i = 1, 1000 do "
                      "kept[i] = html.parse('<p>' .. ('text '):rep(200000)) end"),
              HasSubstr("exceed 64 MB"));
  EXPECT_EQ(lua.run("kept = nil return html.parse('<p>again'):text()"), "again");
}

TEST(HtmlLibrary, FreesUnusedDocuments) {
  EXPECT_EQ(run_sandboxed("for i = 1, 500 do html.parse('<p>' .. ('text '):rep(200000)) end "
                          "return 'ok'"),
            "ok");
}

TEST(HtmlLibrary, HidesMetatables) {
  EXPECT_EQ(run_sandboxed(kPage + "return getmetatable(doc), getmetatable(doc:select_one('a')), "
                                  "doc.__gc, doc.__index"),
            "false|false|nil|nil");
}

TEST(HtmlLibrary, RejectsOtherValuesAsSelf) {
  EXPECT_THAT(run_sandboxed(kPage + "doc.select(io or 5, 'a')"), HasSubstr("html.node expected"));
  EXPECT_THAT(run_sandboxed(kPage + "doc:select_one('a').attr(doc, 'x')"),
              HasSubstr("html.node expected"));
  EXPECT_THAT(run_sandboxed(kPage + "doc.select(json_null, 'a')"), HasSubstr("html.node expected"));
}

TEST(HtmlLibrary, ComparesNodesByDocumentAndId) {
  EXPECT_EQ(run_sandboxed(kPage + "return doc:select('li')[1] == doc:select_one('li'), "
                                  "doc:select('li')[1] == doc:select('li')[2], "
                                  "tostring(doc:select_one('a'))"),
            "true|false|<a>");
}

TEST(HtmlLibrary, CompilesManySelectors) {
  EXPECT_EQ(run_sandboxed(kPage + "local n = 0 for round = 1, 3 do for i = 1, 100 do\n"
                                  "n = n + #doc:select('li.item, p.c' .. i) end end return n"),
            "600");
}

}  // namespace
}  // namespace heddle::script
