// Read-only commands: their output and error handling.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

class ReadOnlyCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/shop", html("<ul><li>Tea</li><li>Pot</li></ul>"));
    project_.write_job("shop", shop_job());
  }
  [[nodiscard]] std::string shop_job() const {
    return "url = \"" + site_.url("/shop") + "\"\nselector = \"li\"\nfields = [\"name:\"]\n";
  }

  TestSite site_;
  ProjectFolder project_;
};

TEST_F(ReadOnlyCommands, FailWhenTheirOutputCannotBeWritten) {
  const auto run = project_.heddle_json({"run", "shop"});
  const std::string run_id(run.at("run_id").as_string());
  const std::vector<std::vector<std::string>> commands{
      {"check"},
      {"check", "--json"},
      {"explain", "url"},
      {"config", "show", "shop"},
      {"records", "shop"},
      {"records", "shop", "--format", "csv"},
      {"records", "shop", "--json"},
      {"runs", "shop"},
      {"run-trace", run_id},
      {"version"},
      {"debug", "shop"},
      {"run", "shop", "--json"},
      {"--help"},
  };
  for (const auto& command : commands) {
    const ProgramResult result = run_heddle_into("/dev/full", project_.path(), command);
    EXPECT_EQ(result.exit_code, 1) << ::testing::PrintToString(command);
    EXPECT_THAT(result.err, HasSubstr("the output could not be written: No space left on device"))
        << ::testing::PrintToString(command);
  }
}

TEST_F(ReadOnlyCommands, PrintNothingForAJobThatNeverRan) {
  for (const char* command : {"records", "runs"}) {
    EXPECT_EQ(project_.heddle_json({command, "shop"}), json::parse("[]")) << command;
    const ProgramResult result = project_.heddle({command, "shop"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(project_.heddle({command, "nobody"}).exit_code, 1);
  }
  project_.write("data/heddle.db", "");  // as killed before the first table
  EXPECT_EQ(project_.heddle_json({"records", "shop"}), json::parse("[]"));
}

TEST_F(ReadOnlyCommands, ContinueWithErrorsInTheProjectFile) {
  project_.heddle_json({"run", "shop"});
  for (const char* mistake : {"[network]\nallow = 5\n", "this is not TOML"}) {
    project_.write("heddle.toml", mistake);
    const ProgramResult records = project_.heddle({"records", "shop", "--json"});
    EXPECT_EQ(records.exit_code, 0) << records.err;
    EXPECT_EQ(json::parse(records.out).as_array().size(), 2u);
    EXPECT_THAT(records.err, HasSubstr("heddle.toml:"));
    EXPECT_THAT(records.err, HasSubstr("warning: "));
    EXPECT_EQ(project_.heddle({"runs", "shop"}).exit_code, 0);
    EXPECT_EQ(project_.heddle({"run", "shop"}).exit_code, 1) << "runs nothing";
  }
}

TEST_F(ReadOnlyCommands, ReadTheDataFolderOfAnInvalidProjectFile) {
  project_.write("heddle.toml", "data_dir = \"elsewhere\"\n[network]\nallow = [\"127.0.0.1\"]\n");
  project_.heddle_json({"run", "shop"});
  project_.write("heddle.toml", "data_dir = \"elsewhere\"\nmistake = 1\n");
  EXPECT_EQ(project_.heddle_json({"records", "shop"}).as_array().size(), 2u);
}

TEST_F(ReadOnlyCommands, RejectNegativeCounts) {
  const std::vector<std::vector<std::string>> commands{
      {"records", "shop", "--limit", "-1"},
      {"runs", "shop", "--limit=-1"},
      {"debug", "shop", "--pages", "-5"},
  };
  for (const auto& command : commands)
    EXPECT_EQ(project_.heddle(command).exit_code, 2) << ::testing::PrintToString(command);
}

TEST_F(ReadOnlyCommands, ExplainAsJson) {
  const json::value places = project_.heddle_json({"explain", "limits.body"});
  ASSERT_EQ(places.as_array().size(), 1u);
  EXPECT_EQ(places.at(0).at("key"), "limits.body");
  EXPECT_EQ(places.at(0).at("default"), "\"10MB\"");
  EXPECT_EQ(places.at(0).at("available"), true);
}

TEST_F(ReadOnlyCommands, ShowWholeConfigurationValuesInAPipe) {
  const std::string word(300, 'w');
  project_.write_job("shop", shop_job() + "keywords = [\"" + word + "\"]\n");
  EXPECT_THAT(project_.heddle({"config", "show", "shop"}).out, HasSubstr(word));
}

TEST_F(ReadOnlyCommands, ReportSettingsWithoutEffectBeforeAJobRuns) {
  project_.write_job("shop", shop_job() + "spread = true\n");
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("spread: notice: not available yet"));
}

TEST(CommandLine, ShowsHelpWhenAskedWithAWord) {
  const ProjectFolder project;
  EXPECT_EQ(project.heddle({"help"}).out, project.heddle({"--help"}).out);
  EXPECT_EQ(project.heddle({"help", "jobs"}).out, project.heddle({"jobs", "--help"}).out);
  EXPECT_EQ(project.heddle({"help", "jobs"}).exit_code, 0);
  EXPECT_THAT(project.heddle({"help", "jbos"}).err,
              ::testing::HasSubstr("there is no command 'jbos'; did you mean 'jobs'?"));
}

TEST(CommandLine, SaysThatAnOptionIsGivenTwice) {
  const ProjectFolder project;
  const auto twice = project.heddle({"jobs", "--state", "ok", "--state", "failing"});
  EXPECT_NE(twice.exit_code, 0);
  EXPECT_THAT(twice.err, ::testing::HasSubstr("--state can be given only once"));
}

}  // namespace
}  // namespace heddle::testing
