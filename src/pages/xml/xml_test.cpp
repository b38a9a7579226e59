#include "pages/xml/xml.hpp"

#include <gtest/gtest.h>

#include "html/selector.hpp"
#include "html/serialize.hpp"
#include "html/text.hpp"

namespace heddle::pages {
namespace {

using html::Document;
using html::NodeId;

std::string strict(std::string_view text) {
  const auto document = parse_xml(text);
  return document ? html::outer_html(*document, Document::root()) : document.error().message;
}

std::string repaired(std::string_view text) {
  const auto document = repair_xml(text);
  return document ? html::outer_html(*document, Document::root()) : document.error().message;
}

std::vector<std::string> selected(const Document& document, std::string_view css) {
  std::vector<NodeId> nodes;
  const auto selector = html::Selector::compile(css);
  if (!selector) return {selector.error().message};
  if (!html::select(document, *selector, Document::root(), nodes)) return {"steps"};
  std::vector<std::string> texts;
  for (const NodeId node : nodes) texts.push_back(html::readable_text(document, node));
  return texts;
}

constexpr std::string_view kFeed = R"(<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE rss [<!ENTITY shop "Möbel &amp; Co">]>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:x="http://www.w3.org/1999/xlink">
  <!-- news --><?style none?>
  <channel><title>&shop;</title><link>https://a.example/</link>
    <item><pubDate>today</pubDate><dc:creator x:href="/me" dc:role="r">Eve</dc:creator>
      <description><![CDATA[<b>Bold</b> & more]]></description></item>
    <item><xhtml:p>One<xhtml:br/>two</xhtml:p></item>
  </channel>
</rss>)";

TEST(Xml, HasTextAndNamesAsWritten) {
  const auto document = parse_xml(kFeed);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_TRUE(document->is_xml());
  EXPECT_EQ(selected(*document, "channel > title"), std::vector<std::string>{"Möbel & Co"});
  EXPECT_EQ(selected(*document, "item pubDate"), std::vector<std::string>{"today"});
  EXPECT_EQ(selected(*document, "item pubdate"), std::vector<std::string>{});
  EXPECT_EQ(selected(*document, "link"), std::vector<std::string>{"https://a.example/"});
  EXPECT_EQ(selected(*document, R"(dc\:creator)"), std::vector<std::string>{"Eve"});
  EXPECT_EQ(selected(*document, "description"), std::vector<std::string>{"<b>Bold</b> & more"});
  EXPECT_EQ(selected(*document, "item:nth-of-type(2)"), std::vector<std::string>{"One\ntwo"});
}

TEST(Xml, ResolvesNamespaces) {
  const auto document = parse_xml(
      R"(<a xmlns="urn:one" xmlns:p="urn:two"><p:b/><c xmlns="urn:three" p:d="" e=""/>
      <x:f xmlns:x="urn:two" xmlns:h="http://www.w3.org/1999/xhtml" h:g=""/><q xmlns=""/></a>)");
  ASSERT_TRUE(document) << document.error().message;
  std::vector<std::string> found;
  for (NodeId node = 1; node < document->size(); ++node) {
    if (!document->is_element(node)) continue;
    found.emplace_back(std::string(document->tag_name(node)) + " " +
                       std::string(document->namespace_uri(document->space(node))));
    for (const html::Attribute& each : document->attributes(node))
      if (each.space != html::AttributeSpace::xmlns)
        found.emplace_back("@" + std::string(document->name(each.name)) + " " +
                           std::string(document->namespace_uri(each.space)));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"a urn:one", "p:b urn:two", "c urn:three",
                                             "@p:d urn:two", "@e ", "x:f urn:two",
                                             "@h:g http://www.w3.org/1999/xhtml", "q "}));
}

TEST(Xml, KeepsInstructionsCommentsAndDoctype) {
  EXPECT_EQ(strict("<?xml version='1.0'?>\n<!DOCTYPE r><!--c--><r><?go now?>x</r>"),
            "<!DOCTYPE r><!--c--><r><?go now?>x</r>");
}

TEST(Xml, ReportsLineAndColumn) {
  EXPECT_EQ(strict("<a>\n <b></a>"), "XML: line 2, column 7: mismatched tag");
  EXPECT_EQ(strict(""), "XML: line 1, column 1: no element found");
  EXPECT_EQ(strict("<a>&nbsp;</a>"), "XML: line 1, column 4: undefined entity");
  EXPECT_EQ(strict("\xEF\xBB\xBF \n<?xml version='1.0'?><a/>"), "<a></a>");
}

