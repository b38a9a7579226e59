// DeadLetterContract: retrying, resending and purging dead letters.
#include "store/store_contract_dead_letters_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_P(DeadLetterContract, ListsNewestFirstByJobAndFindsById) {
  dead_letter_pages("r1", {"http://a/1", "http://a/2"});
  dead_letter_pages("r2", {"http://b/1"}, "other");
  EXPECT_THAT(urls(), ElementsAre("http://b/1", "http://a/2", "http://a/1"));
  EXPECT_THAT(urls("shop"), ElementsAre("http://a/2", "http://a/1"));
  EXPECT_THAT(urls("unknown"), IsEmpty());
  const DeadLetter first = dead_letters("shop").back();
  EXPECT_EQ(first.origin, DeadLetterOrigin::page);
  EXPECT_EQ(first.job.text, "shop");
  EXPECT_EQ(first.run.text, "r1");
  EXPECT_EQ(first.task, 1);
  EXPECT_EQ(first.error_kind, "timeout");
  EXPECT_EQ(first.error, "too slow");
  EXPECT_EQ(first.attempts, 1);
  EXPECT_EQ(first.last_failed_at, at(4000));
  auto found = reader()->dead_letter(first.id);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->payload, "http://a/1");
  auto missing = reader()->dead_letter(4711);
  ASSERT_TRUE(missing);
  EXPECT_FALSE(missing->has_value());
}

TEST_P(DeadLetterContract, FindsIdsByTheirFirstDigits) {
  dead_letter_pages("r1", std::vector<std::string>(11, "http://a/"));
  const auto beginning_with = [&](const std::string& digits) {  // ids are those of events
    std::vector<DeadLetterId> wanted;
    for (const DeadLetterId id : ids())
      if (std::to_string(id).starts_with(digits)) wanted.push_back(id);
    std::ranges::sort(wanted);
    return wanted;
  };
  const std::vector<DeadLetterId> ones = beginning_with("1");
  ASSERT_GT(ones.size(), 2U);
  auto found = reader()->dead_letter_ids(1, 20);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, ones);
  EXPECT_THAT(*reader()->dead_letter_ids(1, 2), ElementsAre(ones[0], ones[1]));
  const DeadLetterId last = std::ranges::max(ids());
  EXPECT_THAT(*reader()->dead_letter_ids(last, 10), ElementsAre(last));
  for (const DeadLetterId none : {DeadLetterId{0}, DeadLetterId{-1}, DeadLetterId{99},
                                  std::numeric_limits<DeadLetterId>::max()})
    EXPECT_THAT(*reader()->dead_letter_ids(none, 10), IsEmpty()) << none;
}

TEST_P(DeadLetterContract, MovesPagesIntoARetryRun) {
  dead_letter_pages("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const auto all = ids();
  const auto pages = retry("r2", {all[0], all[2]});
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_EQ(*pages, 2);
  EXPECT_THAT(urls(), ElementsAre("http://a/2"));
  const auto batch = lease({"r2"});
  ASSERT_EQ(batch.leases.size(), 2u);
  EXPECT_EQ(batch.leases[0].task.url, "http://a/3");
  EXPECT_EQ(batch.leases[1].task.url, "http://a/1");
  EXPECT_EQ(events("page.retried"), 2u);
  reopen();
  EXPECT_THAT(urls(), ElementsAre("http://a/2")) << "durable";
}

TEST_P(DeadLetterContract, RetriesAPageOnceThatFailedInTwoRuns) {
  dead_letter_pages("r1", {"http://a/1"});
  dead_letter_pages("r2", {"http://a/1"});
  const auto pages = retry("r3", ids());
  ASSERT_TRUE(pages);
  EXPECT_EQ(*pages, 1);
  EXPECT_THAT(ids(), IsEmpty());
}

TEST_P(DeadLetterContract, RestoresPagesThatTheRetryRunDidNotReach) {
  dead_letter_pages("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const auto before = dead_letters();
  ASSERT_TRUE(retry("r2", ids()));
  ASSERT_TRUE(commit(page(lease_one({"r2"}), {})));  // http://a/3
  EXPECT_EQ(lease_one({"r2"}).task.url, "http://a/2") << "in flight when the run ends";
  EXPECT_THAT(ids(), IsEmpty());
  reopen();
  ASSERT_TRUE(end({"r2"}, RunState::cancelled));
  const auto after = dead_letters();
  ASSERT_EQ(after.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const DeadLetter& was = before[i + 1];
    EXPECT_EQ(after[i].id, was.id);
    EXPECT_EQ(after[i].payload, was.payload);
    EXPECT_EQ(after[i].run, was.run);
    EXPECT_EQ(after[i].task, was.task);
    EXPECT_EQ(after[i].error, was.error);
    EXPECT_EQ(after[i].attempts, was.attempts);
    EXPECT_EQ(after[i].first_failed_at, was.first_failed_at);
    EXPECT_EQ(after[i].last_failed_at, was.last_failed_at);
  }
  EXPECT_EQ(events("page.not_retried"), 2u);
  ASSERT_TRUE(end({"r2"}, RunState::stopped));
  EXPECT_EQ(ids().size(), 2u) << "the run had ended";
  EXPECT_TRUE(retry("r3", ids())) << "and can be tried again";
}

TEST_P(DeadLetterContract, KeepsAttemptsAndFirstFailureOfAPageThatFailsAgain) {
  dead_letter_pages("r1", {"http://a/1"});
  dead_letter_pages("r2", {"http://a/1"});
  ASSERT_TRUE(retry("r3", ids()));
  TaskDeath death;
  death.lease = lease_one({"r3"});
  death.job = {"shop"};
  death.error = {ErrorKind::connect, "gone", "http://a/1"};
  death.at = at(8000);
  ASSERT_TRUE(run_async(store_->dead_letter(std::move(death))));
  ASSERT_TRUE(end({"r3"}, RunState::failed));
  const auto after = dead_letters();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].attempts, 3);
  EXPECT_EQ(after[0].first_failed_at, at(4000));
  EXPECT_EQ(after[0].last_failed_at, at(8000));
  EXPECT_EQ(after[0].error, "gone");
  EXPECT_EQ(after[0].run.text, "r3");
}

