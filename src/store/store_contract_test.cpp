// StoreContract: runs, tasks and commits.
#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TEST_P(StoreContract, BeginsARunInProgressWithATaskPerUrl) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const TaskBatch batch = lease(run);
  ASSERT_THAT(batch.leases, SizeIs(3));
  EXPECT_EQ(batch.leases[0].task.number, 1);
  EXPECT_EQ(batch.leases[0].task.url, "http://a/1");
  EXPECT_EQ(batch.leases[0].task.attempt, 1);
  EXPECT_EQ(batch.leases[2].task.number, 3);

  auto stored = reader()->run(run);
  ASSERT_TRUE(stored && *stored);
  EXPECT_EQ((*stored)->state, RunState::in_progress);
  EXPECT_EQ((*stored)->job.text, "shop");
  EXPECT_EQ((*stored)->trigger, RunTrigger::manual);
  EXPECT_EQ((*stored)->revision, "r1");
  EXPECT_EQ((*stored)->started_at, at(1000));
  EXPECT_EQ((*stored)->pages.total, 3);
}

TEST_P(StoreContract, RefusesASecondRunWithTheSameId) {
  begin("r1", {"http://a/1"});
  auto again = run_async(store_->begin_run(new_run("r1", "shop"), {}));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
}

TEST_P(StoreContract, BeginsARunWithoutPages) {
  const TaskBatch batch = lease(begin("r1", {}));
  EXPECT_THAT(batch.leases, IsEmpty());
  EXPECT_EQ(batch.unfinished, 0);
}

TEST_P(StoreContract, LeasesAtMostAsManyTasksAsAskedLowestFirst) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  EXPECT_EQ(lease(run, 2).leases[1].task.number, 2);
  const TaskBatch rest = lease(run, 2);
  ASSERT_THAT(rest.leases, SizeIs(1));
  EXPECT_EQ(rest.leases[0].task.number, 3);
  EXPECT_EQ(rest.unfinished, 3);
}

TEST_P(StoreContract, DoesNotLeaseATaskTwice) {
  const RunId run = begin("r1", {"http://a/1"});
  lease_one(run);
  EXPECT_THAT(lease(run).leases, IsEmpty());
}

TEST_P(StoreContract, KeepsTheTasksOfTwoRunsApart) {
  const RunId one = begin("r1", {"http://a/1"});
  const RunId two = begin("r2", {"http://b/1"});
  EXPECT_EQ(lease_one(two).task.url, "http://b/1");
  EXPECT_EQ(lease_one(one).task.url, "http://a/1");
}

TEST_P(StoreContract, FindsAnActiveRunWithItsCountsSoFar) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  ASSERT_TRUE(commit(page(lease_one(run), {1, 2})));
  TaskDeath death;
  death.lease = lease_one(run);
  death.job = {"shop"};
  death.error = {ErrorKind::http, "the answer was 404", "http://a/2"};
  death.at = at(5);
  ASSERT_TRUE(run_async(store_->dead_letter(std::move(death))));

  auto found = run_async(store_->find_run(run));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->pages.total, 3);
  EXPECT_EQ((*found)->pages.done, 1);
  EXPECT_EQ((*found)->items.fresh, 2);
  ASSERT_THAT((*found)->errors, SizeIs(1));
  EXPECT_EQ((*found)->errors[0].kind, ErrorKind::http);
  EXPECT_EQ((*found)->errors[0].url, "http://a/2");
  EXPECT_FALSE((*found)->ended_at);
  auto unknown = run_async(store_->find_run({"unknown"}));
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(*unknown);
}

TEST_P(StoreContract, FindsRunsByTheStartOfTheirIds) {
  for (const char* id : {"01ka1", "01ka2", "01kb", "02"}) begin(id, {"http://a/"});
  const auto found = [this](const char* prefix, std::size_t max) {
    auto ids = reader()->run_ids(prefix, max);
    std::vector<std::string> texts;
    if (ids)
      for (const RunId& id : *ids) texts.push_back(id.text);
    return texts;
  };
  EXPECT_THAT(found("01ka", 10), ElementsAre("01ka1", "01ka2"));
  EXPECT_THAT(found("01k", 2), SizeIs(2));
  EXPECT_THAT(found("01kb", 10), ElementsAre("01kb"));
  EXPECT_THAT(found("01kc", 10), IsEmpty());
}

