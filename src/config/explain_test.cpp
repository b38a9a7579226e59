#include "config/explain.hpp"

#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/key_texts.hpp"

namespace heddle::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string explained(std::string_view key) {
  auto text = explain(key);
  return text ? *text : "error: " + text.error().message;
}

std::string file_text(const std::string& name) {
  std::ifstream in(std::string(HEDDLE_DOCS_DIR) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Explain, DescribesOneKeyCompletely) {
  EXPECT_EQ(explained("timeout"), R"(timeout
  Longest time for one request, redirects and body included.

  Type:      a duration: seconds as a number, or "250ms", "90s", "1h30m", "7d"
  Allowed:   1ms to 1h
  Default:   "30s"
  Where:     A job: jobs/NAME/config.toml, [[jobs]] of jobs.toml, [defaults], [groups.NAME]
  Available: yes
  Example:   timeout = "30s"
)");
}

TEST(Explain, ShowsTheTableOfAKeyInTheExample) {
  EXPECT_THAT(explained("limits.body"),
              HasSubstr("Example:   [limits]\n             body = \"10MB\""));
  EXPECT_THAT(explained("webhook.secret"), HasSubstr("secret = \"${env:HOOK_SECRET}\""));
}

TEST(Explain, MarksKeysThatAreNotAvailableYet) {
  EXPECT_THAT(explained("series"), HasSubstr("Available: not yet"));
  EXPECT_THAT(explained("render"), HasSubstr("\"http\", \"browser\" (not yet)"));
}

TEST(Explain, FindsKeysUnderNamesOfTheUsersChoice) {
  EXPECT_THAT(explained("hosts.shop.example.com.delay"),
              StartsWith("hosts.shop.example.com.delay\n"));
  EXPECT_THAT(explained("hosts.delay"), StartsWith("hosts.NAME.delay\n"));
  EXPECT_THAT(explained("groups.shops.retry.max"), StartsWith("groups.shops.retry.max\n"));
  EXPECT_THAT(explained("headers.Accept"), StartsWith("headers\n"));
  EXPECT_THAT(explained("hooks.pre_start.retries"), StartsWith("hooks.pre_start.retries\n"));
}

TEST(Explain, ListsTheKeysOfATable) {
  EXPECT_THAT(explained("retry"), HasSubstr("Keys:      max, base, factor, jitter, cap, runs"));
}

TEST(Explain, ShowsBothMeaningsOfAKeyInTwoSections) {
  EXPECT_THAT(explained("timezone"), HasSubstr("Where:     heddle.toml"));
  EXPECT_THAT(explained("timezone"), HasSubstr("Where:     A job"));
}

TEST(Explain, NamesTheNearestKeysOfAnUnknownOne) {
  EXPECT_EQ(explained("timout"), "error: there is no key `timout`, did you mean `timeout`?");
  EXPECT_EQ(
      explained("secret"),
      "error: there is no key `secret`, did you mean `webhook.secret`, `channels.NAME.secret`?");
  EXPECT_EQ(explained("limit.bdy"),
            "error: there is no key `limit.bdy`, did you mean `limits.body`?");
  EXPECT_EQ(explained("xyzzyxyzzy"), "error: there is no key `xyzzyxyzzy`");
}

TEST(Explain, KnowsEveryKeyOfTheTable) {
  for (const KeyLocation& location : all_key_locations())
    EXPECT_THAT(explained(location.path), Not(StartsWith("error"))) << location.path;
}

TEST(ReferencePage, InTheDocsIsUpToDate) {
  EXPECT_TRUE(file_text("configuration.md") == reference_page())
      << "docs/configuration.md is out of date: run `ninja config_docs`";
}

TEST(ReferencePage, CutsNoTypeAtAColon) {
  EXPECT_THAT(
      reference_page(),
      HasSubstr("\"name:css@attribute\", \"name:./xpath\", \"name:$.json.path\" or a table"));
}

TEST(ReferencePage, HasARowForEveryKeyThatWorks) {
  const std::string page = reference_page();
  for (const KeyLocation& location : all_key_locations())
    if (location.key->availability == Availability::now) {
      EXPECT_THAT(page, HasSubstr("\n| `" + std::string(location.key->name) + "` |"));
    }
  for (const char* later :
       {"`series`", "## [server]", "[[notify]]", "\"browser\"", "\"telegram\"", "Not yet"})
    EXPECT_THAT(page, Not(HasSubstr(later)));
}

TEST(RoadmapPage, InTheDocsIsUpToDate) {
  EXPECT_TRUE(file_text("roadmap.md") == roadmap_page())
      << "docs/roadmap.md is out of date: run `ninja config_docs`";
}

TEST(RoadmapPage, HasARowForEveryKeyThatDoesNotWorkYet) {
  const std::string page = roadmap_page();
  for (const Section& section : all_sections())
    for (const Key& key : section.keys)
      if (key.availability == Availability::later) {
        EXPECT_THAT(page, HasSubstr("\n| `" + std::string(key.name) + "` |"));
      }
  EXPECT_THAT(page, HasSubstr("| `render` | \"browser\" |"));
  EXPECT_THAT(page, HasSubstr("\"ntfy\", \"telegram\""));
  EXPECT_THAT(page, Not(HasSubstr("| `timeout` |")));
}

TEST(Explain, SaysOfAKeyThatDoesNotWorkYet) {
  EXPECT_THAT(explained("series"), HasSubstr("not yet: accepted and checked"));
}

TEST(JsonSchema, InTheDocsIsUpToDate) {
  EXPECT_TRUE(file_text("heddle.schema.json") == json_schema())
      << "docs/heddle.schema.json is out of date: run `ninja config_docs`";
}

TEST(JsonSchema, IsJsonWithADefinitionForEverySection) {
  const auto schema = boost::json::parse(json_schema());
  const auto& definitions = schema.at("$defs").as_object();
  for (const Section& section : all_sections()) {
    ASSERT_TRUE(definitions.contains(section.name)) << section.name;
    const auto& properties = definitions.at(section.name).at("properties").as_object();
    for (const std::string_view key : key_names(section))
      EXPECT_TRUE(properties.contains(key)) << key;
  }
}

TEST(JsonSchema, RefersOnlyToWhatItDefines) {
  const std::string text = json_schema();
  const auto schema = boost::json::parse(text);
  constexpr std::string_view kReference = "#/$defs/";
  for (std::size_t at = text.find("\"#/$defs/"); at != std::string::npos;
       at = text.find("\"#/$defs/", at + 1)) {
    const std::size_t start = at + 1 + kReference.size();
    const std::string name = text.substr(start, text.find('"', start) - start);
    EXPECT_TRUE(schema.at("$defs").as_object().contains(name)) << name;
  }
}

TEST(ExplainWithoutAKey, ListsTheKeysOfEachSection) {
  const std::string text = list_keys();
  EXPECT_THAT(text, HasSubstr("[log] of heddle.toml:\n  level, format, size, keep\n"));
  EXPECT_THAT(text, HasSubstr("A job: jobs/NAME/config.toml"));
  EXPECT_THAT(text, HasSubstr("`heddle explain KEY`"));
  EXPECT_EQ(explain_every_key().size(), all_key_locations().size());
}

}  // namespace
}  // namespace heddle::config
