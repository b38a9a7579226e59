#include "pages/structured/structured_data.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::pages {
namespace {

struct Collected {
  explicit Collected(std::string_view page)
      : document(*html::parse(page)), data(StructuredData::collect(document)) {}

  const StructuredEntity& first(std::string_view type) const {
    for (const StructuredEntity& entity : data.entities())
      if (entity.has_type(type)) return entity;
    throw std::runtime_error("no entity of this type");
  }

  html::Document document;
  StructuredData data;
};

TEST(StructuredData, ReadsJsonLdWithGraphArraysAndNestedEntities) {
  const Collected page(R"(<script type="application/ld+json">
    {"@context": "https://schema.org", "@graph": [
      {"@type": ["Product", "schema:Thing"], "name": "Lamp &amp; shade", "offers": [
        {"@type": "http://schema.org/Offer", "price": 12.5}, {"@type": "Offer", "price": "13"}]},
      {"@type": "Organization", "name": {"@language": "en", "@value": "Acme"}}]}</script>)");
  const StructuredEntity& product = page.first("Product");
  EXPECT_EQ(product.text("name"), "Lamp & shade");
  EXPECT_TRUE(product.has_type("Thing"));
  const auto offers = page.data.linked(product, "offers");
  ASSERT_EQ(offers.size(), 2U);
  EXPECT_TRUE(offers[0]->has_type("Offer"));
  EXPECT_EQ(offers[0]->text("price"), "12.5");
  EXPECT_EQ(offers[1]->parent_property, "offers");
  EXPECT_EQ(page.first("Organization").text("name"), "Acme");
}

TEST(StructuredData, ResolvesReferencesById) {
  const Collected page(R"(<script type="application/ld+json">
    [{"@type": "Product", "offers": {"@id": "#o"}}, {"@id": "#o", "@type": "Offer", "price": "7"}]</script>)");
  const auto offers = page.data.linked(page.first("Product"), "offers");
  ASSERT_EQ(offers.size(), 1U);
  EXPECT_EQ(offers[0]->text("price"), "7");
}

TEST(StructuredData, KeepsWhatPrecedesAMistakeInJson) {
  const Collected page(
      R"(<script type="application/ld+json">{"@type":"Product","name":"Lamp","sku":"1" "mpn":"2"}</script>
    <script type="application/ld+json">{"@type":"Event"}</script>)");
  EXPECT_EQ(page.first("Product").text("name"), "Lamp");
  EXPECT_NO_THROW(page.first("Event"));
}

TEST(StructuredData, ReadsMicrodata) {
  const Collected page(
      R"(<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Lamp</h1>
    <img itemprop="image" src="/l.jpg"><div itemprop="offers" itemscope itemtype="http://schema.org/Offer">
    <meta itemprop="price" content="9.90"><link itemprop="availability" href="http://schema.org/InStock"></div>
    <a itemprop="url" href="/lamp">see</a></div><p itemprop="name">outside</p>)");
  const StructuredEntity& product = page.first("Product");
  EXPECT_EQ(product.syntax, StructuredEntity::Syntax::microdata);
  EXPECT_EQ(product.text("name"), "Lamp");
  EXPECT_EQ(product.text("image"), "/l.jpg");
  EXPECT_EQ(product.text("url"), "/lamp");
  EXPECT_EQ(page.first("Offer").text("price"), "9.90");
  EXPECT_EQ(page.first("Offer").text("availability"), "http://schema.org/InStock");
}

TEST(StructuredData, ReadsRdfa) {
  const Collected page(
      R"(<div vocab="https://schema.org/" typeof="Product"><span property="name">Lamp</span>
    <div property="offers" typeof="Offer"><span property="price" content="5">five</span></div></div>)");
  EXPECT_EQ(page.first("Product").text("name"), "Lamp");
  EXPECT_EQ(page.first("Offer").text("price"), "5");
  EXPECT_EQ(page.first("Offer").syntax, StructuredEntity::Syntax::rdfa);
}

TEST(StructuredData, ReadsMetaTags) {
  const Collected page(
      R"(<meta property="og:type" content="product"><meta name="Author" content=" A ">)");
  EXPECT_EQ(page.data.meta("og:type"), "product");
  EXPECT_EQ(page.data.meta("author"), "A");
  EXPECT_EQ(page.data.meta("og:title"), "");
}

TEST(StructuredData, IsLimited) {
  std::string page = R"(<script type="application/ld+json">[)";
  for (int i = 0; i < 30'000; ++i) page += R"({"@type":"A"},)";
  const Collected many(page + "]</script>");
  EXPECT_EQ(many.data.entities().size(), StructuredData::kMaxEntities);
}

}  // namespace
}  // namespace heddle::pages
