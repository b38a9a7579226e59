#include "model/json.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::string json_of(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonWriter, NestsObjectsAndArraysWithCommas) {
  JsonWriter json;
  json.begin_object().key("a").begin_array().value(1).value(2).begin_object().end_object();
  json.end_array().field("b", "x").key("c").begin_array().end_array().field("d", true);
  json.key("e").null().end_object();

  EXPECT_EQ(json.take(), R"({"a":[1,2,{}],"b":"x","c":[],"d":true,"e":null})");
}

TEST(JsonWriter, WritesEveryIntegerExactly) {
  JsonWriter json;
  json.begin_array();
  json.value(std::numeric_limits<std::int64_t>::min());
  json.value(std::numeric_limits<std::int64_t>::max());
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.value(0).value(-7).value(std::uint8_t{200}).end_array();

  EXPECT_EQ(json.take(),
            "[-9223372036854775808,9223372036854775807,18446744073709551615,0,-7,200]");
}

TEST(JsonWriter, WritesLiteralsAsTextAndNotAsBooleans) {
  JsonWriter json;
  json.begin_array().value("no").value(std::string("s")).value(std::string_view("v")).value(false);

  EXPECT_EQ(json.end_array().text(), R"(["no","s","v",false])");
}

TEST(JsonWriter, WritesTimesAndDurations) {
  using namespace std::chrono_literals;
  JsonWriter json;
  json.begin_object().field("at", *parse_iso8601("2026-11-15T12:00:00.25Z"));
  json.field("ms", 1250ms).field("exact_ms", 20500us).key("share").decimal(2.0 / 3).end_object();

  EXPECT_EQ(json.text(), R"({"at":"2026-11-15T12:00:00.250Z","ms":1250,)"
                         R"("exact_ms":20.500,"share":0.667})");
}

TEST(JsonWriter, WritesNullForAMissingValue) {
  JsonWriter json;
  json.begin_array().value(std::optional<int>()).value(std::optional<int>(3));
  json.value(std::optional<WallTime>()).value(std::optional<std::string>("x")).end_array();

  EXPECT_EQ(json.text(), R"([null,3,null,"x"])");
}

TEST(JsonWriter, WritesListsAsArrays) {
  JsonWriter json;
  json.begin_object().field("names", std::vector<std::string>{"a", "b"});
  json.field("numbers", std::vector<int>{}).key("pairs");
  json.array(std::vector<int>{1, 2}, [](JsonWriter& each, int number) {
    each.begin_object().field("n", number).end_object();
  });
  json.end_object();

  EXPECT_EQ(json.text(), R"({"names":["a","b"],"numbers":[],"pairs":[{"n":1},{"n":2}]})");
}

TEST(JsonWriter, StartsOverAfterTake) {
  JsonWriter json;
  json.begin_array().value(1).end_array();
  EXPECT_EQ(json.take(), "[1]");

  json.begin_object().end_object();
  EXPECT_EQ(json.take(), "{}");
}

TEST(JsonWriter, EmbedsRawJson) {
  JsonWriter json;
  json.begin_object().key("values").raw(R"({"n":1.50})").field("after", 1).end_object();

  EXPECT_EQ(json.take(), R"({"values":{"n":1.50},"after":1})");
}

TEST(JsonString, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(json_of("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(json_of("\n\r\t\b\f"), R"("\n\r\t\u0008\u000c")");
  EXPECT_EQ(json_of(std::string_view("\0\x1f", 2)), R"("\u0000\u001f")");
}

TEST(JsonString, FindsASpecialByteAtEveryPositionOfALongText) {
  const std::vector<std::pair<char, std::string>> specials{
      {'"', "\\\""}, {'\\', "\\\\"}, {'\x01', "\\u0001"}, {'\x1f', "\\u001f"}, {'\xff', "\uFFFD"}};
  for (const auto& [special, escaped] : specials) {
    for (std::size_t at = 0; at < 24; ++at) {
      const std::string before(at, 'x');
      const std::string after(23 - at, 'y');
      EXPECT_EQ(json_of(before + special + after), "\"" + before + escaped + after + "\"");
    }
  }
}

TEST(JsonString, LeavesOtherCharactersAlone) {
  const std::string text = "~\x7f Größe 價格 😀 \u2028\u2029 !#[]";
  EXPECT_EQ(json_of(text), "\"" + text + "\"");
}

TEST(JsonString, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(json_of("a\xC3"), "\"a\uFFFD\"");
  EXPECT_EQ(json_of("\xED\xA0\x80z"), "\"\uFFFD\uFFFD\uFFFDz\"");  // a surrogate
  EXPECT_EQ(json_of("\xC0\xAF"), "\"\uFFFD\uFFFD\"");              // overlong
}

}  // namespace
}  // namespace heddle
