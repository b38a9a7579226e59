#include "config/read/shared_pages.hpp"

#include <gtest/gtest.h>

namespace heddle::config {
namespace {

Job job(std::vector<std::string> urls) {
  Job made;
  made.urls = std::move(urls);
  return made;
}

TEST(SharedPages, AreFetchedByAtLeastTwoJobs) {
  std::vector<Job> jobs{job({"https://a.test/1", "https://a.test/2"}), job({"https://a.test/2"}),
                        job({"https://a.test/3"})};
  find_shared_pages(jobs);
  EXPECT_NE(jobs[0].shared_page_group, 0u);
  EXPECT_EQ(jobs[0].shared_page_group, jobs[1].shared_page_group);
  EXPECT_EQ(jobs[2].shared_page_group, 0u);
}

TEST(SharedPages, AreComparedAsUrlsWithoutTheirFragment) {
  std::vector<Job> jobs{job({"HTTPS://A.test:443/x#top"}), job({"https://a.test/x"})};
  find_shared_pages(jobs);
  EXPECT_NE(jobs[0].shared_page_group, 0u);
}

TEST(SharedPages, ExcludePagesThatOneJobNamesTwice) {
  std::vector<Job> jobs{job({"https://a.test/1", "https://a.test/1"}), job({"https://a.test/2"})};
  find_shared_pages(jobs);
  EXPECT_EQ(jobs[0].shared_page_group, 0u);
}

TEST(SharedPages, ExcludeRequestsWithSideEffects) {
  std::vector<Job> jobs{job({"https://a.test/1"}), job({"https://a.test/1"})};
  jobs[0].method = "POST";
  find_shared_pages(jobs);
  EXPECT_EQ(jobs[0].shared_page_group, 0u);
  EXPECT_EQ(jobs[1].shared_page_group, 0u);
}

TEST(SharedPages, AreClearedWhenTheOtherJobIsRemoved) {
  std::vector<Job> jobs{job({"https://a.test/1"}), job({"https://a.test/1"})};
  find_shared_pages(jobs);
  jobs.pop_back();
  find_shared_pages(jobs);
  EXPECT_EQ(jobs[0].shared_page_group, 0u);
}

}  // namespace
}  // namespace heddle::config
