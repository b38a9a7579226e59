#include "cli/no_such_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

config::LoadedJob broken_job(const std::string& id) {
  config::LoadedJob job;
  job.id = JobId{id};
  job.origin = {"jobs/" + (id.empty() ? "x" : id) + "/config.toml", 1};
  job.problems.push_back({job.origin.file, 3, {}, "not TOML: an open quote"});
  return job;
}

TEST(NoSuchJob, SuggestsANearName) {
  EXPECT_EQ(no_such_job("shopp", {"shop", "tea"}, {}),
            "there is no job 'shopp'; did you mean 'shop'?");
}

TEST(NoSuchJob, ListsTheJobsWhenNoneIsNear) {
  EXPECT_EQ(no_such_job("x", {"shop", "tea"}, {}), "there is no job 'x'; jobs are: shop, tea");
}

TEST(NoSuchJob, NamesBrokenFilesOfJobsWithoutAName) {
  config::Loaded loaded;
  loaded.jobs = {broken_job("")};
  const std::string text = no_such_job("shopp", {"shop"}, loaded);
  EXPECT_THAT(text, HasSubstr("did you mean 'shop'?"));
  EXPECT_THAT(text, HasSubstr("jobs/x/config.toml:3: not TOML: an open quote"));
}

TEST(NoSuchJob, NamesTheMisnamedFileInTheFolderOfThatName) {
  config::Loaded loaded;
  loaded.misnamed.push_back({"jobs/c/job.toml", 0, {}, "is not read; rename it"});
  EXPECT_EQ(no_such_job("c", {"shop"}, loaded),
            "there is no job 'c': jobs/c/job.toml is not read; rename it");
  EXPECT_THAT(no_such_job("d", {}, loaded), HasSubstr("jobs/c/job.toml is not read"));
}

TEST(NoSuchJob, SaysHowToBeginWithoutJobs) {
  EXPECT_EQ(no_such_job("a", {}, {}),
            "there is no job 'a': the project has no jobs yet; `heddle add URL` writes one");
}

TEST(NoSuchJob, KeepsTheListOfReasonsShort) {
  config::Loaded loaded;
  for (int i = 0; i < 5; ++i) loaded.jobs.push_back(broken_job(""));
  EXPECT_THAT(no_such_job("a", {}, loaded), HasSubstr("and 2 more: `heddle check` shows all"));
}

TEST(UnlistedJobs, ExcludeJobsThatHaveAnId) {
  config::Loaded loaded;
  loaded.jobs = {broken_job("tea")};
  EXPECT_TRUE(unlisted_jobs(loaded).empty());
}

}  // namespace
}  // namespace heddle::cli
