#include "pages/source/read_items.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";

FieldRule field(std::string name, std::string selector, std::string attribute = {}) {
  FieldRule rule;
  rule.name = std::move(name);
  rule.kind = selector_kind(selector);
  rule.selector = std::move(selector);
  rule.attribute = std::move(attribute);
  return rule;
}

Job job_with(std::string selector, std::vector<FieldRule> fields) {
  Job job;
  job.selector = std::move(selector);
  job.fields = std::move(fields);
  return job;
}

Result<ItemsOfPage> try_read(const Job& job, std::string_view type, std::string_view body) {
  auto rules = SourceRules::compile(job);
  if (!rules) return std::move(rules).error();
  html::Parser parser;
  auto document = read_source(parser, *rules, type, body, {});
  if (!document) return std::move(document).error();
  return read_items(*document, *rules, *Url::parse("http://example.org/list/"));
}

using Rows = std::vector<std::vector<std::string>>;

Rows rows(const Job& job, std::string_view type, std::string_view body) {
  const auto page = try_read(job, type, body);
  if (!page) {
    ADD_FAILURE() << page.error().message;
    return {};
  }
  Rows out;
  for (const Item& item : page->items) {
    auto& row = out.emplace_back();
    for (const Field& each : item.fields) row.push_back(each.second);
  }
  return out;
}

std::string failure(const Job& job, std::string_view type, std::string_view body) {
  const auto page = try_read(job, type, body);
  return page ? "no failure" : page.error().message;
}

TEST(ReadItems, TakesFieldsOfHtmlByCssAndXPathTogether) {
  const Job job = job_with("li", {field("name", "b"), field("link", "./a/@href"),
                                  field("count", "./following-sibling::li[1]/b")});
  EXPECT_EQ(
      rows(job, kHtml, "<ul><li><b>One</b><a href=1>x</a><li><b>Two</b><a href='/2'>y</a></ul>"),
      (Rows{{"One", "http://example.org/list/1", "Two"}, {"Two", "http://example.org/2", ""}}));
}

TEST(ReadItems, TakesContainersByXPath) {
  const Job job = job_with("//li[b]", {field("name", "b"), field("all", "")});
  EXPECT_EQ(rows(job, kHtml, "<ul><li>no<li><b>yes</b> it is</ul>"), (Rows{{"yes", "yes it is"}}));
}

TEST(ReadItems, TakesTheValueOfAnXPathExpressionThatGivesNoElements) {
  const Job job = job_with("//ul", {field("count", "(./li)[2]"), field("sum", "./li[1]/text()")});
  EXPECT_EQ(rows(job, kHtml, "<ul><li> 1 <b>x</b><li>2</ul>"), (Rows{{"2", "1"}}));
  Job counted = job_with("//ul", {field("count", "")});
  counted.fields[0].kind = SelectorKind::xpath;
  counted.fields[0].selector = "count(li)";
  EXPECT_EQ(rows(counted, kHtml, "<ul><li>1<li>2</ul>"), (Rows{{"2"}}));
}

TEST(ReadItems, JoinsAllMatchesWhenAsked) {
  Job job = job_with("ul", {field("first", "li"), field("all", "li"), field("letters", "./li")});
  job.fields[1].join = ", ";
  job.fields[2].join = "";
  EXPECT_EQ(rows(job, kHtml, "<ul><li>a<li>b<li>c</ul>"), (Rows{{"a", "a, b, c", "abc"}}));
}

TEST(ReadItems, FillsInTheDefaultOfAFieldWithoutAValue) {
  Job job = job_with("li", {field("name", "b"), field("stock", ".stock")});
  job.fields[1].fallback = "unknown";
  EXPECT_EQ(
      rows(job, kHtml, "<li><b>a</b><li><b>b</b><i class=stock></i><li><b>c</b><i class=stock>3"),
      (Rows{{"a", "unknown"}, {"b", "unknown"}, {"c", "3"}}));
}

