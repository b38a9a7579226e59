#include "model/notify/template.hpp"

#include <map>

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace heddle {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

std::string render(std::string_view text, const Values& values, Template::Shape shape = {}) {
  const auto lookup = [&](std::string_view tag) -> std::optional<std::string_view> {
    const auto found = values.find(tag);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
  return Template::parse(text).render(lookup, shape);
}

TEST(Template, ReplacesTagsByTheirValues) {
  EXPECT_EQ(render("{a}: {b} and {a}!", {{"a", "1"}, {"b", ""}}), "1:  and 1!");
}

TEST(Template, AcceptsTagNamesInAnyScript) {
  EXPECT_EQ(
      render("{größe} {価格} {list price}", {{"größe", "L"}, {"価格", "9"}, {"list price", "7"}}),
      "L 9 7");
}

TEST(Template, LeavesUnknownTagsAsWritten) {
  EXPECT_EQ(render("{a} {nope} {A}", {{"a", "1"}}), "1 {nope} {A}");
}

TEST(Template, LeavesOtherBracesAsWritten) {
  EXPECT_EQ(render("{} {{a}} }{ {a {a} {", {{"a", "1"}}), "{} {1} }{ {a 1 {");
  EXPECT_EQ(render("{a\n}", {{"a\n", "1"}}), "{a\n}");
  const std::string name(65, 'n');
  EXPECT_EQ(render("{" + name + "}", {{name, "1"}}), "{" + name + "}");
}

TEST(Template, NeverExpandsTagsInsideValues) {
  EXPECT_EQ(render("{a}{b}", {{"a", "{b}"}, {"b", "{a}"}}), "{b}{a}");
}

TEST(Template, CutsValuesAndKeepsItsOwnText) {
  EXPECT_EQ(render("<{a}|{b}>", {{"a", "12345"}, {"b", "abcdef"}}, {TextFormat::plain, 11}),
            "<12345|…>");
  EXPECT_EQ(render("<{a}>", {{"a", "123456789"}}, {TextFormat::plain, 8}), "<123…>");
}

TEST(Template, LeavesAValueWholeThatJustFits) {
  EXPECT_EQ(render("<{a}>", {{"a", "123456"}}, {TextFormat::plain, 8}), "<123456>");
}

TEST(Template, NeverCutsThroughACharacter) {
  for (std::size_t max = 0; max < 30; ++max) {
    const std::string out = render("é{a}ü", {{"a", "日本語😀"}}, {TextFormat::plain, max});
    EXPECT_TRUE(is_valid_utf8(out)) << max;
    EXPECT_LE(out.size(), max);
  }
}

TEST(Template, NeverCutsThroughAnEscapeSequence) {
  for (std::size_t max = 2; max < 20; ++max) {
    const std::string out = render("\"{a}\"", {{"a", "\x01\"<"}}, {TextFormat::json, max});
    EXPECT_TRUE(out == "\"\"" || out == "\"…\"" || out == "\"\\u0001…\"" ||
                out == "\"\\u0001\\\"<\"" || out == "\"\\u0001\\\"…\"")
        << out;
  }
}

TEST(EscapeText, DropsControlCharactersFromPlainText) {
  EXPECT_EQ(escape_text("a\x1b[31mb\x07\x7f\u0085c\td\ne", TextFormat::plain), "a[31mbc\td\ne");
}

TEST(EscapeText, PutsEverythingOnOneLine) {
  EXPECT_EQ(escape_text("\na\r\n\tb \nc", TextFormat::single_line), "a b c");
}

TEST(EscapeText, EscapesMarkup) {
  EXPECT_EQ(escape_text(R"(<a href="x">'&'</a>)", TextFormat::html),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(EscapeText, EscapesTheInsideOfJsonStrings) {
  EXPECT_EQ(escape_text("\"\\\n\x01é", TextFormat::json), R"(\"\\\n\u0001é)");
}

TEST(EscapeText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(escape_text("a\xFFz", TextFormat::plain), "a\uFFFDz");
}

}  // namespace
}  // namespace heddle
