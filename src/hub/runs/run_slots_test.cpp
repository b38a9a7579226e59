#include "hub/runs/run_slots.hpp"

#include <utility>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RunSlotsTest : public ::testing::Test {
 protected:
  static ManagedJob entry(const std::string& id) {
    ManagedJob made;
    made.job.id = JobId{id};
    return made;
  }
  // RunSlots must outlive the held slots.
  void TearDown() override {
    run_slots_.close();
    release_all();
  }
  void enqueue(ManagedJob& job, int at = 0) {
    run_slots_.enqueue(job, RunTrigger::time, WallTime(std::chrono::milliseconds(at)));
  }

  void release_all() {
    const auto released = std::exchange(held_, {});  // other jobs acquire them immediately
  }

  std::vector<std::string> started_;
  std::vector<RunSlots::HeldRunSlot> held_;
  RunSlots run_slots_{1, [this](ManagedJob& job, RunTrigger, RunSlots::HeldRunSlot slot) {
                        started_.push_back(job.job.id.text);
                        held_.push_back(std::move(slot));
                      }};
  ManagedJob first_ = entry("first");
  ManagedJob second_ = entry("second");
  ManagedJob third_ = entry("third");
};

TEST_F(RunSlotsTest, AreAssignedInTheOrderOfRequests) {
  enqueue(first_);
  enqueue(second_, 20);
  enqueue(third_, 10);
  EXPECT_THAT(started_, ElementsAre("first"));
  EXPECT_TRUE(first_.is_busy());
  EXPECT_EQ(run_slots_.queued().count, 2u);
  EXPECT_EQ(run_slots_.queued().since, WallTime(std::chrono::milliseconds(10)));
  release_all();
  EXPECT_THAT(started_, ElementsAre("first", "second"));
  EXPECT_FALSE(first_.is_busy());
}

TEST_F(RunSlotsTest, WaitForThePreviousRunOfAJob) {
  run_slots_.set_limit(5);
  enqueue(first_);
  enqueue(first_);
  EXPECT_THAT(started_, ElementsAre("first"));
  release_all();
  EXPECT_THAT(started_, ElementsAre("first", "first"));
}

TEST_F(RunSlotsTest, AreFilledWhenTheLimitRises) {
  enqueue(first_);
  enqueue(second_);
  run_slots_.set_limit(2);
  EXPECT_THAT(started_, ElementsAre("first", "second"));
}

TEST_F(RunSlotsTest, SkipARemovedRequest) {
  enqueue(first_);
  enqueue(second_);
  run_slots_.remove_from_queue(second_);
  release_all();
  EXPECT_THAT(started_, ElementsAre("first"));
  EXPECT_EQ(run_slots_.in_use(), 0u);
}

TEST_F(RunSlotsTest, StartNothingAfterClose) {
  run_slots_.close();
  enqueue(first_);
  EXPECT_THAT(started_, IsEmpty());
}

}  // namespace
}  // namespace heddle::hub