TEST_P(StoreContract, CannotLeaseFromAnUnknownOrEndedRun) {
  auto unknown = run_async(store_->lease_tasks({"unknown"}, 1, at(0)));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
  const RunId run = begin("r1", {"http://a/1"});
  ASSERT_TRUE(end(run));
  auto ended = run_async(store_->lease_tasks(run, 1, at(0)));
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::conflict);
}

TEST_P(StoreContract, StoresItemsAndEndsTheTaskOnCommit) {
  const RunId run = begin("r1", {"http://a/1"});
  auto receipt = commit(page(lease_one(run), {1, 2, 3}));
  ASSERT_TRUE(receipt) << receipt.error().message;
  EXPECT_EQ(receipt->new_items, 3);
  EXPECT_FALSE(receipt->repeated);
  EXPECT_EQ(lease(run).unfinished, 0);
  EXPECT_THAT(titles(), UnorderedElementsAre("item 1", "item 2", "item 3"));
}

TEST_P(StoreContract, IgnoresARepeatedCommitAndReturnsTheSameReceipt) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  const Lease held = lease_one(run);
  ASSERT_TRUE(commit(page(held, {1, 2})));
  auto again = commit(page(held, {1, 2, 3}));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->new_items, 2);
  EXPECT_TRUE(again->repeated);
  EXPECT_THAT(records(), SizeIs(2));
  EXPECT_EQ(lease(run, 0).unfinished, 1);
  EXPECT_THAT(known({3}).keys, ElementsAre(false));
}

TEST_P(StoreContract, AnswersARepeatedCommitAfterTheRunHasEnded) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease held = lease_one(run);
  ASSERT_TRUE(commit(page(held, {1})));
  ASSERT_TRUE(end(run));
  auto again = commit(page(held, {1}));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
}

