#include "pages/json_path/json_path.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "model/json.hpp"

namespace heddle::pages {
namespace {

std::string json_of(const JsonDocument& document, JsonId id) {
  std::string out;
  append_json(document, id, out);
  return out;
}

// The results, separated by spaces, or the error.
std::string selected(std::string_view query, std::string text) {
  const auto path = JsonPath::compile(query);
  if (!path) return path.error().message;
  const auto document = JsonDocument::parse(std::move(text));
  if (!document) return document.error().message;
  const auto found = evaluate(*path, *document);
  if (!found) return found.error().message;
  std::string out;
  for (const JsonId id : *found) out += (out.empty() ? "" : " ") + json_of(*document, id);
  return out;
}

std::string compile_error(std::string_view query) {
  const auto path = JsonPath::compile(query);
  return path ? "compiles" : path.error().message;
}

const std::string kShop = R"({"items": [
  {"id": 1, "name": "Lamp", "price": 12.50, "tags": ["a", "b"]},
  {"id": 2, "name": "Desk", "price": 99, "tags": []},
  {"id": 3, "name": "Größe", "sale": true}], "max": 50})";

TEST(JsonPath, SelectsByNameIndexSliceAndFilter) {
  EXPECT_EQ(selected("$.items[*].name", kShop), R"("Lamp" "Desk" "Größe")");
  EXPECT_EQ(selected("$['items'][-1].id", kShop), "3");
  EXPECT_EQ(selected("$.items[::-2].id", kShop), "3 1");
  EXPECT_EQ(selected("$..id", kShop), "1 2 3");
  EXPECT_EQ(selected("$.items[?@.price < $.max].name", kShop), "\"Lamp\"");
  EXPECT_EQ(selected("$.items[?@.sale || count(@.tags[*]) == 2].id", kShop), "1 3");
  EXPECT_EQ(selected("$.items[?length(@.name) == 5].id", kShop), "3");
  EXPECT_EQ(selected("$.items[?match(@.name, '[DL].*')].id", kShop), "1 2");
  EXPECT_EQ(selected("$.items[?search(@.name, 'es|ö')].id", kShop), "2 3");
  EXPECT_EQ(selected("$.items[0, 0]['id']", kShop), "1 1");
}

TEST(JsonPath, ReportsThePositionOfAnError) {
  EXPECT_EQ(compile_error("items"), "JSONPath: position 1: a query begins with \"$\"");
  EXPECT_EQ(compile_error("$.items["),
            "JSONPath: position 9: expected a name in quotes, a "
            "number, a slice, \"*\" or \"?\"");
  EXPECT_EQ(compile_error("$.a b"), "JSONPath: position 4: expected \".\", \"..\" or \"[\"");
  EXPECT_EQ(compile_error("$['a"), "JSONPath: position 3: the closing quote is missing");
  EXPECT_EQ(compile_error("$[?@.a == @.b[*]]"),
            "JSONPath: position 11: a query that can select several values is not a single value");
  EXPECT_EQ(compile_error("$[?length(@.a)]"),
            "JSONPath: position 4: the result of length() must be compared");
  EXPECT_EQ(compile_error("$[?match(@.a, 'x') == true]"),
            "JSONPath: position 4: the result of match() is not a single value");
  EXPECT_EQ(compile_error("$[?count(1) > 2]"), "JSONPath: position 10: count() takes a query");
  EXPECT_EQ(compile_error("$[?match(@.a)]"), "JSONPath: position 4: match() takes 2 arguments");
  EXPECT_EQ(compile_error("$[?lenght(@.a) > 1]"),
            "JSONPath: position 4: there is no function lenght(): there are length, count, match, "
            "search and value");
  EXPECT_EQ(compile_error("$[9007199254740992]"), "JSONPath: position 3: the number is too large");
  EXPECT_EQ(compile_error("$.\xFF"), "JSONPath: position 1: the text is not UTF-8");
}

