// `heddle test`: reports errors, and tests have no lasting effects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kConfig =
    "name = \"Shop\"\nurl = \"http://127.0.0.1:1/\"\nselector = \"li\"\nfields = [\"name:b\"]\n";
constexpr std::string_view kPassingTest = "function test_fine() heddle.assert_eq(1, 1) end\n";

TEST(TestCommand, ReportsConfigurationErrors) {
  const ProjectFolder project;
  project.write("jobs/shop/config.toml",
                "name = \"Shop\"\nurl = \"nowhere\"\ntimout = 3\nselector = \"li\"\n");
  project.write("jobs/shop/tests.lua", kPassingTest);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"test"}, std::vector<std::string>{"test", "shop"}}) {
    const ProgramResult result = project.heddle(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out + result.err, HasSubstr("jobs/shop/config.toml:2: url: "));
    EXPECT_THAT(result.out + result.err, HasSubstr("jobs/shop/config.toml:3: timout: unknown key"));
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("no tests.lua")));
  }
}

TEST(TestCommand, ReportsAFileThatIsNotToml) {
  const ProjectFolder project;
  project.write("jobs/shop/config.toml", "name = \"Shop\nurl = 3");
  project.write("jobs/shop/tests.lua", kPassingTest);
  const ProgramResult result = project.heddle({"test"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("jobs/shop/config.toml:1: "));
  EXPECT_THAT(result.out, HasSubstr("0 passed, 1 failed"));
}

TEST(TestCommand, TestsTheOtherJobsAnyway) {
  const ProjectFolder project;
  project.write("jobs/broken/config.toml", "name = \"Broken\"\n");
  project.write("jobs/broken/tests.lua", kPassingTest);
  project.write("jobs/shop/config.toml", kConfig);
  project.write("jobs/shop/tests.lua", kPassingTest);
  const ProgramResult result = project.heddle({"test"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("jobs/broken/config.toml:1: url: is missing"));
  EXPECT_THAT(result.out, HasSubstr("1 passed, 1 failed"));
  const auto report = parse_json(project.heddle({"test", "--json"}).out);
  EXPECT_EQ(report.at("errors").at(0).at("job_id"), "broken");
  EXPECT_EQ(report.at("passed"), 1);
}

TEST(TestCommand, ReportsScriptErrors) {
  const ProjectFolder project;
  project.write("jobs/shop/config.toml", kConfig);
  project.write("jobs/shop/hooks.lua", "local x = 1\nfunction after_extract(\n");
  const ProgramResult without_tests = project.heddle({"test", "shop"});
  EXPECT_EQ(without_tests.exit_code, 1);
  EXPECT_THAT(without_tests.err, HasSubstr("jobs/shop/hooks.lua:"));
  project.write("jobs/shop/tests.lua", kPassingTest);
  const ProgramResult result = project.heddle({"test"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("jobs/shop/hooks.lua:"));
  EXPECT_THAT(result.out, HasSubstr("0 passed, 1 failed"));
}

TEST(TestCommand, LeavesTheProjectFilesUnchanged) {
  const ProjectFolder project;
  project.write("jobs/shop/config.toml", kConfig);
  project.write("jobs/shop/state.json", "[1]");
  project.write("shared/events.log", "one\n");
  project.write("jobs/shop/tests.lua", R"(
    function test_1_writes()
      heddle.assert_eq(fs_read("state.json"), "[1]")
      fs_overwrite("state.json", "[2]")
      fs_append("shared/events.log", "two\n")
      fs_append("deep/new.txt", "x")
      heddle.assert_eq(fs_read("state.json"), "[2]")
      heddle.assert_eq(fs_read("shared/events.log"), "one\ntwo\n")
      heddle.assert_eq(fs_read_binary("deep/new.txt"), "x")
    end
    function test_2_sees_nothing_of_it()
      heddle.assert_eq(fs_read("state.json"), "[1]")
      heddle.assert_eq(fs_read("shared/events.log"), "one\n")
      heddle.assert_eq(fs_read("deep/new.txt"), nil)
      heddle.assert_error(function() fs_read("../shop/state.json") end, "refused")
    end)");
  const ProgramResult result = project.heddle({"test"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_EQ(read_text(project.path() / "jobs/shop/state.json"), "[1]");
  EXPECT_EQ(read_text(project.path() / "shared/events.log"), "one\n");
  EXPECT_FALSE(std::filesystem::exists(project.path() / "jobs/shop/deep"));
}

TEST(TestCommand, RunsCyclesWithTheHooksDefinedByATest) {
  const ProjectFolder project;
  project.write("jobs/shop/config.toml", kConfig);
  project.write("jobs/shop/hooks.lua", "function after_extract(items) return {} end");
  project.write("jobs/shop/tests.lua", R"(
    local page = { body = "<li><b>Tea</b></li>" }
    function test_as_it_is() heddle.assert_eq(heddle.run_cycle(page).items, {}) end
    function test_replaced_added_and_removed()
      after_extract = function(items) items[1].fields.name = "Jam" return items end
      function filter_item(item) return true end
      local cycle = heddle.run_cycle(page)
      heddle.assert_eq(cycle.items[1].fields.name, "Jam")
      heddle.assert_eq(cycle.hooks, { "after_extract", "filter_item" })
      after_extract, filter_item = nil, nil
      cycle = heddle.run_cycle({ body = "<li><b>Milk</b></li>" })
      heddle.assert_eq(cycle.items[1].fields.name, "Milk")
      heddle.assert_eq(cycle.hooks, {})
    end)");
  const ProgramResult result = project.heddle({"test"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

}  // namespace
}  // namespace heddle::testing
