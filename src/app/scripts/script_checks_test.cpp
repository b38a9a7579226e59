#include "app/scripts/script_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ScriptChecks : public ::testing::Test {
 protected:
  std::vector<std::string> files_with_mistakes(const std::string& hooks) {
    Job job;
    job.id = {"shop"};
    job.selector = selector;
    job.directory = folder.path() / "jobs/shop";
    job.scripts.files = {folder.write("jobs/shop/hooks.lua", hooks)};
    Project project;
    project.root = folder.path();
    project.jobs = {job};
    std::vector<std::string> files;
    for (const cli::ScriptProblem& problem : check_scripts(project)) files.push_back(problem.file);
    return files;
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
        "local function override_extract() end\n_G.override_extract = override_extract\n",
        "require 'shop'\n"})
    EXPECT_THAT(files_with_mistakes(script), IsEmpty()) << script;
}

TEST_F(ScriptChecks, FindSyntaxErrorsInAllFilesOfTheJob) {
  folder.write("jobs/shop/lib/util.lua", "return 1 +");
  folder.write("jobs/shop/.git/old.lua", "return 1 +");
  EXPECT_THAT(files_with_mistakes("local x ="),
              ElementsAre("jobs/shop/hooks.lua", "jobs/shop/lib/util.lua"));
}

TEST_F(ScriptChecks, FindSyntaxErrorsInRequiredModulesOfTheProject) {
  folder.write("lib/a.lua", "local b = require 'lib.b' return b");
  folder.write("lib/b.lua", "local a = require(\"lib.a\") return 1 +");
  folder.write("lib/unused.lua", "return 1 +");
  EXPECT_THAT(files_with_mistakes("local a = require('lib.a')"), ElementsAre("lib/b.lua"));
}

TEST_F(ScriptChecks, IgnoreMissingModules) {
  EXPECT_THAT(files_with_mistakes("local ok = pcall(require, 'a') require('optional')"), IsEmpty());
}

}  // namespace
}  // namespace heddle::app