TEST(ReadItems, ReadsXmlWithItsOwnNames) {
  Job job = job_with(
      "item", {field("link", "link"), field("Title", "./Title"), field("by", "./dc:creator")});
  job.namespaces = {{"dc", "urn:dc"}};
  const std::string_view xml =
      "<?xml version='1.0'?><rss xmlns:d='urn:dc'><item><link>http://a/1</link><title>no</title>"
      "<Title><![CDATA[Tom & Jerry]]></Title><d:creator>Ann</d:creator></item></rss>";
  for (const std::string_view type : {"application/rss+xml", "text/xml", "application/xml", ""})
    EXPECT_EQ(rows(job, type, xml), (Rows{{"http://a/1", "Tom & Jerry", "Ann"}})) << type;
}

TEST(ReadItems, ReadsJsonByJsonPath) {
  const Job job = job_with("$.items[*]", {field("name", "$.name"), field("price", "$.offer.price"),
                                          field("tags", "$.tags"), field("sold", "$.sold"),
                                          field("none", "$.none"), field("all", "$.tags[*]")});
  const std::string_view json =
      R"({"items": [{"name": "Lamp", "offer": {"price": 12.50}, "tags": ["a", "b"], "sold": false,
          "none": null}, {"name": "Bed"}]})";
  EXPECT_EQ(
      rows(job, "application/json", json),
      (Rows{{"Lamp", "12.50", R"(["a","b"])", "false", "", "a"}, {"Bed", "", "", "", "", ""}}));
  EXPECT_EQ(rows(job, "text/html", json).size(), 2U) << "servers send JSON under any type";
}

TEST(ReadItems, TakesTheMatchedValueItselfWithoutASelector) {
  EXPECT_EQ(
      rows(job_with("$[*]", {field("n", "$"), field("m", "")}), "application/json", "[1, \"x\"]"),
      (Rows{{"1", "1"}, {"x", "x"}}));
}

TEST(ReadItems, NamesTheLineOfAMistakeInWhatLooksLikeJsonLines) {
  const Job job = job_with("$[*]", {field("name", "$.name")});
  EXPECT_EQ(failure(job, "", "{\"name\": 1}\n{\"name\": 2}\n{\"name\" 3}\n"),
            "read as JSON Lines: JSON: line 3, column 9: expected \":\"");
  EXPECT_EQ(failure(job, "", "{\"name\": 1}\nor so"),
            "JSON: line 2, column 1: more text after the value");
  EXPECT_EQ(failure(job, "", "{\"name\": }\n{\"name\": 2}"),
            "JSON: line 1, column 10: expected a value");
}

TEST(ReadItems, FailsForAnEmptyPageOfJson) {
  const Job job = job_with("$[*]", {field("name", "$.name")});
  EXPECT_EQ(failure(job, "", ""), "the page is empty, expected JSON");
  EXPECT_EQ(failure(job, "application/json", " \n\n"), "the page is empty, expected JSON");
}

TEST(ReadItems, CountsThePositionOfAMistakeWithinTheElementOfJsonIn) {
  Job job = job_with("$[*]", {field("name", "$.name")});
  job.json_in.selector = "script";
  EXPECT_EQ(failure(job, kHtml, "<p>one\n<p>two\n<script>\nlet a = [\n {\"name\" 3}];</script>"),
            "json_in, counted within its element: JSON: line 3, column 10: expected \":\"");
  EXPECT_EQ(failure(job, kHtml, "<script> </script>"),
            "the element of `json_in` is empty, expected JSON");
}

TEST(ReadItems, ReadsJsonLines) {
  const Job job = job_with("$[*]", {field("n", "$.n")});
  const std::string_view lines = "{\"n\": 1}\n{\"n\": 2}\n";
  EXPECT_EQ(rows(job, "application/x-ndjson", lines), (Rows{{"1"}, {"2"}}));
  EXPECT_EQ(rows(job, "text/plain", lines), (Rows{{"1"}, {"2"}}));
}

