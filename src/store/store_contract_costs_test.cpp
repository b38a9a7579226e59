// CostContract: cost and figures of runs.
#include "store/store_contract_costs_for_test.hpp"

namespace heddle::store::testing {

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST_P(CostContract, SumsTheCostOfTheRunsPages) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  auto first = page(lease_one(run), {1});
  first.cost = {1500us, 0};
  ASSERT_TRUE(commit(std::move(first)));
  ASSERT_TRUE(run_async(store_->postpone(retry(lease_one(run)))));
  TaskDeath death;
  death.lease = lease_one(run);
  death.job = {"shop"};
  death.cost = {20us, 0};
  ASSERT_TRUE(run_async(store_->dead_letter(std::move(death))));
  ASSERT_TRUE(run_async(store_->charge(run, {3us, 0})));
  EXPECT_EQ(found(run).cpu, 8523us);
  EXPECT_THAT(found(run).slots, ElementsAre(0, 2));

  auto ended = end(run);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->cpu, 8523us);
  EXPECT_EQ(found(run).cpu, 8523us);
  EXPECT_THAT(found(run).slots, ElementsAre(0, 2));
}

TEST_P(CostContract, KeepsTheLargestMemoryOfTheProcessesOfARun) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  auto first = page(lease_one(run), {1});
  first.cost = {1us, 0, 5000};
  ASSERT_TRUE(commit(std::move(first)));
  auto second = page(lease_one(run), {2});
  second.cost = {1us, 0, 3000};
  ASSERT_TRUE(commit(std::move(second)));
  EXPECT_EQ(found(run).peak_memory_bytes, 5000);
  ASSERT_TRUE(run_async(store_->charge(run, {1us, 0, 7000})));
  auto ended = end(run);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->peak_memory_bytes, 7000);
}

TEST_P(CostContract, DistinguishesWorkersWhoseNumbersShareAPrefix) {
  const RunId run = begin("r1", {});
  for (const int slot : {12, 1, 2, 12, 1}) ASSERT_TRUE(run_async(store_->charge(run, {1us, slot})));
  EXPECT_THAT(found(run).slots, ElementsAre(12, 1, 2));
}

TEST_P(CostContract, CountsARepeatedCommitOnce) {
  const RunId run = begin("r1", {"http://a/1"});
  auto result = page(lease_one(run), {1});
  result.cost = {1500us, 0};
  result.price_changes = 2;
  ASSERT_TRUE(commit(result));
  ASSERT_TRUE(commit(result));
  EXPECT_EQ(found(run).cpu, 1500us);
  EXPECT_EQ(found(run).price_changes, 2);
}

TEST_P(CostContract, ChargesNothingToARunThatHasEnded) {
  const RunId run = begin("r1", {});
  ASSERT_TRUE(end(run));
  auto charged = run_async(store_->charge(run, {1us, 0}));
  ASSERT_FALSE(charged);
  EXPECT_EQ(charged.error().code, ErrorCode::conflict);
  EXPECT_EQ(run_async(store_->charge({"unknown"}, {1us, 0})).error().code, ErrorCode::not_found);
}

TEST_P(CostContract, CountsPagesThatDifferFromTheirPreviousVersion) {
  show("r1", "one", {1});
  EXPECT_EQ(found({"r1"}).changes, 0);  // seen for the first time
  show("r2", "one", {1});
  EXPECT_EQ(found({"r2"}).changes, 0);
  show("r3", "two", {1});
  EXPECT_EQ(found({"r3"}).changes, 1);
}

TEST_P(CostContract, CountsItemsRemovedFromTheirPage) {
  show("r1", "one", {1, 2, 3});
  show("r2", "two", {2, 4});
  EXPECT_EQ(found({"r1"}).items.gone, 0);
  EXPECT_EQ(found({"r2"}).items.gone, 2);
  EXPECT_EQ(found({"r2"}).items.fresh, 1);
}

TEST_P(CostContract, ReportsNoPriceChangesWhenPricesWereNotChecked) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  ASSERT_TRUE(commit(page(lease_one(run), {1})));
  EXPECT_FALSE(found(run).price_changes);
  for (const int changes : {0, 3}) {
    auto priced = page(lease_one(run), {1});
    priced.price_changes = changes;
    ASSERT_TRUE(commit(std::move(priced)));
    EXPECT_EQ(found(run).price_changes, changes);
  }
}

TEST_P(CostContract, RecordsTheWorkerThatDeadLetteredAPage) {
  const RunId run = begin("r1", {"http://a/1"});
  TaskDeath death;
  death.lease = lease_one(run);
  death.job = {"shop"};
  death.cost = {20us, 3};
  ASSERT_TRUE(run_async(store_->dead_letter(std::move(death))));
  auto dead_letters = dead_letters_of(*reader(), {"shop"}, 10);
  ASSERT_TRUE(dead_letters);
  ASSERT_THAT(*dead_letters, SizeIs(1));
  EXPECT_EQ(dead_letters->front().slot, "3");
}

}  // namespace

}  // namespace heddle::store::testing
