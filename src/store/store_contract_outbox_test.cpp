// OutboxContract: messages from the commit that stores them to their end.
#include "store/store_contract_outbox_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

TEST_P(OutboxContract, ReturnsDueDeliveriesLongestDueFirst) {
  store_deliveries({delivery("late", 300), delivery("early", 100), delivery("middle", 200)});
  EXPECT_THAT(due(99), IsEmpty());
  EXPECT_THAT(due(200), ElementsAre("early", "middle"));
  EXPECT_THAT(due(1000), ElementsAre("early", "middle", "late"));
  EXPECT_THAT(due(1000, 1), ElementsAre("early"));
  auto full = run_async(store_->due_deliveries(at(100), 1));
  ASSERT_TRUE(full);
  EXPECT_EQ((*full)[0].kind, DeliveryKind::desktop);
  EXPECT_EQ((*full)[0].job.text, "shop");
  EXPECT_EQ((*full)[0].run.text, "r1");
  EXPECT_EQ((*full)[0].payload, "{\"title\":\"early\"}");
  EXPECT_EQ((*full)[0].created_at, at(100));
}

TEST_P(OutboxContract, StoresNoDeliveriesOfARefusedCommit) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  auto result = page(old, {1});
  result.deliveries = {delivery("d1", 100)};
  ASSERT_FALSE(commit(std::move(result)));
  EXPECT_THAT(due(1000), IsEmpty());
}

TEST_P(OutboxContract, StoresDeliveriesOfARepeatedCommitOnce) {
  const RunId run = begin("r1", {"http://a/1"});
  auto result = page(lease_one(run), {1});
  result.deliveries = {delivery("d1", 100)};
  ASSERT_TRUE(commit(result));
  result.deliveries = {delivery("d2", 100)};
  ASSERT_TRUE(commit(result));
  EXPECT_THAT(due(1000), ElementsAre("d1"));
}

TEST_P(OutboxContract, ReturnsADeliveredMessageNeverAgain) {
  store_deliveries({delivery("d1", 100)});
  ASSERT_TRUE(run_async(store_->delivered({"d1"}, at(500))));
  ASSERT_TRUE(run_async(store_->delivered({"d1"}, at(600))));
  reopen();
  EXPECT_THAT(due(1000), IsEmpty());
  EXPECT_EQ(counts().sent, 1);
  EXPECT_EQ(counts().waiting, 0);
}

TEST_P(OutboxContract, PostponesAMessageWithTheSameIdAndOneMoreAttempt) {
  store_deliveries({delivery("d1", 100)});
  ASSERT_TRUE(run_async(store_->postpone_delivery({"d1"}, {at(1000), 4000ms}, "refused")));
  EXPECT_THAT(due(4999), IsEmpty());
  auto found = run_async(store_->due_deliveries(at(5000), 10));
  ASSERT_TRUE(found);
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_EQ((*found)[0].id.text, "d1");
  EXPECT_EQ((*found)[0].attempts, 1);
  EXPECT_EQ((*found)[0].waited, 4000ms);
  EXPECT_EQ(counts().waiting, 1);
}

TEST_P(OutboxContract, AddsUpTheWaitsOfAMessageUntilItIsSentAgain) {
  store_deliveries({delivery("d1", 100)});
  ASSERT_TRUE(run_async(store_->postpone_delivery({"d1"}, {at(1000), 4000ms}, "refused")));
  ASSERT_TRUE(run_async(store_->postpone_delivery({"d1"}, {at(900'000), 500ms}, "refused")));
  const auto found = run_async(store_->due_deliveries(at(900'500), 10));
  ASSERT_TRUE(found);
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_EQ((*found)[0].waited, 4500ms);
}

TEST_P(OutboxContract, MovesWaitsWithAClockThatIsSet) {
  store_deliveries({delivery("d1", 100'000), delivery("due", 90'000)});
  ASSERT_TRUE(run_async(store_->postpone_delivery({"d1"}, {at(100'000), 5000ms}, "refused")));
  ASSERT_TRUE(run_async(store_->shift_waits(-80'000ms)));
  EXPECT_THAT(due(24'999), ElementsAre("due"));
  EXPECT_THAT(due(25'000), ElementsAre("due", "d1"));
  ASSERT_TRUE(run_async(store_->shift_waits(10'000ms)));
  EXPECT_THAT(due(34'999), ElementsAre("due"));
}

TEST_P(OutboxContract, RestartsOnlyWaitsThatBeginInTheFuture) {
  store_deliveries({delivery("d1", 100'000), delivery("d2", 100), delivery("new", 100'000)});
  ASSERT_TRUE(run_async(store_->postpone_delivery({"d1"}, {at(100'000), 5000ms}, "refused")));
  ASSERT_TRUE(run_async(store_->postpone_delivery({"d2"}, {at(500), 90'000ms}, "asked to wait")));
  ASSERT_TRUE(run_async(store_->restart_waits_after(at(1000))));
  EXPECT_THAT(due(5999), ElementsAre("new"));
  EXPECT_THAT(due(6000), ElementsAre("new", "d1"));
  EXPECT_THAT(due(90'499), ElementsAre("new", "d1"));
  EXPECT_THAT(due(90'500), ElementsAre("new", "d1", "d2"));
}

TEST_P(OutboxContract, MovesAndRestartsTheWaitsOfPages) {
  const RunId run = begin("r1", {"http://a/1"});
  const TaskRetry retry{
      .lease = lease_one(run), .error = {}, .due_at = at(105'000), .trace = {}, .at = at(100'000)};
  ASSERT_TRUE(run_async(store_->postpone(retry)));
  ASSERT_TRUE(run_async(store_->shift_waits(-10'000ms)));
  EXPECT_EQ(lease(run, 1, at(1000)).next_due, at(95'000));
  ASSERT_TRUE(run_async(store_->restart_waits_after(at(1000))));
  EXPECT_EQ(lease(run, 1, at(1000)).next_due, at(6000));
  ASSERT_TRUE(run_async(store_->restart_waits_after(at(1000))));
  EXPECT_EQ(lease(run, 1, at(1000)).next_due, at(6000));
}

TEST_P(OutboxContract, MarksADeadLetteredMessageAsDead) {
  store_deliveries({delivery("d1", 100)});
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"d1"}, at(500), "gone")));
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"d1"}, at(500), "gone")));
  EXPECT_THAT(due(1000), IsEmpty());
  EXPECT_EQ(counts().dead, 1);
  auto late = run_async(store_->delivered({"d1"}, at(600)));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
}

TEST_P(OutboxContract, RefusesToUpdateAnUnknownMessage) {
  EXPECT_EQ(run_async(store_->delivered({"x"}, at(0))).error().code, ErrorCode::not_found);
  EXPECT_EQ(run_async(store_->postpone_delivery({"x"}, {}, "")).error().code, ErrorCode::not_found);
  EXPECT_EQ(run_async(store_->dead_letter_delivery({"x"}, at(0), "")).error().code,
            ErrorCode::not_found);
}

}  // namespace

}  // namespace heddle::store::testing
