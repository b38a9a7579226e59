#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using ::testing::ElementsAre;

TEST(JobFolders, MustNotBeNested) {
  ProjectForTest project;
  project.job("").job("", "a/deep/inner").job("", "ab");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems),
              ElementsAre("jobs/a/deep/inner/config.toml: lies inside the folder of the job in "
                          "jobs/a/config.toml, whose scripts could read and change this job's "
                          "files: move it out"));
  ASSERT_EQ(loaded.project.jobs.size(), 2u);
  EXPECT_EQ(loaded.project.jobs[0].id.text, "a");
  EXPECT_EQ(loaded.project.jobs[1].id.text, "ab");
}

}  // namespace
}  // namespace heddle::config
