// The projects of examples/commands, run as in their READMEs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"

namespace heddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CommandExample : public ::testing::Test {
 protected:
  static void expect_sound(const ExampleProject& project) {
    const ProgramResult result = project.heddle({"check"});
    EXPECT_EQ(result.exit_code, 0) << result.out;
    EXPECT_THAT(result.out, HasSubstr("0 errors, 0 warnings, 0 notices"));
  }
  TestSite site_;
};

TEST_F(CommandExample, DataProcessingUploadsAllParts) {
  const ExampleProject project("commands/data_processing", site_);
  expect_sound(project);
  const ProgramResult run = project.heddle({"run", "process"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("4 parts downloaded"), HasSubstr("all parts are there"),
                             HasSubstr("part 3 processed"), HasSubstr("process: completed")));
  EXPECT_EQ(project.read("jobs/process/result.txt"),
            "LINE OF PART 0\nLINE OF PART 1\nLINE OF PART 2\nLINE OF PART 3\n");
}

TEST_F(CommandExample, DeploymentChecksTheLiveVersion) {
  const ExampleProject project("commands/deployment", site_);
  expect_sound(project);
  const ProgramResult run = project.heddle({"run", "deploy"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("deployed version 1"),
                             HasSubstr("the live version is the released one")));
  EXPECT_EQ(project.read("live/history.txt"), "deployment completed\n");
  project.replace("jobs/deploy/release.txt", "version", "nonsense");
  EXPECT_EQ(project.heddle({"run", "deploy"}).exit_code, 1);
  EXPECT_EQ(project.read("live/current.txt"), "version 1\n");
}

TEST_F(CommandExample, BackupIsVerified) {
  const ExampleProject project("commands/backup", site_);
  expect_sound(project);
  const ProgramResult run = project.heddle({"run", "backup"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("backed up"), HasSubstr("verified")));
  EXPECT_GT(project.read("jobs/backup/backups/latest.tar.gz").size(), 50u);
}

TEST_F(CommandExample, PipelineJobsRunInOrder) {
  const ExampleProject project("commands/ci_pipeline", site_);
  expect_sound(project);
  for (const char* job : {"build", "unit-tests", "publish"})
    EXPECT_EQ(project.heddle({"run", job}).exit_code, 0) << job;
  EXPECT_EQ(project.read("workspace/published.c"), "int answer = 42;\n");
  EXPECT_EQ(project.read("workspace/result.txt"), "pipeline completed\n");
}

}  // namespace
}  // namespace heddle::testing
