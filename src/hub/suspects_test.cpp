#include "hub/suspects.hpp"

#include <gtest/gtest.h>

namespace heddle::hub {
namespace {

Job job_of(const std::string& revision) {
  Job job;
  job.id = {"shop"};
  job.revision = revision;
  return job;
}

TEST(Suspects, AreJobsUnderWhichAWorkerDied) {
  Suspects suspects(3);
  EXPECT_FALSE(suspects.is_suspect({"shop"}));
  suspects.note_death(job_of("1"));
  EXPECT_TRUE(suspects.is_suspect({"shop"}));
  EXPECT_FALSE(suspects.is_quarantined(job_of("1")));
  EXPECT_FALSE(suspects.is_suspect({"other"}));
}

TEST(Suspects, AreQuarantinedAtTheLimit) {
  Suspects suspects(3);
  for (int i = 0; i < 3; ++i) suspects.note_death(job_of("1"));
  EXPECT_TRUE(suspects.is_quarantined(job_of("1")));
  EXPECT_EQ(suspects.deaths({"shop"}), 3);
}

TEST(Suspects, AreClearedByAPageThatIsDone) {
  Suspects suspects(3);
  suspects.note_death(job_of("1"));
  suspects.note_death(job_of("1"));
  suspects.note_page_done({"shop"});
  EXPECT_FALSE(suspects.is_suspect({"shop"}));
  suspects.note_death(job_of("1"));
  EXPECT_FALSE(suspects.is_quarantined(job_of("1")));
}

TEST(Suspects, StayInQuarantineWhenAnEarlierPageIsDoneLate) {
  Suspects suspects(1);
  suspects.note_death(job_of("1"));
  suspects.note_page_done({"shop"});
  EXPECT_TRUE(suspects.is_quarantined(job_of("1")));
}

TEST(Suspects, AreReleasedByAPersonOrByAChange) {
  Suspects suspects(1);
  suspects.note_death(job_of("1"));
  EXPECT_FALSE(suspects.is_quarantined(job_of("2")));
  suspects.release({"shop"});
  EXPECT_FALSE(suspects.is_quarantined(job_of("1")));
}

TEST(Suspects, CountAnewAfterAChange) {
  Suspects suspects(2);
  suspects.note_death(job_of("1"));
  suspects.note_death(job_of("2"));
  EXPECT_EQ(suspects.deaths({"shop"}), 1);
  EXPECT_FALSE(suspects.is_quarantined(job_of("2")));
}

}  // namespace
}  // namespace heddle::hub
