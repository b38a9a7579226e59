// XPath on the trees of XML: case, namespaces, instructions.
#include <gtest/gtest.h>

#include "html/xpath/xpath.hpp"
#include "pages/xml/xml.hpp"

namespace heddle::pages {
namespace {

constexpr std::string_view kAtom = R"(<?xml version="1.0"?><?style x y?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://search.yahoo.com/mrss/" xml:lang="fr">
<title>News</title><entry xml:id="e1"><title>One</title><m:Thumb url="/1.png" m:kind="k"/></entry>
<x:entry xmlns:x="urn:x"><title xmlns="">Two</title></x:entry></feed>)";

std::string evaluated(std::string_view expression, const html::XPathPrefixes& prefixes = {}) {
  const auto xpath = html::XPath::compile(expression, prefixes);
  if (!xpath) return xpath.error().message;
  const auto document = parse_xml(kAtom);
  const auto value = html::evaluate(*document, *xpath);
  return value ? html::to_text(*document, *value) : value.error().message;
}

TEST(XPathOnXml, DistinguishesCase) {
  EXPECT_EQ(evaluated("count(//entry)"), "1");
  EXPECT_EQ(evaluated("count(//Entry)"), "0");
  EXPECT_EQ(evaluated("count(//m:Thumb)"), "1");
  EXPECT_EQ(evaluated("count(//m:thumb)"), "0");
}

TEST(XPathOnXml, FindsNamesByTheirNamespace) {
  const html::XPathPrefixes prefixes{
      {"a", "http://www.w3.org/2005/Atom"}, {"media", "http://search.yahoo.com/mrss/"}, {"x", "u"}};
  EXPECT_EQ(evaluated("/a:feed/a:entry/a:title", prefixes), "One");
  EXPECT_EQ(evaluated("//media:Thumb/@url", prefixes), "/1.png");
  EXPECT_EQ(evaluated("//media:Thumb/@media:kind", prefixes), "k");
  EXPECT_EQ(evaluated("count(//media:*)", prefixes), "1");
  EXPECT_EQ(evaluated("count(//x:entry)", prefixes), "0");
}

// Without a declaration a prefix stands for itself, no prefix for any default namespace.
TEST(XPathOnXml, TakesOtherNamesAsWritten) {
  EXPECT_EQ(evaluated("count(//title)"), "3");
  EXPECT_EQ(evaluated("//x:entry/title"), "Two");
  EXPECT_EQ(evaluated("count(//m:*)"), "1");
  EXPECT_EQ(evaluated("//@m:kind"), "k");
  EXPECT_EQ(evaluated("count(//@*)"), "4");
}

TEST(XPathOnXml, KnowsNamespacesLanguagesIdsAndInstructions) {
  EXPECT_EQ(evaluated("name(//*[local-name() = 'Thumb'])"), "m:Thumb");
  EXPECT_EQ(evaluated("namespace-uri(//*[name() = 'x:entry'])"), "urn:x");
  EXPECT_EQ(evaluated("namespace-uri(//@m:kind)"), "http://search.yahoo.com/mrss/");
  EXPECT_EQ(evaluated("count(//m:Thumb/namespace::*)"), "3");
  EXPECT_EQ(evaluated("string(//m:Thumb/namespace::m)"), "http://search.yahoo.com/mrss/");
  EXPECT_EQ(evaluated("string(//entry/@xml:id)"), "e1");
  EXPECT_EQ(evaluated("id('e1')/title"), "One");
  EXPECT_EQ(evaluated("count(//title[lang('FR')])"), "3");
  EXPECT_EQ(evaluated("string(/processing-instruction('style'))"), "x y");
  EXPECT_EQ(evaluated("count(/processing-instruction('other'))"), "0");
  EXPECT_EQ(evaluated("name(/processing-instruction())"), "style");
}

}  // namespace
}  // namespace heddle::pages