TEST_P(DeadLetterContract, CountsAnAttemptThatFailedBeforeTheRunEnded) {
  dead_letter_pages("r1", {"http://a/1"});
  ASSERT_TRUE(retry("r2", ids()));
  TaskRetry later;
  later.lease = lease_one({"r2"});
  later.error = {ErrorKind::connect, "gone", "http://a/1"};
  later.at = at(7000);
  later.due_at = at(8000);
  ASSERT_TRUE(run_async(store_->postpone(std::move(later))));
  ASSERT_TRUE(end({"r2"}, RunState::limited));
  const auto after = dead_letters();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].attempts, 2);
  EXPECT_EQ(after[0].error, "gone");
  EXPECT_EQ(after[0].first_failed_at, at(4000));
  EXPECT_EQ(after[0].last_failed_at, at(7000));
}

TEST_P(DeadLetterContract, ChangesNothingWhenARetryRunIsRefused) {
  dead_letter_pages("r1", {"http://a/1"});
  dead_letter_pages("r2", {"http://b/1"}, "other");
  const auto all = ids();
  EXPECT_EQ(retry("r3", {all[1], 4711}).error().code, ErrorCode::not_found);
  EXPECT_EQ(retry("r3", {all[1], all[0]}).error().code, ErrorCode::bad_input);
  EXPECT_EQ(retry("r1", {all[1]}).error().code, ErrorCode::conflict) << "the run exists";
  EXPECT_EQ(ids(), all);
  auto run = run_async(store_->find_run({"r3"}));
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->has_value());
}

TEST_P(DeadLetterContract, RetriesADeadLetterOnce) {
  dead_letter_pages("r1", {"http://a/1"});
  const auto all = ids();
  ASSERT_TRUE(retry("r2", all));
  EXPECT_EQ(retry("r3", all).error().code, ErrorCode::not_found);
}

TEST_P(DeadLetterContract, NeverReusesAnId) {
  dead_letter_pages("r1", {"http://a/1"});
  const auto first = ids();
  ASSERT_TRUE(run_async(store_->purge_dead_letters(first, at(5000))));
  dead_letter_pages("r2", {"http://a/1"});
  EXPECT_NE(ids(), first);
}

TEST_P(DeadLetterContract, ResendsAMessageWithItsOriginalId) {
  store_deliveries({delivery("d1", 100)});
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"d1"}, at(500), "gone")));
  const DeadLetter dead_letter = dead_letters("shop").front();
  EXPECT_EQ(dead_letter.origin, DeadLetterOrigin::delivery);
  EXPECT_EQ(dead_letter.delivery->text, "d1");
  ASSERT_TRUE(run_async(store_->resend_dead_letters({dead_letter.id}, at(600))));
  EXPECT_THAT(ids(), IsEmpty());
  EXPECT_THAT(due(599), IsEmpty());
  auto message = run_async(store_->due_deliveries(at(600), 10));
  ASSERT_TRUE(message && message->size() == 1);
  EXPECT_EQ(message->front().id.text, "d1");
  EXPECT_EQ(message->front().attempts, 0);
  EXPECT_EQ(message->front().created_at, at(600)) << "its lifetime restarts";
  EXPECT_EQ(events("delivery.retried"), 1u);
  ASSERT_TRUE(run_async(store_->delivered({"d1"}, at(700))));
  EXPECT_EQ(counts().sent, 1);
}

TEST_P(DeadLetterContract, ResendsAllMessagesOrNone) {
  store_deliveries({delivery("d1", 100)});
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"d1"}, at(500), "gone")));
  dead_letter_pages("r2", {"http://a/1"});
  const auto all = ids();
  EXPECT_EQ(run_async(store_->resend_dead_letters({all[1], 4711}, at(600))).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(run_async(store_->resend_dead_letters({all[1], all[0]}, at(600))).error().code,
            ErrorCode::bad_input);
  EXPECT_EQ(ids(), all);
  EXPECT_THAT(due(1000), IsEmpty());
}

TEST_P(DeadLetterContract, PurgesAndCountsDeadLetters) {
  dead_letter_pages("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const auto all = ids();
  auto purged = run_async(store_->purge_dead_letters({all[0], all[1], 4711}, at(5000)));
  ASSERT_TRUE(purged);
  EXPECT_EQ(*purged, 2);
  EXPECT_THAT(urls(), ElementsAre("http://a/1"));
  EXPECT_EQ(events("dead_letters.purged"), 1u);
  auto again = run_async(store_->purge_dead_letters({all[0]}, at(5000)));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, 0);
  EXPECT_EQ(events("dead_letters.purged"), 1u) << "nothing happened";
}

}  // namespace

}  // namespace heddle::store::testing
