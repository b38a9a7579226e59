#include "hub/run_places.hpp"

#include <utility>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RunPlacesTest : public ::testing::Test {
 protected:
  static JobEntry entry(const std::string& id) {
    JobEntry made;
    made.job.id = JobId{id};
    return made;
  }
  // The places outlive those who hold one.
  void TearDown() override {
    places_.close();
    give_back_all();
  }
  void want(JobEntry& job, int at = 0) {
    places_.want(job, "time", WallTime(std::chrono::milliseconds(at)));
  }

  void give_back_all() {
    const auto given_back = std::exchange(held_, {});  // others take them at once
  }

  std::vector<std::string> started_;
  std::vector<RunPlaces::HeldPlace> held_;
  RunPlaces places_{1, [this](JobEntry& job, std::string, RunPlaces::HeldPlace place) {
                      started_.push_back(job.job.id.text);
                      held_.push_back(std::move(place));
                    }};
  JobEntry first_ = entry("first");
  JobEntry second_ = entry("second");
  JobEntry third_ = entry("third");
};

TEST_F(RunPlacesTest, AreGivenInTheOrderInWhichJobsCame) {
  want(first_);
  want(second_, 20);
  want(third_, 10);
  EXPECT_THAT(started_, ElementsAre("first"));
  EXPECT_TRUE(first_.is_busy());
  EXPECT_EQ(places_.waiting().count, 2u);
  EXPECT_EQ(places_.waiting().since, WallTime(std::chrono::milliseconds(10)));
  give_back_all();
  EXPECT_THAT(started_, ElementsAre("first", "second"));
  EXPECT_FALSE(first_.is_busy());
}

TEST_F(RunPlacesTest, WaitForTheFormerRunOfAJob) {
  places_.set_count(5);
  want(first_);
  want(first_);
  EXPECT_THAT(started_, ElementsAre("first"));
  give_back_all();
  EXPECT_THAT(started_, ElementsAre("first", "first"));
}

TEST_F(RunPlacesTest, AreFilledWhenThereAreMore) {
  want(first_);
  want(second_);
  places_.set_count(2);
  EXPECT_THAT(started_, ElementsAre("first", "second"));
}

TEST_F(RunPlacesTest, GoToNobodyWhoGaveUp) {
  want(first_);
  want(second_);
  places_.forget_wish(second_);
  give_back_all();
  EXPECT_THAT(started_, ElementsAre("first"));
  EXPECT_EQ(places_.taken(), 0u);
}

TEST_F(RunPlacesTest, GoToNobodyOnceTheyAreClosed) {
  places_.close();
  want(first_);
  EXPECT_THAT(started_, IsEmpty());
}

}  // namespace
}  // namespace heddle::hub