TEST(ReadItems, ReadsOneLineAsJsonLinesWhenTheTypeSaysSo) {
  const Job job = job_with("$[*]", {field("n", "$.n")});
  for (const std::string_view type : {"application/x-ndjson; charset=utf-8", "application/ndjson",
                                      "application/jsonl", "application/x-jsonlines"})
    EXPECT_EQ(rows(job, type, "{\"n\": 1}\n"), (Rows{{"1"}})) << type;
  EXPECT_EQ(rows(job, "application/json", "[{\"n\": 1}]"), (Rows{{"1"}}));
  EXPECT_NE(failure(job, "application/x-ndjson", "{\"n\": 1}\n{\"n\"").find("line 2"),
            std::string::npos);
}

TEST(ReadItems, ReadsJsonInsideHtml) {
  Job job = job_with("$.props.goods[*]", {field("name", "$.name")});
  job.json_in.selector = "script#data";
  const Rows expected{{"A & B"}, {"C"}};
  const std::string json = R"({"props": {"goods": [{"name": "A & B"}, {"name": "C"}]}})";
  EXPECT_EQ(rows(job, kHtml, "<body><script id=data type='application/json'>" + json + "</script>"),
            expected);
  EXPECT_EQ(rows(job, kHtml, "<script id=data>window.__DATA__ = " + json + ";</script>"), expected);
  job.json_in = {"#app", SelectorKind::css, "data-page"};
  EXPECT_EQ(rows(job, kHtml, "<div id=app data-page='" + json + "'></div>"), expected);
  job.json_in = {"//div/@data-page", SelectorKind::xpath, ""};
  EXPECT_EQ(rows(job, kHtml, "<div id=app data-page='" + json + "'></div>"), expected);
}

TEST(ReadItems, ReadsPlainTextWithRegularExpressions) {
  Job job = job_with("", {field("version", "")});
  job.format = PageFormat::text;
  job.fields[0].regex = R"(version: (\S+))";
  EXPECT_EQ(rows(job, "text/plain", "name: <b>\nversion: 1.2.3\n"), (Rows{{"1.2.3"}}));
}

TEST(ReadItems, SaysWhyABodyIsNotWhatTheJobReads) {
  Job json = job_with("$[*]", {field("n", "$")});
  EXPECT_NE(failure(json, kHtml, "<!doctype html><p>x").find("`json_in`"), std::string::npos);
  EXPECT_EQ(failure(json, "application/json", "[1,").substr(0, 5), "JSON:");
  json.json_in.selector = "script#data";
  EXPECT_EQ(failure(json, kHtml, "<p>x"), "no element of the page matches `json_in`");
  EXPECT_EQ(failure(json, kHtml, "<script id=data>var a = {b: 1}</script>"),
            "json_in, counted within its element: JSON: line 1, column 10: expected the name of a "
            "member in double quotes");
  auto rules = SourceRules::compile(json);
  html::Parser parser;
  const auto document = read_source(parser, *rules, kHtml, "<p>x", {});
  EXPECT_EQ(document.error().code, ErrorCode::corrupt);
}

TEST(ReadItems, NotesThatBrokenXmlWasRepaired) {
  const auto rules = SourceRules::compile(job_with("item", {field("t", "title")}));
  html::Parser parser;
  const auto document =
      read_source(parser, *rules, "text/xml", "<rss><item><title>a & b</item></rss>", {});
  ASSERT_TRUE(document);
  EXPECT_EQ(document->note.substr(0, 4), "XML:");
  EXPECT_EQ(
      read_items(*document, *rules, *Url::parse("http://a/"))->items.at(0).fields.at(0).second,
      "a & b");
}

