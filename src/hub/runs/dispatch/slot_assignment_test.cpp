#include "hub/runs/dispatch/slot_assignment.hpp"

#include <gtest/gtest.h>

namespace heddle::hub {
namespace {

Job plain_job(const std::string& id, int workers = 1) {
  Job job;
  job.id = {id};
  job.workers = workers;
  return job;
}

Job scripted_job(const std::string& id) {
  Job job = plain_job(id);
  job.scripts.files = {"hooks.lua"};
  return job;
}

TEST(SlotAssignment, HasNoSlotUntilOneIsAdded) {
  SlotAssignment slots;
  EXPECT_FALSE(slots.choose(plain_job("a")));
  slots.add(3);
  EXPECT_EQ(slots.choose(plain_job("a")), 3U);
}

TEST(SlotAssignment, ChoosesTheLeastLoadedSlot) {
  SlotAssignment slots;
  slots.add(0);
  slots.add(1);
  slots.begin(plain_job("a", 8), 0);
  EXPECT_EQ(slots.choose(plain_job("b")), 1U);
  slots.begin(plain_job("b", 16), 1);
  EXPECT_EQ(slots.choose(plain_job("c")), 0U);
  slots.end(plain_job("b", 16), 1);
  EXPECT_EQ(slots.choose(plain_job("c")), 1U);
}

TEST(SlotAssignment, KeepsAScriptedJobWhereItsGlobalsAre) {
  SlotAssignment slots;
  slots.add(0);
  slots.add(1);
  slots.begin(scripted_job("a"), 0);
  slots.end(scripted_job("a"), 0);
  slots.begin(plain_job("busy", 50), 0);
  EXPECT_EQ(slots.choose(scripted_job("a")), 0U);
  EXPECT_EQ(slots.choose(scripted_job("b")), 1U);
}

TEST(SlotAssignment, AssignsJobsWithTheSamePageToOneSlot) {
  SlotAssignment slots;
  slots.add(0);
  slots.add(1);
  Job one = plain_job("a");
  Job other = plain_job("b");
  one.shared_page_group = other.shared_page_group = 7;
  slots.begin(one, 1);
  EXPECT_EQ(slots.choose(other), 1U);
  EXPECT_EQ(slots.choose(plain_job("c")), 0U);
}

TEST(SlotAssignment, DoesNotOverloadASlotForASharedPage) {
  SlotAssignment slots;
  slots.add(0);
  slots.add(1);
  Job one = plain_job("a", 100);
  one.shared_page_group = 7;
  slots.begin(one, 1);
  EXPECT_EQ(slots.choose(one), 0U);
}

TEST(SlotAssignment, MovesAJobWhoseSlotIsGone) {
  SlotAssignment slots;
  slots.add(0);
  slots.add(1);
  slots.begin(scripted_job("a"), 0);
  slots.remove(0);
  EXPECT_EQ(slots.choose(scripted_job("a")), 1U);
  slots.end(scripted_job("a"), 0);  // a late end changes nothing
  slots.remove(1);
  EXPECT_EQ(slots.choose(scripted_job("a")), std::nullopt);
}

TEST(SlotAssignment, ResetsTheLoadOfAProcessThatDied) {
  SlotAssignment slots;
  slots.add(0);
  slots.add(1);
  slots.begin(plain_job("a", 8), 0);
  slots.begin(plain_job("b", 1), 1);
  slots.remove(0);
  slots.add(0);
  EXPECT_EQ(slots.choose(plain_job("c")), 0U);
}

}  // namespace
}  // namespace heddle::hub
