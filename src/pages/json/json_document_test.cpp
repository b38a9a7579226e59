#include "pages/json/json_document.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

std::string printed(std::string text) {
  const auto document = JsonDocument::parse(std::move(text));
  if (!document) return document.error().message;
  std::string out;
  append_json(*document, JsonDocument::root(), out);
  return out;
}

TEST(JsonDocument, KeepsValuesAsWritten) {
  EXPECT_EQ(printed(R"( {"price": 1.10, "big": 12345678901234567890123, "e": 1E+2} )"),
            R"({"price":1.10,"big":12345678901234567890123,"e":1E+2})");
  EXPECT_EQ(printed(R"([null,true,false,"",[],{},[[{"a":[]}]],-0])"),
            R"([null,true,false,"",[],{},[[{"a":[]}]],-0])");
  EXPECT_EQ(printed("\xEF\xBB\xBF\"x\""), "\"x\"");
}

TEST(JsonDocument, ResolvesEscapes) {
  const auto document =
      JsonDocument::parse(R"(["a\"\\\/\b\f\n\r\t\u00e4\uD83D\uDE00", "\ud800x"])");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->text(1), "a\"\\/\b\f\n\r\tä😀");
  EXPECT_EQ(document->text(2), "\uFFFDx");
}

TEST(JsonDocument, TakesTheLastOfSeveralMembersWithTheSameName) {
  EXPECT_EQ(printed(R"({"a":{"x":1},"b":2,"a":3})"), R"({"b":2,"a":3})");
  std::string many = "{";
  for (int i = 0; i < 100; ++i)
    many += "\"k" + std::to_string(i % 50) + "\":" + std::to_string(i) + ",";
  const auto document = JsonDocument::parse(many + "\"z\":0}");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->child_count(0), 51U);
  EXPECT_EQ(document->text(document->member(0, "k7")), "57");
  EXPECT_EQ(document->member(0, "k50"), kNoJson);
}

TEST(JsonDocument, ReportsLineAndColumn) {
  EXPECT_EQ(printed("{\"a\": \"x\\ny\",\n  \"b\" 1}"), "JSON: line 2, column 7: expected \":\"");
  EXPECT_EQ(printed(""), "JSON: line 1, column 1: the text ends before a value");
  EXPECT_EQ(printed("[1,]"), "JSON: line 1, column 4: expected a value");
  EXPECT_EQ(printed("[01]"), "JSON: line 1, column 2: a number must not begin with 0");
  EXPECT_EQ(printed("[1 2]"), "JSON: line 1, column 4: expected \",\" or \"]\"");
  EXPECT_EQ(printed("{\"a\":1,}"),
            "JSON: line 1, column 8: expected the name of a member in double quotes");
  EXPECT_EQ(printed("1 2"), "JSON: line 1, column 3: more text after the value");
  EXPECT_EQ(printed("\"a"), "JSON: line 1, column 3: a string without its closing quote");
  EXPECT_EQ(printed("\"\\x\""), "JSON: line 1, column 3: unknown escape in a string");
  EXPECT_EQ(printed("\"\\u12\""),
            "JSON: line 1, column 6: expected four hexadecimal digits after \"\\u\"");
  EXPECT_EQ(printed("\"a\tb\""),
            "JSON: line 1, column 3: a control character in a string must be escaped");
  for (const char* wrong : {"-", "1.", "1e", "tru", "nul", "+1", ".5", "{", "[", "{\"a\"", "'a'"})
    EXPECT_FALSE(JsonDocument::parse(wrong)) << wrong;
}

TEST(JsonDocument, LimitsDepthAndValues) {
  EXPECT_EQ(printed(std::string(501, '[')), "too_complex: JSON nested more than 500 levels deep");
  EXPECT_EQ(printed(std::string(500, '[') + std::string(500, ']')),
            std::string(500, '[') + std::string(500, ']'));
  const auto many = JsonDocument::parse("[1,2,3]", {.max_values = 3});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().message, "too_complex: more than 3 JSON values");
}

TEST(JsonDocument, ReadsJsonLinesAsOneArray) {
  auto document = JsonDocument::parse_lines("{\"a\":1}\n\n{\"a\":2}\r\n[3]\n");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->child_count(0), 3U);
  EXPECT_EQ(json_value_text(*document, document->element(0, 1)), "{\"a\":2}");
  document = JsonDocument::parse_lines("");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->child_count(0), 0U);
  EXPECT_EQ(JsonDocument::parse_lines("{}\n{\"a\":}").error().message,
            "JSON: line 2, column 6: expected a value");
}

TEST(JsonDocument, GivesTheTextOfAField) {
  const auto document = JsonDocument::parse(R"(["x\"", 1.50, true, null, {"a": [1]}])");
  ASSERT_TRUE(document);
  EXPECT_EQ(json_value_text(*document, document->element(0, 0)), "x\"");
  EXPECT_EQ(json_value_text(*document, document->element(0, 1)), "1.50");
  EXPECT_EQ(json_value_text(*document, document->element(0, 2)), "true");
  EXPECT_EQ(json_value_text(*document, document->element(0, 3)), std::nullopt);
  EXPECT_EQ(json_value_text(*document, document->element(0, 4)), R"({"a":[1]})");
  EXPECT_EQ(document->element(0, 5), kNoJson);
}

}  // namespace
}  // namespace heddle::pages