TEST_P(StoreContract, RefusesACommitWithAnOlderToken) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  const Lease fresh = lease_one(run);
  EXPECT_GT(fresh.token, old.token);

  auto late = commit(page(old, {1}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_THAT(records(), IsEmpty());
  EXPECT_TRUE(commit(page(fresh, {2})));
}

TEST_P(StoreContract, RefusesACommitOfATaskThatAnotherTokenEnded) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  ASSERT_TRUE(commit(page(lease_one(run), {1})));
  auto late = commit(page(old, {2}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
}

TEST_P(StoreContract, RefusesTheTokenOfAReleasedLeaseBeforeTheNextLease) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  auto late = commit(page(old, {1}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
}

TEST_P(StoreContract, RefusesACommitToAnEndedRun) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease held = lease_one(run);
  ASSERT_TRUE(end(run, RunState::cancelled));
  auto late = commit(page(held, {1}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_THAT(records(), IsEmpty());
}

TEST_P(StoreContract, RefusesACommitOfAnUnknownTask) {
  const RunId run = begin("r1", {"http://a/1"});
  Lease held = lease_one(run);
  held.task.number = 7;
  auto lost = commit(page(held, {1}));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, RefusesACommitForAnotherJobThanTheRuns) {
  const RunId run = begin("r1", {"http://a/1"});
  auto wrong = commit(page(lease_one(run), {1}, "other"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_input);
}

TEST_P(StoreContract, StoresAnItemOnceHoweverOftenItIsFound) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  EXPECT_EQ(store_page(run, {1, 2, 2, 3}), 3);
  EXPECT_EQ(store_page(run, {2, 3, 4}), 1);
  EXPECT_THAT(records(), SizeIs(4));
}

TEST_P(StoreContract, StoresAnItemOnceOverRunsAndRestarts) {
  EXPECT_EQ(store_page(begin("r1", {"http://a/1"}), {1, 2}), 2);
  reopen();
  EXPECT_EQ(store_page(begin("r2", {"http://a/1"}), {1, 2}), 0);
  EXPECT_THAT(records(), SizeIs(2));
}

TEST_P(StoreContract, StoresEqualKeysOfTwoJobsSeparately) {
  EXPECT_EQ(store_page(begin("r1", {"http://a/1"}, "shop"), {1, 2}, at(3000), "shop"), 2);
  EXPECT_THAT(known({1, 2}, "market").keys, ElementsAre(false, false));
  EXPECT_EQ(store_page(begin("r2", {"http://a/1"}, "market"), {1, 2}, at(3000), "market"), 2);
  EXPECT_THAT(records("shop"), SizeIs(2));
  EXPECT_THAT(records("market"), SizeIs(2));
}

TEST_P(StoreContract, EndsTheTaskOfASkippedPageWithoutChangingThePage) {
  const RunId run = begin("r1", {"http://a/1"});
  auto first = page(lease_one(run), {1});
  first.memory.etag = "\"e\"";
  ASSERT_TRUE(commit(std::move(first)));
  const RunId next = begin("r2", {"http://a/1"});
  auto skipped = page(lease_one(next), {});
  skipped.outcome = TaskState::skipped;
  ASSERT_TRUE(commit(std::move(skipped)));

  auto ended = end(next);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->pages.skipped, 1);
  EXPECT_EQ(ended->pages.done, 0);
  auto memory = run_async(store_->recall_page({"shop"}, "http://a/1"));
  ASSERT_TRUE(memory && *memory);
  EXPECT_EQ((*memory)->etag, "\"e\"");
}

TEST_P(StoreContract, LeasesAPostponedTaskWhenItIsDue) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  const Lease held = lease_one(run);
  TaskRetry retry{.lease = held,
                  .error = {ErrorKind::dns, "no such host", ""},
                  .due_at = at(5000),
                  .trace = {}};
  ASSERT_TRUE(run_async(store_->postpone(retry)));

  const TaskBatch before = lease(run, 100, at(4999));
  ASSERT_THAT(before.leases, SizeIs(1));
  EXPECT_EQ(before.leases[0].task.number, 2);
  EXPECT_EQ(before.next_due, at(5000));
  EXPECT_EQ(before.unfinished, 2);

  const TaskBatch due = lease(run, 100, at(5000));
  ASSERT_THAT(due.leases, SizeIs(1));
  EXPECT_EQ(due.leases[0].task.number, 1);
  EXPECT_EQ(due.leases[0].task.attempt, 2);
  EXPECT_GT(due.leases[0].token, held.token);
  EXPECT_EQ(due.next_due, std::nullopt);
}

TEST_P(StoreContract, LeasesADueRetryBeforePendingTasksWithHigherNumbers) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const TaskRetry retry{.lease = lease_one(run), .error = {}, .due_at = at(5000), .trace = {}};
  ASSERT_TRUE(run_async(store_->postpone(retry)));
  const TaskBatch batch = lease(run, 2, at(6000));
  ASSERT_THAT(batch.leases, SizeIs(2));
  EXPECT_EQ(batch.leases[0].task.number, 1);
  EXPECT_EQ(batch.leases[1].task.number, 2);
}

TEST_P(StoreContract, IgnoresARepeatedPostponement) {
  const RunId run = begin("r1", {"http://a/1"});
  const TaskRetry retry{.lease = lease_one(run), .error = {}, .due_at = at(5000), .trace = {}};
  ASSERT_TRUE(run_async(store_->postpone(retry)));
  ASSERT_TRUE(run_async(store_->postpone(retry)));
  EXPECT_EQ(lease_one(run, at(5000)).task.attempt, 2);
}

TEST_P(StoreContract, RefusesToPostponeOrDeadLetterWithAnOlderToken) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  lease_one(run);
  auto postponed = run_async(store_->postpone({.lease = old, .error = {}, .trace = {}}));
  ASSERT_FALSE(postponed);
  EXPECT_EQ(postponed.error().code, ErrorCode::conflict);
  auto refused =
      run_async(store_->dead_letter({.lease = old, .job = {"shop"}, .error = {}, .trace = {}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
}

TEST_P(StoreContract, NeverLeasesADeadTaskAndCountsItAsFailed) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  const TaskDeath death{
      .lease = lease_one(run), .job = {"shop"}, .error = {ErrorKind::http, "404", ""}, .trace = {}};
  ASSERT_TRUE(run_async(store_->dead_letter(death)));
  ASSERT_TRUE(run_async(store_->dead_letter(death)));  // a repetition
  const TaskBatch rest = lease(run, 100, at(1'000'000));
  ASSERT_THAT(rest.leases, SizeIs(1));
  EXPECT_EQ(rest.unfinished, 1);
  auto late = commit(page(death.lease, {1}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);

  auto ended = end(run, RunState::failed);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->pages.failed, 1);
}

TEST_P(StoreContract, ReleasesOnlyTheLeasesOfTheGivenRun) {
  const RunId one = begin("r1", {"http://a/1"});
  const RunId two = begin("r2", {"http://b/1"});
  const Lease first = lease_one(one);
  const Lease second = lease_one(two);
  ASSERT_TRUE(run_async(store_->release_leases(one)));
  EXPECT_FALSE(commit(page(first, {1})));
  EXPECT_TRUE(commit(page(second, {2})));
  EXPECT_EQ(lease_one(one).task.attempt, 1);
}

TEST_P(StoreContract, EndsARunWithCountsSummedUpFromItsTasks) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3", "http://a/4"});
  store_page(run, {1, 2});
  store_page(run, {2, 3});
  ASSERT_TRUE(run_async(
      store_->dead_letter({.lease = lease_one(run), .job = {"shop"}, .error = {}, .trace = {}})));
  std::vector<RunError> errors{{ErrorKind::dns, "no such host", "http://a/3"}};
  auto ended = run_async(store_->end_run(run, RunState::limited, errors, at(9000)));
  ASSERT_TRUE(ended) << ended.error().message;

  auto kept = reader()->run(run);
  ASSERT_TRUE(kept && *kept);
  for (const heddle::Run& result : {*ended, **kept}) {
    EXPECT_EQ(result.state, RunState::limited);
    EXPECT_EQ(result.ended_at, at(9000));
    EXPECT_EQ(result.pages.total, 4);
    EXPECT_EQ(result.pages.done, 2);
    EXPECT_EQ(result.pages.failed, 1);
    EXPECT_EQ(result.items.seen, 4);
    EXPECT_EQ(result.items.fresh, 3);
    EXPECT_EQ(result.bytes, 200);
    ASSERT_THAT(result.errors, SizeIs(1));
    EXPECT_EQ(result.errors[0].url, "http://a/3");
    EXPECT_EQ(result.errors[0].kind, ErrorKind::dns);
  }
}

TEST_P(StoreContract, NamesInTheEventOfAnEndWhyTheRunItselfDidNotComplete) {
  const RunId run = begin("r1", {"http://a/1"});
  const std::vector<RunError> errors{{ErrorKind::dns, "no such host", "http://a/1"},
                                     {ErrorKind::interrupted, "heddle was stopped", ""}};
  ASSERT_TRUE(run_async(store_->end_run(run, RunState::failed, errors, at(9000))));
  auto events = reader()->events(0, 10);
  ASSERT_TRUE(events);
  EXPECT_EQ(events->back().data, R"({"state":"failed","error":"heddle was stopped"})");
}

TEST_P(StoreContract, KeepsAnEndedRunUnchanged) {
  const RunId run = begin("r1", {"http://a/1"});
  ASSERT_TRUE(end(run, RunState::cancelled));
  auto again = run_async(store_->end_run(run, RunState::completed, {}, at(99'000)));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->state, RunState::cancelled);
  EXPECT_EQ(again->ended_at, at(9000));
}

TEST_P(StoreContract, KeepsOnlyTheFirstErrorsOfARun) {
  const RunId run = begin("r1", {});
  const std::vector<RunError> errors(kKeptRunErrors + 5, RunError{ErrorKind::dns, "x", "u"});
  auto ended = run_async(store_->end_run(run, RunState::failed, errors, at(9000)));
  ASSERT_TRUE(ended);
  EXPECT_THAT(ended->errors, SizeIs(kKeptRunErrors));
}

TEST_P(StoreContract, RefusesToEndAnUnknownRunOrWithANonTerminalState) {
  EXPECT_EQ(end({"unknown"}).error().code, ErrorCode::not_found);
  const RunId run = begin("r1", {});
  EXPECT_EQ(end(run, RunState::paused).error().code, ErrorCode::bad_input);
}

TEST_P(StoreContract, FindsRunsLeftUnfinishedByACrash) {
  const RunId one = begin("r1", {"http://a/1", "http://a/2"});
  begin("r2", {});
  store_page(one, {1});
  ASSERT_TRUE(end({"r2"}));
  reopen();
  auto left = run_async(store_->unfinished_runs());
  ASSERT_TRUE(left) << left.error().message;
  ASSERT_THAT(*left, SizeIs(1));
  EXPECT_EQ((*left)[0].id, one);
  EXPECT_EQ((*left)[0].pages.total, 2);
  EXPECT_EQ((*left)[0].pages.done, 1);
}

TEST_P(StoreContract, ResumesExactlyTheOpenTasksAfterARestart) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  store_page(run, {1});
  const Lease held = lease_one(run);
  reopen();
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  const TaskBatch batch = lease(run);
  ASSERT_THAT(batch.leases, SizeIs(2));
  EXPECT_EQ(batch.leases[0].task.number, 2);
  EXPECT_GT(batch.leases[0].token, held.token);
  EXPECT_FALSE(commit(page(held, {9})));
}

}  // namespace

}  // namespace heddle::store::testing
