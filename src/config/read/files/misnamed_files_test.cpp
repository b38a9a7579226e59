#include "config/read/files/misnamed_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<MisnamedFile>& files) {
  std::vector<std::string> names;
  for (const MisnamedFile& file : files) names.push_back(file.name);
  return names;
}

std::vector<std::string> in_job_folder(const std::vector<std::string>& names) {
  return names_of(misnamed_job_files(names, JobFolderKind::job));
}

TEST(MisnamedFiles, AreThoseThatResembleTheFileOfAJob) {
  for (const char* name : {"job.toml", "config.tml", "Config.toml", "config.toml.txt", "conf.toml"})
    EXPECT_THAT(in_job_folder({name}), ElementsAre(name));
}

TEST(MisnamedFiles, IncludeScriptsWithoutTheFileOfAJob) {
  EXPECT_THAT(in_job_folder({"hooks.lua", "notes.md"}), ElementsAre("hooks.lua"));
  EXPECT_THAT(in_job_folder({"hook.lua"}), ElementsAre("hook.lua"));
}

TEST(MisnamedFiles, IncludeScriptsWithNearlyTheRightName) {
  EXPECT_THAT(in_job_folder({"config.toml", "hook.lua"}), ElementsAre("hook.lua"));
  EXPECT_THAT(in_job_folder({"Hooks.lua", "config.toml"}), ElementsAre("Hooks.lua"));
  EXPECT_THAT(in_job_folder({"config.toml", "test.lua"}), ElementsAre("test.lua"));
}

TEST(MisnamedFiles, ExcludeModulesAndData) {
  EXPECT_THAT(in_job_folder({"config.toml", "hooks.lua", "hook.lua", "urls.txt", "more.toml"}),
              IsEmpty());
  EXPECT_THAT(in_job_folder({"util.lua", "README.md", "prices.csv"}), IsEmpty());
}

TEST(MisnamedFiles, AreNamedInProblems) {
  ProjectForTest project;
  project.write("jobs/c/job.toml", "name = \"c\"\n").write("jobs/tea.toml", "").job("");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs/c/job.toml: warning: is not read: the file of a job must be "
                          "called config.toml; rename this file",
                          "jobs/tea.toml: warning: is not read: a job is a folder with a "
                          "config.toml; move it to jobs/tea/config.toml"));
}

TEST(MisnamedFiles, AreNotLookedForBelowTheFolderOfAJob) {
  ProjectForTest project;
  project.job("").write("jobs/a/data/job.toml", "").write("jobs/a/lib/hook.lua", "");
  EXPECT_THAT(project.problem_texts(), IsEmpty());
}

TEST(MisnamedFiles, MayStandInTheFolderOfTheProject) {
  ProjectForTest project;
  project.job("").write("Heddle.toml", "").write("config.toml", "");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("Heddle.toml: warning: is not read: rename it to heddle.toml if it is "
                          "meant to be that file",
                          "config.toml: warning: is not read here: the file of a job is "
                          "jobs/NAME/config.toml, settings of the project are in heddle.toml"));
}

}  // namespace
}  // namespace heddle::config
