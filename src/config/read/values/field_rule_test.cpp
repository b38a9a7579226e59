#include "config/read/values/field_rule.hpp"

#include <gtest/gtest.h>

namespace heddle::config {
namespace {

FieldRule parsed(std::string_view text) {
  auto rule = parse_field(text);
  if (!rule) ADD_FAILURE() << text << ": " << rule.error().message;
  return rule ? *rule : FieldRule{};
}

FieldRule rule(std::string name, std::string selector, std::string attribute = {}) {
  FieldRule out;
  out.name = std::move(name);
  out.selector = std::move(selector);
  out.attribute = std::move(attribute);
  return out;
}

TEST(FieldRule, SplitsNameAndSelector) {
  EXPECT_EQ(parsed("title:h2 > a"), rule("title", "h2 > a"));
  EXPECT_EQ(parsed(" title : h2 "), rule("title", "h2"));
}

TEST(FieldRule, ReadsTheAttributeAfterTheAtSign) {
  EXPECT_EQ(parsed("link:a@href"), rule("link", "a", "href"));
  EXPECT_EQ(parsed("image:img@data-src"), rule("image", "img", "data-src"));
}

TEST(FieldRule, ReadsTheTextWhenTheAttributeIsCalledText) {
  EXPECT_EQ(parsed("title:.name@text"), rule("title", ".name"));
  EXPECT_EQ(attribute_named("text"), "");
  EXPECT_EQ(attribute_named("data-text"), "data-text");
}

TEST(FieldRule, MeansTheContainerWhenTheSelectorIsEmpty) {
  EXPECT_EQ(parsed("all:"), rule("all", ""));
  EXPECT_EQ(parsed("id:@data-id"), rule("id", "", "data-id"));
}

TEST(FieldRule, KeepsColonsInTheSelector) {
  EXPECT_EQ(parsed("first:li:first-child"), rule("first", "li:first-child"));
  EXPECT_EQ(parsed("link:a:not(.x):nth-child(2)@href"),
            rule("link", "a:not(.x):nth-child(2)", "href"));
}

TEST(FieldRule, KeepsAtSignsInsideTheSelector) {
  EXPECT_EQ(parsed(R"(mail:a[href*="@"])"), rule("mail", R"(a[href*="@"])"));
  EXPECT_EQ(parsed(R"(mail:a[href*="@x"]@href)"), rule("mail", R"(a[href*="@x"])", "href"));
  EXPECT_EQ(parsed(R"(x:.w\@2x)"), rule("x", R"(.w\@2x)"));
  EXPECT_EQ(parsed(R"(x:[title='a]@b'])"), rule("x", R"([title='a]@b'])"));
}

TEST(FieldRule, RefusesAFieldWithoutAName) {
  EXPECT_FALSE(parse_field("h2"));
}

TEST(FieldRule, RefusesAnAtSignWithoutAnAttribute) {
  EXPECT_FALSE(parse_field("link:a@"));
  EXPECT_FALSE(parse_field("link:a@hr ef"));
}

}  // namespace
}  // namespace heddle::config
