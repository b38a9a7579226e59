// Jobs whose scripts do the extraction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kOverride =
    "function override_extract(response)\n"
    "  return { { fields = { name = response.body:match('<b>(.-)</b>') } } }\n"
    "end\n";
constexpr std::string_view kMissing =
    "selector: warning: is missing, and no script of the job defines override_extract";

class ScriptExtraction : public ::testing::Test {
 protected:
  ScriptExtraction() {
    site.answer("/", html("<b>Tea</b>"));
    project.write("jobs/shop/config.toml",
                  "name = \"Shop\"\nurl = \"" + site.url("/") + "\"\nhash_fields = [\"name\"]\n");
  }

  TestSite site;
  ProjectFolder project;
};

TEST_F(ScriptExtraction, NeedsNeitherSelectorNorFields) {
  project.write("jobs/shop/hooks.lua", kOverride);
  const ProgramResult check = project.heddle({"check"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_THAT(check.out, HasSubstr("0 errors, 0 warnings"));
  EXPECT_EQ(project.heddle_json({"run", "shop"}).at("items").at("new"), 1);
  EXPECT_EQ(project.heddle_json({"records", "shop"}).at(0).at("fields").at("name"), "Tea");
}

TEST_F(ScriptExtraction, CanBeDefinedInAModule) {
  project.write("lib/extract.lua", kOverride);
  project.write("jobs/shop/hooks.lua", "require('lib.extract')");
  EXPECT_EQ(project.heddle({"check"}).exit_code, 0);
  EXPECT_EQ(project.heddle_json({"run", "shop"}).at("items").at("new"), 1);
}

TEST_F(ScriptExtraction, IsReportedMissingByTheCheck) {
  project.write("jobs/shop/hooks.lua", "function after_extract(items) return items end");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check"}, std::vector<std::string>{"check", "shop"}}) {
    const ProgramResult check = project.heddle(arguments);
    EXPECT_EQ(check.exit_code, 0);
    EXPECT_THAT(check.out, HasSubstr("jobs/shop/config.toml:1: " + std::string(kMissing)));
    EXPECT_THAT(check.out, HasSubstr("the text of the page is watched"));
  }
}

TEST_F(ScriptExtraction, IsNotNeededToWatchTheTextOfThePage) {
  project.write("jobs/shop/hooks.lua",
                "-- override_extract is still to be written\n"
                "function before_notify(items, ctx) log('told ' .. ctx.changes[1].after) end\n");
  project.heddle_json({"run", "shop"});
  site.answer("/", html("<b>Coffee</b>"));
  project.heddle_json({"run", "shop"});
  EXPECT_EQ(project.heddle_json({"changes", "shop"}).at(0).at("after"), "Coffee");
  EXPECT_THAT(project.heddle({"logs", "shop"}).out, HasSubstr("told Coffee"));
}

TEST_F(ScriptExtraction, IsReportedMissingWithoutAnyScript) {
  const ProgramResult check = project.heddle({"check"});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr("nor a script with `override_extract`"));
}

}  // namespace
}  // namespace heddle::testing
