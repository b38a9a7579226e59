#include "html/document.hpp"

#include <gtest/gtest.h>

#include "html/document_builder.hpp"
#include "html/parse.hpp"

namespace heddle::html {
namespace {

TEST(Document, ContainsOnlyTheDocumentNodeWhenEmpty) {
  const Document page;
  EXPECT_EQ(page.size(), 1U);
  EXPECT_EQ(page.root_element(), kNoNode);
  EXPECT_EQ(page.body(), kNoNode);
  EXPECT_EQ(page.text(Document::root()), "");
}

TEST(Document, KeepsDescendantsBetweenANodeAndItsEnd) {
  const auto page = parse("<ul><li>a<b>b</b></li><li>c</li></ul><p>d");
  const NodeId list = page->first_child(page->body());
  const NodeId paragraph = page->next(list);
  EXPECT_EQ(page->subtree_end(list), paragraph);
  EXPECT_EQ(page->text(list), "abc");
  EXPECT_EQ(page->previous(paragraph), list);
  EXPECT_EQ(page->last_child(page->body()), paragraph);
  EXPECT_EQ(page->next(paragraph), kNoNode);
  EXPECT_EQ(page->subtree_end(Document::root()), page->size());
}

TEST(Document, WalksBetweenElementsOverTextAndComments) {
  const auto page = parse("<body>a<i></i>b<!-- c --><b></b>d");
  const NodeId first = page->first_child_element(page->body());
  const NodeId second = page->next_element(first);
  EXPECT_EQ(page->tag(second), known("b"));
  EXPECT_EQ(page->previous_element(second), first);
  EXPECT_EQ(page->previous_element(first), kNoNode);
  EXPECT_EQ(page->next_element(second), kNoNode);
}

TEST(Document, FindsAttributesByNameAndId) {
  const auto page = parse("<p class='a b' data-x=1 my-own=2>");
  const NodeId node = page->first_child(page->body());
  EXPECT_EQ(page->attribute(node, known("class")), "a b");
  EXPECT_EQ(page->attribute(node, "data-x"), "1");
  EXPECT_EQ(page->attribute(node, "my-own"), "2");
  EXPECT_EQ(page->attribute(node, "id"), std::nullopt);
  EXPECT_EQ(page->attribute(node, "never-seen"), std::nullopt);
  EXPECT_EQ(page->id(node), "");
  EXPECT_FALSE(page->has_attribute(node, known("href")));
}

TEST(Document, KeepsCommentsOutOfTheText) {
  const auto page = parse("<p>a<!-- secret -->b");
  const NodeId paragraph = page->first_child(page->body());
  EXPECT_EQ(page->text(paragraph), "ab");
  EXPECT_EQ(page->comment(page->next(page->first_child(paragraph))), " secret ");
}

TEST(Document, StoresTheDoctype) {
  const auto page = parse("<!DOCTYPE html PUBLIC 'one' 'two'>");
  const NodeId doctype = page->first_child(Document::root());
  ASSERT_EQ(page->kind(doctype), NodeKind::doctype);
  const auto parts = page->attributes(doctype);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(page->name(parts[0].name), "html");
  EXPECT_EQ(page->value(parts[1]), "one");
  EXPECT_EQ(page->value(parts[2]), "two");
}

TEST(Document, KeepsSvgNamesAndPrefixedAttributes) {
  const auto page = parse(
      "<svg viewbox='0 0 1 1'><foreignobject></foreignobject>"
      "<use xlink:href='#x'/></svg><foreignobject>");
  const NodeId svg = page->first_child(page->body());
  EXPECT_EQ(page->space(svg), Namespace::svg);
  EXPECT_EQ(page->attribute(svg, "viewBox"), "0 0 1 1");
  const NodeId object = page->first_child(svg);
  EXPECT_EQ(page->tag_name(object), "foreignObject");
  EXPECT_EQ(page->attribute(page->next(object), "xlink:href"), "#x");
  EXPECT_EQ(page->tag_name(page->next(svg)), "foreignobject");
}

TEST(DocumentBuilder, InternsManyNamesAndFindsThemAgain) {
  DocumentBuilder builder({});
  std::vector<NameId> ids;
  for (int i = 0; i < 1000; ++i) ids.push_back(builder.intern("name-" + std::to_string(i)));
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(builder.intern("name-" + std::to_string(i)), ids[static_cast<std::size_t>(i)]);
  builder.open(ids[7], Namespace::html);
  const Document page = std::move(builder).finish();
  EXPECT_EQ(page.tag_name(page.root_element()), "name-7");
  EXPECT_EQ(page.find_name("name-999"), ids[999]);
  EXPECT_EQ(page.find_name("name-1000"), kNoName);
}

TEST(DocumentBuilder, JoinsNeighbouringText) {
  DocumentBuilder builder({});
  builder.open(known("p"), Namespace::html);
  builder.add_text("a");
  builder.add_text("");
  builder.add_text("b");
  const Document page = std::move(builder).finish();
  EXPECT_EQ(page.size(), 3U);
  EXPECT_EQ(page.text(2), "ab");
}

TEST(KnownNames, AreAllFound) {
  for (NameId id = 1; id < kKnownNames.size(); ++id)
    EXPECT_EQ(find_known_name(kKnownNames[id]), id) << kKnownNames[id];
  EXPECT_EQ(find_known_name("no-such-name"), kNoName);
  EXPECT_EQ(find_known_name(""), kNoName);
}

}  // namespace
}  // namespace heddle::html
