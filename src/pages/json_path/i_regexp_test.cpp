#include "pages/json_path/i_regexp.hpp"

#include <gtest/gtest.h>
#include <re2/re2.h>

namespace heddle::pages {
namespace {

TEST(IRegexp, IsTranslatedToTheSyntaxOfRe2) {
  EXPECT_EQ(translate_i_regexp("a.c"), R"(a[^\n\r]c)");
  EXPECT_EQ(translate_i_regexp("(a|b)*c{2,3}"), "(?:a|b)*c{2,3}");
  EXPECT_EQ(translate_i_regexp(R"([\-a-z\p{Lu}_-])"), R"([\-a-z\p{Lu}_\-])");
  EXPECT_EQ(translate_i_regexp(R"(\(\.\n)"), R"(\(\.\n)");
  EXPECT_EQ(translate_i_regexp("[^^ä-ö]"), "[^\\^ä-ö]");
}

TEST(IRegexp, RefusesWhatIsNoIRegexp) {
  for (const char* wrong : {R"(\d)",        R"(\w+)",      "a**",     "a*?", "(",     ")",
                            "a{",           "a{,3}",       "[",       "[]",  "]",     "}",
                            R"(\p{Greek})", R"(\p)",       "[a-]b-]", "*a",  "(?:a)", "(?i)a",
                            R"(\b)",        "[[:alpha:]]", R"(\x41)", "\\",  "[z-a]"})
    EXPECT_EQ(compile_i_regexp(wrong), nullptr) << wrong;
}

TEST(IRegexp, MatchesUnassignedCodePoints) {
  const auto regex = compile_i_regexp(R"(\p{Cn})");
  ASSERT_NE(regex, nullptr);
  EXPECT_TRUE(re2::RE2::FullMatch("\xCD\xB8", *regex));  // U+0378
  EXPECT_FALSE(re2::RE2::FullMatch("a", *regex));
}

TEST(IRegexp, LimitsSizeAndMemory) {
  EXPECT_EQ(compile_i_regexp(std::string(5000, 'a')), nullptr);
  EXPECT_EQ(compile_i_regexp("((((a{100}){100}){100}){100})"), nullptr);
  EXPECT_EQ(compile_i_regexp(std::string(200, '(') + std::string(200, ')')), nullptr);
}

}  // namespace
}  // namespace heddle::pages
