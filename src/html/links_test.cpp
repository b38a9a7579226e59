#include "html/links.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::html {
namespace {

const char* const kPage = "https://shop.example/a/page.html";

std::string base_of(std::string_view html) {
  return document_base(*parse(html), *Url::parse(kPage)).text();
}

TEST(DocumentBase, IsThePageWithoutABaseElement) {
  EXPECT_EQ(base_of("<p>x"), kPage);
}

TEST(DocumentBase, IsTheFirstBaseWithAnHref) {
  EXPECT_EQ(base_of("<base target=x><base href='/root/'><base href='/other/'>"),
            "https://shop.example/root/");
  EXPECT_EQ(base_of("<base href='https://cdn.example/x/'>"), "https://cdn.example/x/");
}

TEST(DocumentBase, IsThePageWhenTheBaseIsNoHttpUrl) {
  EXPECT_EQ(base_of("<base href='javascript:alert(1)'>"), kPage);
  EXPECT_EQ(base_of("<base href='data:text/html,x'>"), kPage);
}

TEST(AttributeOrLink, MakesUrlsAbsolute) {
  const auto page = parse("<a href='../b?c#d' title='../t'>");
  const NodeId link = page->first_child(page->body());
  const Url base = *Url::parse(kPage);
  EXPECT_EQ(attribute_or_link(*page, link, "href", base), "https://shop.example/b?c#d");
  EXPECT_EQ(attribute_or_link(*page, link, "title", base), "../t");
  EXPECT_EQ(attribute_or_link(*page, link, "src", base), "");
}

TEST(AttributeOrLink, KeepsOtherSchemesUnchanged) {
  const auto page = parse("<a href=' mailto:a@b.example '>");
  EXPECT_EQ(attribute_or_link(*page, page->first_child(page->body()), "href", *Url::parse(kPage)),
            "mailto:a@b.example");
}

}  // namespace
}  // namespace heddle::html
