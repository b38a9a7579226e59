#include "pages/structured/lenient_json.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

std::string_view text_at(const JsonTree& tree, std::string_view key) {
  const auto found = tree.find(JsonTree::root(), key);
  return found == JsonTree::kNone ? "(none)" : tree.text(found);
}

TEST(LenientJson, ReadsNestedValues) {
  const auto tree = JsonTree::read(R"({"a": [1, {"b": "x"}], "c": true, "d": null})");
  const auto list = tree.find(JsonTree::root(), "a");
  ASSERT_NE(list, JsonTree::kNone);
  const auto first = tree.first_child(list);
  EXPECT_EQ(tree.text(first), "1");
  EXPECT_EQ(tree.text(tree.find(tree.next_sibling(first, list), "b")), "x");
  EXPECT_EQ(text_at(tree, "c"), "true");
  EXPECT_EQ(tree.kind(tree.find(JsonTree::root(), "d")), JsonTree::Kind::null);
}

TEST(LenientJson, ReadsEscapes) {
  const auto tree = JsonTree::read(R"({"a": "\u00e9\ud83d\ude00\"\/", "b": "\ud83d x \u12"})");
  EXPECT_EQ(text_at(tree, "a"), "é😀\"/");
  EXPECT_EQ(text_at(tree, "b"), "\uFFFD x \uFFFD");
}

TEST(LenientJson, ToleratesWhatPagesGetWrong) {
  EXPECT_EQ(text_at(JsonTree::read("<!--\n//<![CDATA[\n{\"a\":\"1\",}\n//]]>"), "a"), "1");
  EXPECT_EQ(text_at(JsonTree::read("{/* c */\"a\":\"two\nlines\"};"), "a"), "two\nlines");
  EXPECT_EQ(text_at(JsonTree::read("{'a': 'single', b: 2}"), "b"), "2");
  EXPECT_EQ(text_at(JsonTree::read("{\"a\": \"cut\", \"b\": [1, 2"), "a"), "cut");
  EXPECT_EQ(text_at(JsonTree::read("{\"a\":\"kept\", \"b\" \"lost\"}"), "a"), "kept");
}

TEST(LenientJson, IsEmptyWithoutAValue) {
  EXPECT_TRUE(JsonTree::read("").empty());
  EXPECT_TRUE(JsonTree::read("no json").empty());
}

TEST(LenientJson, StopsAtItsLimits) {
  const auto deep = JsonTree::read(std::string(100'000, '['));
  EXPECT_LE(deep.size(), std::size_t{JsonTree::kMaxDepth} + 2);
  std::string wide = "[";
  for (int i = 0; i < 300'000; ++i) wide += "1,";
  EXPECT_LE(JsonTree::read(wide).size(), JsonTree::kMaxNodes);
}

}  // namespace
}  // namespace heddle::pages