TEST(JsonPath, LimitsNesting) {
  std::string deep = "$";
  for (int i = 0; i < 100; ++i) deep += "[?@";
  EXPECT_NE(compile_error(deep).find("nested more than 60 levels deep"), std::string::npos);
  EXPECT_NE(compile_error("$[?" + std::string(100, '(')).find("nested more than"),
            std::string::npos);
  EXPECT_NE(compile_error("$" + std::string(10'000, '.')).find("longer than"), std::string::npos);
}

TEST(JsonPath, LimitsStepsAndResults) {
  std::string text = "[";
  for (int i = 0; i < 2000; ++i) text += "[0,1],";
  const auto document = JsonDocument::parse(text + "0]");
  ASSERT_TRUE(document);
  const auto quadratic = JsonPath::compile("$[?$..[?@ == 7]]");
  auto found = evaluate(*quadratic, *document, {.max_steps = 100'000, .steps_left = 100'000});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "JSONPath $[?$..[?@ == 7]]: more than 100000 steps on this page");
  found = evaluate(*JsonPath::compile("$..*"), *document, {.max_results = 100});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "JSONPath $..*: more than 100 results");
}

TEST(JsonPath, GivesNormalizedPaths) {
  const auto document = JsonDocument::parse(R"({"a'b\\": [0, {"\u000b\n": [1]}], "x": 1})");
  ASSERT_TRUE(document);
  const auto found = evaluate(*JsonPath::compile("$..[0]"), *document);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(normalized_path(*document, (*found)[1]), R"($['a\'b\\'][1]['\u000b\n'][0])");
  EXPECT_EQ(normalized_path(*document, 0), "$");
}

// A path that names a value of any document selects exactly this value.
TEST(JsonPath, FindsEveryValueByItsNormalizedPath) {
  const auto document = JsonDocument::parse(kShop);
  ASSERT_TRUE(document);
  for (JsonId id = 0; id < document->size(); ++id) {
    const std::string path = normalized_path(*document, id);
    const auto compiled = JsonPath::compile(path);
    ASSERT_TRUE(compiled) << path;
    EXPECT_EQ(*evaluate(*compiled, *document), std::vector<JsonId>{id}) << path;
  }
}

TEST(JsonPath, SkipsMembersThatALaterOneReplaces) {
  EXPECT_EQ(selected("$..x", R"({"a": {"x": 1}, "a": {"x": 2}})"), "2");
  EXPECT_EQ(selected("$.*", R"({"a": 1, "a": 2})"), "2");
}

TEST(JsonPath, ReadsPatternsOfTheDocument) {
  EXPECT_EQ(selected("$.list[?match(@, $.pattern)]", R"({"list": ["ab", "b"], "pattern": "a."})"),
            "\"ab\"");
  EXPECT_EQ(selected("$.list[?match(@, $.pattern)]", R"({"list": ["ab", "b"], "pattern": "a("})"),
            "");
}

class ComplianceSuite : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(HEDDLE_SHARED_DATA "/jsonpath/cts.json", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (text.empty()) GTEST_SKIP() << "no cases in " HEDDLE_SHARED_DATA "/jsonpath/cts.json";
    auto suite = JsonDocument::parse(std::move(text));
    ASSERT_TRUE(suite) << suite.error().message;
    suite_ = *std::move(suite);
  }

  std::string text_of(JsonId test, std::string_view name) {
    const JsonId member = suite_.member(test, name);
    return member == kNoJson ? "" : *json_value_text(suite_, member);
  }

  // Whether `found` is the expected result, or one of several allowed ones.
  bool is_expected(JsonId test, std::string_view one, std::string_view several,
                   const std::string& found) {
    if (suite_.member(test, one) != kNoJson) return text_of(test, one) == found;
    const JsonId list = suite_.member(test, several);
    if (list == kNoJson) return true;
    for (JsonId each = suite_.first_child(list); each != kNoJson; each = suite_.next(each))
      if (json_of(suite_, each) == found) return true;
    return false;
  }

  void run(JsonId test) {
    const std::string query = text_of(test, "selector");
    const auto path = JsonPath::compile(query);
    if (suite_.member(test, "invalid_selector") != kNoJson) {
      EXPECT_FALSE(path) << text_of(test, "name") << ": " << query;
      return;
    }
    ASSERT_TRUE(path) << text_of(test, "name") << ": " << path.error().message;
    const JsonId argument = suite_.member(test, "document");
    std::vector<JsonId> found;
    JsonPathBudget budget;
    ASSERT_TRUE(evaluate(*path, suite_, argument, found, budget));
    std::string values;
    std::string paths;
    const std::string above = normalized_path(suite_, argument);
    for (const JsonId id : found) {
      values += (values.empty() ? "" : ",") + json_of(suite_, id);
      const std::string below = normalized_path(suite_, id).substr(above.size());
      if (!paths.empty()) paths += ',';
      append_json_string(paths, "$" + below);
    }
    EXPECT_TRUE(is_expected(test, "result", "results", "[" + values + "]"))
        << text_of(test, "name") << ": " << query << " gives " << values;
    EXPECT_TRUE(is_expected(test, "result_paths", "results_paths", "[" + paths + "]"))
        << text_of(test, "name") << ": " << query << " gives " << paths;
  }

  JsonDocument suite_;
};

TEST_F(ComplianceSuite, PassesEveryPublicCase) {
  const JsonId tests = suite_.member(JsonDocument::root(), "tests");
  ASSERT_NE(tests, kNoJson);
  EXPECT_GE(suite_.child_count(tests), 700U);
  for (JsonId test = suite_.first_child(tests); test != kNoJson; test = suite_.next(test))
    run(test);
}

}  // namespace
}  // namespace heddle::pages
