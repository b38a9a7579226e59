#include "hub/runs/dispatch/crash_tracker.hpp"

#include <gtest/gtest.h>

namespace heddle::hub {
namespace {

Job job_of(const std::string& revision) {
  Job job;
  job.id = {"shop"};
  job.revision = revision;
  return job;
}

TEST(CrashTracker, SuspectsAJobAfterACrash) {
  CrashTracker tracker(3);
  EXPECT_FALSE(tracker.is_suspect({"shop"}));
  tracker.record_crash(job_of("1"));
  EXPECT_TRUE(tracker.is_suspect({"shop"}));
  EXPECT_FALSE(tracker.is_quarantined(job_of("1")));
  EXPECT_FALSE(tracker.is_suspect({"other"}));
}

TEST(CrashTracker, QuarantinesAJobAtTheLimit) {
  CrashTracker tracker(3);
  for (int i = 0; i < 3; ++i) tracker.record_crash(job_of("1"));
  EXPECT_TRUE(tracker.is_quarantined(job_of("1")));
  EXPECT_EQ(tracker.crashes({"shop"}), 3);
}

TEST(CrashTracker, ClearsAJobAfterACompletedPage) {
  CrashTracker tracker(3);
  tracker.record_crash(job_of("1"));
  tracker.record_crash(job_of("1"));
  tracker.note_page_done({"shop"});
  EXPECT_FALSE(tracker.is_suspect({"shop"}));
  tracker.record_crash(job_of("1"));
  EXPECT_FALSE(tracker.is_quarantined(job_of("1")));
}

TEST(CrashTracker, KeepsAQuarantineWhenAnEarlierPageCompletesLate) {
  CrashTracker tracker(1);
  tracker.record_crash(job_of("1"));
  tracker.note_page_done({"shop"});
  EXPECT_TRUE(tracker.is_quarantined(job_of("1")));
}

TEST(CrashTracker, EndsAQuarantineOnClearOrChange) {
  CrashTracker tracker(1);
  tracker.record_crash(job_of("1"));
  EXPECT_FALSE(tracker.is_quarantined(job_of("2")));
  tracker.clear({"shop"});
  EXPECT_FALSE(tracker.is_quarantined(job_of("1")));
}

TEST(CrashTracker, RestartsTheCountAfterAChange) {
  CrashTracker tracker(2);
  tracker.record_crash(job_of("1"));
  tracker.record_crash(job_of("2"));
  EXPECT_EQ(tracker.crashes({"shop"}), 1);
  EXPECT_FALSE(tracker.is_quarantined(job_of("2")));
}

}  // namespace
}  // namespace heddle::hub
