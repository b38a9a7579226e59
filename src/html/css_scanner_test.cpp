#include "html/css_scanner.hpp"

#include <gtest/gtest.h>

namespace heddle::html {
namespace {

std::string name_of(std::string_view css) {
  return CssScanner(css).name().value_or("none");
}
std::string quoted_of(std::string_view css) {
  return CssScanner(css).quoted().value_or("none");
}

TEST(CssScanner, ReadsNames) {
  EXPECT_EQ(name_of("abc.d"), "abc");
  EXPECT_EQ(name_of("-a_9é>"), "-a_9é");
  EXPECT_EQ(name_of("--x"), "--x");
  EXPECT_EQ(name_of("9a"), "none");
  EXPECT_EQ(name_of("-9"), "none");
  EXPECT_EQ(name_of(""), "none");
}

TEST(CssScanner, ReadsEscapes) {
  EXPECT_EQ(name_of("a\\.b"), "a.b");
  EXPECT_EQ(name_of("\\41 b"), "Ab");
  EXPECT_EQ(name_of("\\000041b"), "Ab");
  EXPECT_EQ(name_of("\\0 "), "\xEF\xBF\xBD");
  EXPECT_EQ(name_of("\\d800 "), "\xEF\xBF\xBD");
  EXPECT_EQ(name_of("\\ffffff "), "\xEF\xBF\xBD");
  EXPECT_EQ(name_of("a\\"), "a");
}

TEST(CssScanner, ReadsQuotedTexts) {
  EXPECT_EQ(quoted_of("'a\"b'"), "a\"b");
  EXPECT_EQ(quoted_of("\"a\\\"b\""), "a\"b");
  EXPECT_EQ(quoted_of("'a\\\nb'"), "ab");
  EXPECT_EQ(quoted_of("'a"), "none");
  EXPECT_EQ(quoted_of("'a\nb'"), "none");
  EXPECT_EQ(quoted_of("a"), "none");
}

TEST(CssScanner, SkipsSpaceAndComments) {
  CssScanner scanner(" /* a */\t/**/b /* open");
  EXPECT_TRUE(scanner.skip_space());
  EXPECT_EQ(scanner.name(), "b");
  EXPECT_TRUE(scanner.skip_space());
  EXPECT_TRUE(scanner.at_end());
  EXPECT_FALSE(scanner.skip_space());
}

}  // namespace
}  // namespace heddle::html
