// StoreContract: alerts of the whole system, and the load they are evaluated from.
#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SystemAlert alert(const std::string& key, AlertLevel level = AlertLevel::warning) {
  return {key, level, "trouble with " + key, at(5000)};
}

AlertChange change_of(const SystemAlert& about, bool is_over = false) {
  AlertChange change;
  change.alert = about;
  change.is_over = is_over;
  JobEvent& event = change.event.emplace();
  event.kind = is_over ? "alert.over" : "alert.raised";
  event.at = at(6000);
  event.data = {{"key", about.key}};
  return change;
}

Delivery message(const std::string& id, const std::string& channel) {
  Delivery delivery;
  delivery.id = {id};
  delivery.payload = "{}";
  delivery.channel = channel;
  delivery.created_at = delivery.due_at = at(6000);
  return delivery;
}

TEST_P(StoreContract, KeepsAlertsUntilTheyAreOver) {
  ASSERT_TRUE(run_async(store_->change_alert(change_of(alert("b")))));
  ASSERT_TRUE(run_async(store_->change_alert(change_of(alert("a", AlertLevel::critical)))));
  ASSERT_TRUE(run_async(store_->change_alert(change_of(alert("b", AlertLevel::emergency)))));
  reopen();
  auto alerts = run_async(store_->alerts());
  ASSERT_TRUE(alerts) << alerts.error().message;
  EXPECT_THAT(*alerts,
              ElementsAre(alert("a", AlertLevel::critical), alert("b", AlertLevel::emergency)));
  ASSERT_TRUE(run_async(store_->change_alert(change_of(alert("a"), true))));
  auto read = reader()->alerts();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(*read, ElementsAre(alert("b", AlertLevel::emergency)));
}

TEST_P(StoreContract, UpdatesTheTextOfAnAlertWithoutAnEvent) {
  ASSERT_TRUE(run_async(store_->change_alert(change_of(alert("a")))));
  AlertChange words = change_of(alert("a"));
  words.alert.text = "other figures";
  words.event.reset();
  ASSERT_TRUE(run_async(store_->change_alert(words)));
  const auto read = reader()->alerts();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(*read, ElementsAre(words.alert));
  const auto events = reader()->events(0, 10);
  ASSERT_TRUE(events);
  EXPECT_EQ(events->size(), 1u);
}

TEST_P(StoreContract, KeepsTheEventAndMessagesOfAnAlertThatBelongToNoJob) {
  AlertChange change = change_of(alert("a"));
  change.deliveries = {message("m1", "ops"), message("m2", "screen")};
  ASSERT_TRUE(run_async(store_->change_alert(std::move(change))));
  auto events = reader()->events(0, 10);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 1u);
  EXPECT_EQ(events->front().kind, "alert.raised");
  EXPECT_EQ(events->front().job.text, "");
  EXPECT_EQ(events->front().data, R"({"key":"a"})");
  auto due = run_async(store_->due_deliveries(at(6000), 10));
  ASSERT_TRUE(due);
  ASSERT_EQ(due->size(), 2u);
  EXPECT_EQ(due->front().channel, "ops");
  EXPECT_EQ(due->front().job.text, "");
  auto jobs = reader()->jobs();
  ASSERT_TRUE(jobs);
  EXPECT_THAT(*jobs, IsEmpty());
}

TEST_P(StoreContract, DeadLettersAndResendsAMessageToAChannel) {
  AlertChange change = change_of(alert("a"));
  change.deliveries = {message("m1", "ops")};
  ASSERT_TRUE(run_async(store_->change_alert(std::move(change))));
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"m1"}, at(7000), "gone")));
  auto dead_letters = dead_letters_of(*reader(), {}, 10);
  ASSERT_TRUE(dead_letters) << dead_letters.error().message;
  ASSERT_EQ(dead_letters->size(), 1u);
  EXPECT_EQ(dead_letters->front().job.text, "");
  ASSERT_TRUE(run_async(store_->resend_dead_letters({dead_letters->front().id}, at(8000))));
  auto due = run_async(store_->due_deliveries(at(8000), 10));
  ASSERT_TRUE(due);
  ASSERT_EQ(due->size(), 1u);
  EXPECT_EQ(due->front().channel, "ops");
}

TEST_P(StoreContract, ReportsActiveRunsAndBacklog) {
  const RunId busy = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const RunId paused = begin("r2", {"http://b/1"}, "other");
  ASSERT_TRUE(run_async(store_->mark_run(paused, RunState::paused)));
  ASSERT_TRUE(end(begin("r3", {"http://c/1"}, "third")));
  store_page(busy, {1});
  TaskRetry retry;
  retry.lease = lease_one(busy);
  retry.due_at = at(50'000);
  ASSERT_TRUE(run_async(store_->postpone(retry)));

  auto load = run_async(store_->system_load(at(0)));
  ASSERT_TRUE(load) << load.error().message;
  ASSERT_EQ(load->runs.size(), 1u);
  const RunLoad& run = load->runs.front();
  EXPECT_EQ(run.run, busy);
  EXPECT_EQ(run.job.text, "shop");
  EXPECT_EQ(run.started_at, at(1000));
  EXPECT_EQ(run.open_tasks, 2);
  EXPECT_TRUE(run.has_pending);
  EXPECT_EQ(run.next_retry, at(50'000));
  lease(busy);
  load = run_async(store_->system_load(at(0)));
  ASSERT_TRUE(load);
  EXPECT_FALSE(load->runs.front().has_pending);
}

TEST_P(StoreContract, CountsWaitingMessagesAndNewDeadLetters) {
  AlertChange change = change_of(alert("a"));
  change.deliveries = {message("m1", "ops"), message("m2", "ops"), message("m3", "ops")};
  ASSERT_TRUE(run_async(store_->change_alert(std::move(change))));
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"m1"}, at(7000), "gone")));
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"m2"}, at(9000), "gone")));
  auto load = run_async(store_->system_load(at(8000)));
  ASSERT_TRUE(load);
  EXPECT_EQ(load->messages_waiting, 1);
  EXPECT_EQ(load->dead_letters, 2);
  EXPECT_EQ(load->new_dead_letters, 1);
}

TEST_P(StoreContract, ReportsTheFiguresOfRecentRuns) {
  begin("r1", {"http://a/1", "http://a/2"});
  store_page({"r1"}, {1, 2});
  ASSERT_TRUE(end({"r1"}, RunState::limited));
  begin("r2", {"http://a/1"});
  ASSERT_TRUE(end({"r2"}, RunState::failed));
  begin("r3", {"http://a/1"});
  ASSERT_TRUE(end(begin("r4", {"http://a/1"}, "other")));

  auto runs = run_async(store_->recent_runs({"shop"}, 10));
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ(runs->front().state, RunState::failed);
  RunFigures first;
  first.state = RunState::limited;
  first.started_at = at(1000);
  first.ended_at = at(9000);
  first.done = 1;
  first.new_items = 2;
  EXPECT_EQ(runs->back(), first);
  auto read = reader()->recent_runs({"shop"}, 1);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 1u);
  read = reader()->recent_runs({"unknown"}, 1);
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, IsEmpty());
}

}  // namespace

}  // namespace heddle::store::testing
