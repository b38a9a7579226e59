#include "model/job/job.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Project two_jobs() {
  Project project;
  project.root = "/srv/watch";
  project.data_dir = "/srv/watch/data";
  project.jobs.resize(2);
  project.jobs[0].id = {"shop"};
  project.jobs[0].name = "The Shop";
  project.jobs[0].directory = "/srv/watch/jobs/eu/shop";
  project.jobs[1].id = {"eu-shop"};
  project.jobs[1].name = "shop";
  return project;
}

TEST(Project, FindsJobsByIdBeforeName) {
  const Project project = two_jobs();
  EXPECT_EQ(project.find_job("shop"), &project.jobs[0]);
  EXPECT_EQ(project.find_job("The Shop"), &project.jobs[0]);
  EXPECT_EQ(project.find_job("eu-shop"), &project.jobs[1]);
  EXPECT_EQ(project.find_job("nope"), nullptr);
  EXPECT_EQ(project.find_job(""), nullptr);
}

TEST(Project, FindsJobsByAnySpellingOfTheirFolder) {
  const Project project = two_jobs();
  for (const char* folder :
       {"jobs/eu/shop", "jobs/eu/shop/", "./jobs/eu/shop", "eu/shop", "jobs/../jobs/eu/shop/",
        "/srv/watch/jobs/eu/shop", "/srv/watch/jobs/eu/shop/"})
    EXPECT_EQ(project.find_job(folder), &project.jobs[0]) << folder;
  EXPECT_EQ(project.find_job("jobs/eu"), nullptr);
}

TEST(Project, StoresAJobsFilesUnderItsId) {
  const Project project = two_jobs();
  EXPECT_EQ(project.job_data_dir(project.jobs[1]), "/srv/watch/data/jobs/eu-shop");
}

}  // namespace
}  // namespace heddle
