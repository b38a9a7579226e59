#include "app/scripts/script_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ScriptChecks : public ::testing::Test {
 protected:
  std::vector<cli::ScriptProblem> check(const std::string& hooks) {
    Job job;
    job.id = {"shop"};
    job.selector = selector;
    job.directory = folder.path() / "jobs/shop";
    job.scripts.files = {folder.write("jobs/shop/hooks.lua", hooks)};
    Project project;
    project.root = folder.path();
    project.jobs = {job};
    project.script.cpu_limit = std::chrono::milliseconds(50);
    return check_scripts(project);
  }
  std::vector<std::string> files_with_mistakes(const std::string& hooks) {
    std::vector<std::string> files;
    for (const cli::ScriptProblem& problem : check(hooks)) files.push_back(problem.file);
    return files;
  }
  // "FILE:LINE message", or "KEY message" of the configuration.
  std::vector<std::string> mistakes(const std::string& hooks) {
    std::vector<std::string> texts;
    for (const cli::ScriptProblem& problem : check(hooks))
      texts.push_back(
          (problem.file.empty() ? problem.key : problem.file + ":" + std::to_string(problem.line)) +
          " " + problem.message);
    return texts;
  }

  testing::TemporaryFolder folder;
  std::string selector = "li";
};

TEST_F(ScriptChecks, RequireAnExtractionThatIsNotOnlyMentioned) {
  selector.clear();
  for (const char* script :
       {"-- override_extract would help\n", "--[[\nfunction override_extract() end\n]]\n",
        "local function override_extract(page) return {} end\n"})
    EXPECT_THAT(files_with_mistakes(script), ElementsAre("")) << script;
  for (const char* script :
       {"function override_extract(page) return {} end -- mine\n",
        "local function override_extract() end\n_G.override_extract = override_extract\n"})
    EXPECT_THAT(files_with_mistakes(script), IsEmpty()) << script;
}

TEST_F(ScriptChecks, FindSyntaxErrorsInAllFilesOfTheJob) {
  folder.write("jobs/shop/lib/util.lua", "return 1 +");
  folder.write("jobs/shop/.git/old.lua", "return 1 +");
  EXPECT_THAT(files_with_mistakes("local x ="),
              ElementsAre("jobs/shop/hooks.lua", "jobs/shop/lib/util.lua"));
}

TEST_F(ScriptChecks, OnlyWarnOfFilesThatNothingLoads) {
  folder.write("jobs/shop/old.lua", "return 1 +");
  const auto unused = check("local x = 1");
  ASSERT_EQ(unused.size(), 1U);
  EXPECT_TRUE(unused[0].is_warning);
  EXPECT_THAT(unused[0].message, HasSubstr("no `require` of the job names this file"));
  const auto required = check("local x = require('old')");
  ASSERT_FALSE(required.empty());
  EXPECT_FALSE(required[0].is_warning);
}

TEST_F(ScriptChecks, FindSyntaxErrorsInRequiredModulesOfTheProject) {
  folder.write("lib/a.lua", "local b = require 'lib.b' return b");
  folder.write("lib/b.lua", "local a = require(\"lib.a\") return 1 +");
  folder.write("lib/unused.lua", "return 1 +");
  EXPECT_THAT(files_with_mistakes("local a = require('lib.a')"), ElementsAre("lib/b.lua"));
}

TEST_F(ScriptChecks, FindWhatARunCouldNotLoad) {
  EXPECT_THAT(mistakes("local ok = pcall(require, 'a')"), IsEmpty());
  EXPECT_THAT(mistakes("function before_fetch(r) require('later') return r end"), IsEmpty());
  EXPECT_THAT(mistakes("\nrequire('missing')"),
              ElementsAre(StartsWith("jobs/shop/hooks.lua:2 require: module \"missing\"")));
  EXPECT_THAT(mistakes("local t = nil\nlocal x = t.y"),
              ElementsAre(StartsWith("jobs/shop/hooks.lua:2 attempt to index")));
  folder.write("lib/a.lua", "\n\nerror('no rates')");
  EXPECT_THAT(mistakes("require('lib.a')"), ElementsAre(StartsWith("lib/a.lua:3 no rates")));
  EXPECT_THAT(mistakes("while true do end"), ElementsAre(HasSubstr("script.cpu_limit")));
}

TEST_F(ScriptChecks, StopWhereAScriptWaitsForWhatOnlyARunHas) {
  EXPECT_THAT(mistakes("local n = store_get('n')\nerror(n)"), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "data"));
}

TEST_F(ScriptChecks, KnowWhetherLoadedScriptsExtract) {
  selector.clear();
  folder.write("lib/a.lua", "function override_extract() return {} end");
  EXPECT_THAT(mistakes("require('lib.a')"), IsEmpty());
  folder.write("lib/a.lua", "return {}");
  EXPECT_THAT(mistakes("require('lib.a')"), ElementsAre(HasSubstr("selector")));
}

}  // namespace
}  // namespace heddle::app