TEST(Xml, LoadsNothing) {
  EXPECT_EQ(strict(R"(<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><r>x&f;y</r>)"),
            "<!DOCTYPE r><r>xy</r>");
  EXPECT_EQ(strict(R"(<!DOCTYPE r [<!ENTITY % f SYSTEM "file:///etc/passwd"> %f;]><r>x</r>)"),
            "<!DOCTYPE r><r>x</r>");
  // Entities of a DTD that is not loaded are those of HTML.
  EXPECT_EQ(strict(R"(<!DOCTYPE r SYSTEM "http://a.example/x.dtd"><r>a&eacute;b</r>)"),
            "<!DOCTYPE r><r>aéb</r>");
}

TEST(Xml, LimitsWhatEntitiesExpandTo) {
  std::string laughs = "<!DOCTYPE r [<!ENTITY e0 \"" + std::string(100, 'x') + "\">";
  for (int i = 1; i < 12; ++i) {
    laughs += "<!ENTITY e" + std::to_string(i) + " \"";
    for (int k = 0; k < 10; ++k) laughs += "&e" + std::to_string(i - 1) + ";";
    laughs += "\">";
  }
  const std::string message = read_xml(laughs + "]><r>&e11;</r>").error().message;
  EXPECT_EQ(message, "too_complex: entities expand to too much text");

  std::string quadratic =
      "<!DOCTYPE r [<!ATTLIST a b CDATA \"" + std::string(50'000, 'x') + "\">]><r>";
  for (int i = 0; i < 5'000; ++i) quadratic += "<a/>";
  EXPECT_EQ(read_xml(quadratic + "</r>").error().message,
            "too_complex: entities expand to too much text");

  std::string chain = "<!DOCTYPE r [<!ENTITY e0 \"x\">";
  for (int i = 1; i < 100'000; ++i)
    chain += "<!ENTITY e" + std::to_string(i) + " \"&e" + std::to_string(i - 1) + ";\">";
  EXPECT_EQ(read_xml(chain + "]><r>&e99999;</r>").error().message,
            "too_complex: more than 1000 entities");
}

TEST(Xml, LimitsNodesDepthAndNamespaces) {
  std::string deep;
  for (int i = 0; i < 1'001; ++i) deep += "<a>";
  EXPECT_EQ(strict(deep), "too_complex: elements nested more than 1000 levels deep");
  EXPECT_EQ(repaired(deep), "too_complex: elements nested more than 1000 levels deep");
  EXPECT_EQ(parse_xml("<a><b/><b/></a>", {.max_nodes = 2}).error().message,
            "too_complex: more than 2 nodes");
  std::string spaces = "<a>";
  for (int i = 0; i < 300; ++i) spaces += "<b xmlns='urn:" + std::to_string(i) + "'/>";
  EXPECT_EQ(strict(spaces), "too_complex: more than 252 namespaces");
  std::string names = "<a>";
  for (int i = 0; i < 20'001; ++i) names += "<b" + std::to_string(i) + "/>";
  EXPECT_EQ(strict(names), "too_complex: more than 20000 different names");
}

TEST(Xml, RepairsBrokenText) {
  EXPECT_EQ(repaired("<rss><title>A & B &nbsp;&hearts;<item>x<br>y</rss>"),
            "<rss><title>A &amp; B &nbsp;♥<item>x<br>y</br></item></title></rss>");
  EXPECT_EQ(repaired("<a b=c d='&lt;' e>1 < 2</x></a></a>"),
            "<a b=\"c\" d=\"<\" e=\"\">1 &lt; 2</a>");
  EXPECT_EQ(repaired("<a><![CDATA[<x>&amp;]]><!-- c"), "<a>&lt;x&gt;&amp;amp;<!-- c--></a>");
  EXPECT_EQ(repaired("<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a \"b\">]><r\x01>\x02z</r"),
            "<r>z</r>");
  EXPECT_EQ(repaired("<a/><a x/>t"), "<a></a><a x=\"\"></a>");
  EXPECT_EQ(repaired("<"), "");
  EXPECT_EQ(repaired(""), "");
}

TEST(Xml, RepairsOnlyWhatIsBroken) {
  auto page = read_xml("<a>fine</a>");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->problem, "");
  page = read_xml("<a>&nbsp;not</a>");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->problem, "XML: line 1, column 4: undefined entity");
  EXPECT_EQ(html::readable_text(page->document, Document::root()), "not");
}

}  // namespace
}  // namespace heddle::pages
