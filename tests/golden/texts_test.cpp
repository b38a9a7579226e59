// Texts for people that name commands, options, keys and functions.
#include <algorithm>
#include <deque>
#include <set>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "tests/program/command_tree.hpp"
#include "tests/golden/interface_fixture.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::Contains;
using ::testing::ElementsAreArray;
using ::testing::EndsWith;

TEST_F(Interface, KeepsTheHelpTexts) {
  std::vector<std::string> names;
  for (const HelpPage& page : all_help_pages(project_)) {
    names.push_back(page.file_name() + ".txt");
    expect_golden("help/" + names.back(), page.text);
  }
  std::sort(names.begin(), names.end());
  EXPECT_THAT(golden_names("help"), ElementsAreArray(names)) << "a text of no command is left over";
}

TEST_F(Interface, KeepsAJsonDocumentOfEveryCommandThatPrintsOne) {
  const std::vector<std::string> kept = golden_names("json");
  for (const HelpPage& page : all_help_pages(project_)) {
    if (page.text.find("--json") == std::string::npos) continue;
    EXPECT_THAT(kept, Contains(EndsWith("/" + page.file_name() + ".txt")))
        << "record() it in one of the tests of this folder";
  }
}

TEST_F(Interface, KeepsTheTypesForEditors) {
  const ProgramResult types = project_.heddle({"types"});
  EXPECT_EQ(types.exit_code, 0) << types.err;
  expect_golden("types.lua", types.out);
}

// Keys whose tables hold those of a job again.
const std::set<std::string> kLikeAJob{"defaults", "groups"};

std::deque<std::string> first_keys() {
  const json::value schema =
      json::parse(read_file(std::filesystem::path(HEDDLE_SOURCE_DIR) / "docs/heddle.schema.json"));
  std::deque<std::string> keys;
  for (const char* section : {"project", "job"})
    for (const auto& key : schema.at("$defs").at(section).at("properties").as_object())
      if (std::find(keys.begin(), keys.end(), key.key()) == keys.end())
        keys.emplace_back(key.key());
  return keys;
}

// What can stand below it; nothing for tables like others that were seen before.
std::vector<std::string> keys_below(const std::string& key, const json::array& places,
                                    std::set<std::string>& seen) {
  std::vector<std::string> below;
  if (kLikeAJob.contains(key)) return below;
  for (const json::value& place : places) {
    if (!seen.insert(json::serialize(place.at("keys"))).second) continue;
    const std::string prefix = key + (place.at("type") == "named tables" ? ".NAME." : ".");
    for (const json::value& name : place.at("keys").as_array())
      below.push_back(prefix + std::string(name.as_string()));
  }
  return below;
}

// Without the sentences that say what it is for.
std::string lines_about(const json::array& places) {
  std::string lines;
  for (const json::value& place : places) {
    const auto text = [&place](const char* name) {
      return std::string(place.at(name).as_string());
    };
    lines += text("key") + "\n  type     " + text("type") + "\n";
    if (!text("allowed").empty()) lines += "  allowed  " + text("allowed") + "\n";
    if (!text("default").empty()) lines += "  default  " + text("default") + "\n";
    lines += "  where    " + text("where") + "\n";
    if (!place.at("available").as_bool()) lines += "  no effect yet\n";
  }
  return lines;
}

TEST_F(Interface, KeepsTheConfigurationKeys) {
  std::string text =
      "# What `heddle explain KEY --json` says of every key. Tables that hold the same keys are\n"
      "# gone into once: [defaults] and [groups.NAME] have those of a job.\n";
  std::set<std::string> seen;
  std::set<std::string> listed;
  for (auto keys = first_keys(); !keys.empty(); keys.pop_front()) {
    if (!listed.insert(keys.front()).second) continue;
    const ProgramResult result = project_.heddle({"explain", keys.front(), "--json"});
    ASSERT_EQ(result.exit_code, 0) << keys.front() << ": " << result.err;
    const json::value places = json::parse(result.out);
    text += lines_about(places.as_array());
    for (const std::string& key : keys_below(keys.front(), places.as_array(), seen))
      keys.push_back(key);
  }
  expect_golden("configuration_keys.txt", text);
}

TEST_F(Interface, KeepsTheTextsAboutTheConfiguration) {
  project_.write("heddle.toml", "timezone = \"Europe/Berlin\"\n[defaults]\ntimeout = \"7s\"\n");
  project_.write_job("shop", "url = \"https://shop.example/\"\nselector = \"li\"\n");
  record_text("config-show", {"config", "show", "shop"});
  record_text("explain", {"explain", "limits.body"});
  record_text("explain", {"explain", "limits"});
  record_text("check", {"check"});
  expect_documents("texts");
}

TEST_F(Interface, KeepsTheProjectThatInitWrites) {
  std::string text;
  const ProgramResult written = project_.heddle({"init", (project_.path() / "new").string()});
  text += "$ heddle init <project>/new\n" + normaliser_.text(written.out);
  for (const char* file : {"heddle.toml", "jobs/example/config.toml", "jobs/example/hooks.lua",
                           "jobs/example/tests.lua"})
    text += std::string("\n==> ") + file + "\n" + read_file(project_.path() / "new" / file);
  expect_golden("init.txt", text);
}

}  // namespace
}  // namespace heddle::testing