TEST(ReadItems, LimitsTheNumberOfValuesOfJson) {
  const auto rules = SourceRules::compile(job_with("$[*]", {field("n", "$")}));
  html::Parser parser;
  std::string body = "[0";
  for (int i = 0; i < 1000; ++i) body += ",1";
  const auto document =
      read_source(parser, *rules, "application/json", body + "]", {.max_nodes = 100});
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message.substr(0, 12), "too_complex:");
  EXPECT_EQ(document.error().code, ErrorCode::bad_input);
}

TEST(DetectFormat, BelievesTheContentTypeOfHtmlAndJson) {
  EXPECT_EQ(detect_format("text/html", "<?xml version='1.0'?><div>x"), PageFormat::html);
  EXPECT_EQ(detect_format("text/html", "{\"a\": 1}"), PageFormat::html);
  EXPECT_EQ(detect_format("application/xhtml+xml", "<?xml version='1.0'?><html/>"),
            PageFormat::html);
  EXPECT_EQ(detect_format("application/ld+json; charset=utf-8", "x"), PageFormat::json);
  EXPECT_EQ(detect_format("application/jsonl", "x"), PageFormat::json_lines);
}

TEST(DetectFormat, LooksAtTheBeginningOfOtherBodies) {
  EXPECT_EQ(detect_format("text/html", "<rss version='2.0'>"), PageFormat::xml);
  EXPECT_EQ(detect_format("", "\xEF\xBB\xBF  <?xml version='1.0'?><a/>"), PageFormat::xml);
  EXPECT_EQ(detect_format("text/xml", "<?xml version='1.0'?><!DOCTYPE html><html/>"),
            PageFormat::html);
  EXPECT_EQ(detect_format("text/plain", "<!-- x --><!DOCTYPE HTML>"), PageFormat::html);
  EXPECT_EQ(detect_format("application/octet-stream", " {\"a\": 1}"), PageFormat::json);
  EXPECT_EQ(detect_format("", "just words"), PageFormat::html);
  EXPECT_EQ(detect_format("", ""), PageFormat::html);
}

TEST(SourceRules, RefuseSelectorsThatDoNotFitTogether) {
  const auto conflict = [](Job job) { return conflict_of_selectors(job); };
  Job mixed = job_with("$.a", {field("x", "b")});
  EXPECT_NE(conflict(mixed), "");
  EXPECT_FALSE(SourceRules::compile(mixed));
  Job embedded = job_with("li", {field("x", "b")});
  embedded.json_in.selector = "script";
  EXPECT_NE(conflict(embedded), "");
  Job css_on_json = job_with("li", {field("x", "b")});
  css_on_json.format = PageFormat::json;
  EXPECT_NE(conflict(css_on_json), "");
  Job path_on_xml = job_with("$.a", {field("x", "$")});
  path_on_xml.format = PageFormat::xml;
  EXPECT_NE(conflict(path_on_xml), "");
  EXPECT_EQ(conflict(job_with("//li", {field("x", "b"), field("y", "")})), "");
  EXPECT_EQ(conflict(job_with("$.a", {field("x", "$.b"), field("y", "")})), "");
}

TEST(SourceRules, RefuseAContainerThatIsNoElement) {
  const auto rules = SourceRules::compile(job_with("/count", {}));
  EXPECT_TRUE(rules);
  Job job = job_with("(/a = 1)", {field("x", "")});
  const auto refused = SourceRules::compile(job);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("expected elements"), std::string::npos);
}

TEST(SelectorKind, IsKnownByTheBeginning) {
  EXPECT_EQ(selector_kind("$.a"), SelectorKind::json_path);
  for (const auto* xpath : {"/html", "//a", "./a", "../a", "(//a)[1]", "(./a)[1]", " ./a"})
    EXPECT_EQ(selector_kind(xpath), SelectorKind::xpath) << xpath;
  for (const auto* css : {"a", ".n", "#n", "> li", "+ p", "~ p", ":scope > a", "[href]", "*", ""})
    EXPECT_EQ(selector_kind(css), SelectorKind::css) << css;
}

}  // namespace
}  // namespace heddle::pages
