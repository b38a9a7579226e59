#include "html/xpath/xpath.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "html/xpath/xpath_values.hpp"

namespace heddle::html {
namespace {

constexpr std::string_view kPage =
    R"(<!doctype html><html lang="en-GB"><head><title>Shop</title></head>
<body><!-- top --><div id="list" class="grid"><a href="/1" title="One">First</a><a href="/2">Second
</a><p>Price <b>12.50</b> EUR</p><p lang=de>Preis <b>3</b></p></div>
<svg viewBox="0 0 1 1"><linearGradient id="g"/></svg><ul><li>a</li><li>b<ul><li>c</li></ul></li>
<li>d</li></ul></body></html>)";

// Nodes as "name" or "name=value", other values as text.
std::string shown(const Document& document, const XPathValue& value) {
  const auto* nodes = std::get_if<XPathNodes>(&value);
  if (nodes == nullptr) return to_text(document, value);
  std::string out;
  for (const XPathNode& node : *nodes) {
    if (!out.empty()) out += ' ';
    if (node.is_attribute())
      out += "@" + std::string(document.name(attribute_of(document, node).name)) + "=" +
             std::string(string_value(document, node));
    else if (document.is_element(node.node))
      out += document.tag_name(node.node);
    else if (node.node == Document::root())
      out += "/";
    else
      out += "'" + normalize_space(string_value(document, node)) + "'";
  }
  return out;
}

std::string evaluated(std::string_view expression, std::string_view page = kPage) {
  const auto xpath = XPath::compile(expression);
  if (!xpath) return xpath.error().message;
  const auto document = parse(page);
  const auto value = evaluate(*document, *xpath);
  return value ? shown(*document, *value) : value.error().message;
}

TEST(XPath, SelectsAlongEveryAxis) {
  EXPECT_EQ(evaluated("/html/body/div/a/@href"), "@href=/1 @href=/2");
  EXPECT_EQ(evaluated("//div/*"), "a a p p");
  EXPECT_EQ(evaluated("//b/ancestor::*"), "html body div p p");
  EXPECT_EQ(evaluated("//b[1]/ancestor-or-self::*[2]"), "p p");
  EXPECT_EQ(evaluated("//p[1]/preceding-sibling::a[1]/@title | //p[1]/following-sibling::node()"),
            "p");
  EXPECT_EQ(evaluated("//p[1]/preceding-sibling::a[2]/@title"), "@title=One");
  EXPECT_EQ(evaluated("//svg/following::li[1]/text()"), "'a'");
  EXPECT_EQ(evaluated("//p[2]/preceding::a[1]/@href"), "@href=/2");
  EXPECT_EQ(evaluated("//@title/.."), "a");
  EXPECT_EQ(evaluated("//@title/following::b[1]/text()"), "'12.50'");
  EXPECT_EQ(evaluated("//title/self::title"), "title");
  EXPECT_EQ(evaluated("//title/self::b"), "");
  EXPECT_EQ(evaluated("//comment()"), "'top'");
  EXPECT_EQ(evaluated("/"), "/");
  EXPECT_EQ(evaluated("/.//title/text()"), "'Shop'");
  EXPECT_EQ(evaluated("//li/descendant-or-self::li"), "li li li li");
  EXPECT_EQ(evaluated("//node()[self::title or self::svg]"), "title svg");
}

TEST(XPath, CountsPositionsAlongTheAxis) {
  EXPECT_EQ(evaluated("//li[1]/text()"), "'a' 'c'");
  EXPECT_EQ(evaluated("(//li)[2]/text()"), "'b'");
  EXPECT_EQ(evaluated("//li[last()]/text()"), "'c' 'd'");
  EXPECT_EQ(evaluated("//ul/li[position() > 1][1]/text()"), "'b'");
  EXPECT_EQ(evaluated("//li[count(ancestor::ul) = 2]/text()"), "'c'");
  EXPECT_EQ(evaluated("/descendant::li[3]/text()"), "'c'");
  EXPECT_EQ(evaluated("(//b/ancestor::*)[last()]"), "p");
  EXPECT_EQ(evaluated("//a[position() = last()]/@href"), "@href=/2");
  EXPECT_EQ(evaluated("//a[0] | //a[1.5] | //a[3]"), "");
}

TEST(XPath, ComparesByTheRulesOfTheStandard) {
  EXPECT_EQ(evaluated("//b > 12"), "true");
  EXPECT_EQ(evaluated("//b = //b"), "true");
  EXPECT_EQ(evaluated("//b != //b"), "true");
  EXPECT_EQ(evaluated("//title != //title"), "false");
  EXPECT_EQ(evaluated("//b < //b"), "true");
  EXPECT_EQ(evaluated("//a[. = 'First']/@href"), "@href=/1");
  EXPECT_EQ(evaluated("3 > //b"), "false");
  EXPECT_EQ(evaluated("4 > //b"), "true");
  EXPECT_EQ(evaluated("//nothing = ''"), "false");
  EXPECT_EQ(evaluated("//nothing = false()"), "true");
  EXPECT_EQ(evaluated("'1' = 1.0"), "true");
  EXPECT_EQ(evaluated("'a' < 'b'"), "false");
  EXPECT_EQ(evaluated("true() = 'x'"), "true");
  EXPECT_EQ(evaluated("1 = 1 = 1"), "true");
  EXPECT_EQ(evaluated("1 < 2 < 3 and 2 > 1 or 1 div 0 = 2"), "true");
}

TEST(XPath, Calculates) {
  EXPECT_EQ(evaluated("1 + 2 * 3 - -4"), "11");
  EXPECT_EQ(evaluated("7 div 2"), "3.5");
  EXPECT_EQ(evaluated("-7 mod 3"), "-1");
  EXPECT_EQ(evaluated("1 div 0"), "Infinity");
  EXPECT_EQ(evaluated("-1 div 0"), "-Infinity");
  EXPECT_EQ(evaluated("0 div 0"), "NaN");
  EXPECT_EQ(evaluated("--3"), "3");
  EXPECT_EQ(evaluated("-0"), "0");
  EXPECT_EQ(evaluated("1000000000000000000000"), "1000000000000000000000");
  EXPECT_EQ(evaluated("0.1 + 0.2"), "0.30000000000000004");
  EXPECT_EQ(evaluated("number('1e3')"), "NaN");
  EXPECT_EQ(evaluated("number(' -.5 ')"), "-0.5");
  EXPECT_EQ(evaluated("sum(//b) * 2"), "31");
  EXPECT_EQ(evaluated("round(2.5)"), "3");
  EXPECT_EQ(evaluated("round(-2.5)"), "-2");
  EXPECT_EQ(evaluated("floor(-1.5) + ceiling(1.2)"), "0");
  EXPECT_EQ(evaluated("count(//a | //b | //a)"), "4");
  EXPECT_EQ(evaluated("number(//b) - number(true())"), "11.5");
}

TEST(XPath, HasTheFunctionsOfTexts) {
  EXPECT_EQ(evaluated("normalize-space(//a[2])"), "Second");
  EXPECT_EQ(evaluated("concat(//a, '-', 2, true())"), "First-2true");
  EXPECT_EQ(evaluated("string(//p)"), "Price 12.50 EUR");
  EXPECT_EQ(evaluated("substring('12345', 2, 3)"), "234");
  EXPECT_EQ(evaluated("substring('12345', 1.5, 2.6)"), "234");
  EXPECT_EQ(evaluated("substring('12345', 0, 3)"), "12");
  EXPECT_EQ(evaluated("substring('12345', 0 div 0, 3)"), "");
  EXPECT_EQ(evaluated("substring('12345', -42, 1 div 0)"), "12345");
  EXPECT_EQ(evaluated("substring('äöü', 2)"), "öü");
  EXPECT_EQ(evaluated("substring-before('1999/04/01', '/')"), "1999");
  EXPECT_EQ(evaluated("substring-after('1999/04/01', '/')"), "04/01");
  EXPECT_EQ(evaluated("substring-after('a', 'b')"), "");
  EXPECT_EQ(evaluated("translate('--aäa--', 'aä-', 'AÄ')"), "AÄA");
  EXPECT_EQ(evaluated("string-length('äb')"), "2");
  EXPECT_EQ(evaluated("//a[starts-with(., 'Fi')]/@href"), "@href=/1");
  EXPECT_EQ(evaluated("//a[contains(@title, 'n')]/@href"), "@href=/1");
  EXPECT_EQ(evaluated("//p[not(contains(., 'EUR'))]/b/text()"), "'3'");
  EXPECT_EQ(evaluated("//b[string-length() = 1]/text()"), "'3'");
  EXPECT_EQ(evaluated("boolean('') or boolean(0) or boolean(//nothing)"), "false");
}

TEST(XPath, HasTheFunctionsOfNodes) {
  EXPECT_EQ(evaluated("name(//@title)"), "title");
  EXPECT_EQ(evaluated("local-name(//div/*[3])"), "p");
  EXPECT_EQ(evaluated("namespace-uri(//svg)"), "http://www.w3.org/2000/svg");
  EXPECT_EQ(evaluated("name(//nothing)"), "");
  EXPECT_EQ(evaluated("id('list g')"), "div linearGradient");
  EXPECT_EQ(evaluated("id('list')/a[2]/@href"), "@href=/2");
  EXPECT_EQ(evaluated("//p[lang('de')]/b/text()"), "'3'");
  EXPECT_EQ(evaluated("count(//p[lang('en')])"), "1");
}

TEST(XPath, IgnoresTheCaseOfHtmlNamesOnly) {
  EXPECT_EQ(evaluated("//DIV/A/@HREF"), "@href=/1 @href=/2");
  EXPECT_EQ(evaluated("//linearGradient/@id"), "@id=g");
  EXPECT_EQ(evaluated("//lineargradient"), "");
}

TEST(XPath, KnowsOperatorsFromNames) {
  EXPECT_EQ(evaluated("count(//div) div 1 * 2", kPage), "2");
  EXPECT_EQ(evaluated("//*[name() = 'div' or name()='svg']"), "div svg");
  EXPECT_EQ(evaluated("//div/div"), "");
  EXPECT_EQ(evaluated("div", "<div>"), "");
  EXPECT_EQ(evaluated("//and", "<and>x</and>"), "and");
  EXPECT_EQ(evaluated("2 * //b[2]"), "NaN");
}

TEST(XPath, ReportsThePositionOfAnError) {
  EXPECT_EQ(evaluated(""), "XPath: position 1: the expression is empty");
  EXPECT_EQ(evaluated("//a["), "XPath: position 5: the expression ends where a step is expected");
  EXPECT_EQ(evaluated("//a[1"), "XPath: position 6: expected \"]\"");
  EXPECT_EQ(evaluated("//a]"), "XPath: position 4: unexpected \"]\"");
  EXPECT_EQ(evaluated("//a[@href='x]"), "XPath: position 11: the closing quote is missing");
  EXPECT_EQ(evaluated("//a/up::b"), "XPath: position 5: there is no axis \"up\"");
  EXPECT_EQ(evaluated("cuont(//a)"),
            "XPath: position 1: there is no function cuont(), did you mean count()?");
  EXPECT_EQ(evaluated("count('a')"), "XPath: position 1: count() takes nodes");
  EXPECT_EQ(evaluated("contains('a')"), "XPath: position 1: contains() takes 2 arguments");
  EXPECT_EQ(evaluated("substring('a')"), "XPath: position 1: substring() takes 2 or 3 arguments");
  EXPECT_EQ(evaluated("$x"), "XPath: position 1: variables are not available");
  EXPECT_EQ(evaluated("'a' | //b"), "XPath: position 1: \"|\" joins nodes");
  EXPECT_EQ(evaluated("'a'/b"), "XPath: position 1: only nodes have a path");
  EXPECT_EQ(evaluated("'a'[1]"), "XPath: position 1: only nodes have predicates");
  EXPECT_EQ(evaluated("a # b"), "XPath: position 3: unexpected \"#\"");
}

TEST(XPath, LimitsNestingAndSteps) {
  EXPECT_NE(evaluated(std::string(200, '(') + "1").find("nested more than 60 levels deep"),
            std::string::npos);
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += "a[";
  EXPECT_NE(evaluated(nested).find("nested more than 60 levels deep"), std::string::npos);
  EXPECT_NE(evaluated(std::string(20'000, 'a')).find("longer than"), std::string::npos);

  std::string page = "<body>";
  for (int i = 0; i < 3000; ++i) page += "<p>x</p>";
  const auto document = parse(page);
  const auto xpath = XPath::compile("//p[following::p[following::p]]");
  const auto value = evaluate(*document, *xpath, {.max_steps = 1'000'000});
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message,
            "XPath //p[following::p[following::p]]: more than 1000000 steps on this page");
}

TEST(XPath, SaysWhetherItReturnsNodes) {
  EXPECT_TRUE(XPath::compile("(//a | //b)[1]/@x")->returns_nodes());
  EXPECT_TRUE(XPath::compile("id('x')")->returns_nodes());
  EXPECT_FALSE(XPath::compile("string(//a)")->returns_nodes());
  EXPECT_FALSE(XPath::compile("//a = 1")->returns_nodes());
}

TEST(XPath, EvaluatesFromANode) {
  const auto document = parse(kPage);
  const auto paragraphs = evaluate(*document, *XPath::compile("//p"));
  SelectBudget budget{SelectLimits()};
  for (const XPathNode& node : std::get<XPathNodes>(*paragraphs)) {
    EXPECT_EQ(shown(*document, *evaluate(*document, *XPath::compile("./b"), node, budget)), "b");
    EXPECT_EQ(shown(*document, *evaluate(*document, *XPath::compile("../@id"), node, budget)),
              "@id=list");
    EXPECT_EQ(shown(*document, *evaluate(*document, *XPath::compile("count(//p)"), node, budget)),
              "2");
  }
}

}  // namespace
}  // namespace heddle::html
