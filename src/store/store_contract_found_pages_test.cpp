// FoundPagesContract: pages that pages of a run have found.
#include "store/store_contract_found_pages_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_P(FoundPagesContract, JoinTheRunTogetherWithThePageThatFoundThem) {
  const RunId run = begin_finding({"http://a/"});
  EXPECT_EQ(store_found(lease_one(run), {found("/1", 1, true), found("/2", 2)}), 2);
  const heddle::Run now = stored(run);
  EXPECT_EQ(now.pages.total, 3);
  EXPECT_EQ(now.pages.done, 1);
  const TaskBatch batch = lease(run);
  EXPECT_EQ(batch.unfinished, 2);
  ASSERT_THAT(urls_of(batch), ElementsAre("http://a/1", "http://a/2"));
  const Task& first = batch.leases[0].task;
  EXPECT_EQ(first.number, 2);
  EXPECT_EQ(first.depth, 1);
  EXPECT_TRUE(first.is_discovered);
  EXPECT_TRUE(first.is_baseline);
  EXPECT_EQ(batch.leases[1].task.depth, 2);
  EXPECT_FALSE(batch.leases[1].task.is_baseline);
}

TEST_P(FoundPagesContract, AreVisitedOncePerRun) {
  const RunId run = begin_finding({"http://a/", "http://b/"});
  EXPECT_EQ(store_found(lease_one(run), {found("/1"), found("/1"), found("/2")}), 2);
  EXPECT_EQ(store_found(lease_one(run), {found("/2"), found("/3")}), 1);
  EXPECT_THAT(urls_of(lease(run)), ElementsAre("http://a/1", "http://a/2", "http://a/3"));
}

TEST_P(FoundPagesContract, AreVisitedOncePerRunAlsoAfterARestart) {
  const RunId run = begin_finding({"http://a/", "http://b/"});
  EXPECT_EQ(store_found(lease_one(run), {found("/1")}), 1);
  const Lease held = lease_one(run);
  EXPECT_EQ(held.task.url, "http://b/");
  reopen();
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  const TaskBatch batch = lease(run);
  ASSERT_THAT(urls_of(batch), ElementsAre("http://b/", "http://a/1"));
  EXPECT_TRUE(batch.leases[1].task.is_discovered);
  EXPECT_EQ(store_found(batch.leases[0], {found("/1"), found("/2")}), 1);
  EXPECT_EQ(stored(run).pages.total, 4);
}

TEST_P(FoundPagesContract, AreAddedOnceWhenTheCommitIsRepeated) {
  const RunId run = begin_finding({"http://a/"});
  const Lease lease_of_page = lease_one(run);
  ASSERT_EQ(store_found(lease_of_page, {found("/1")}), 1);
  auto again = commit(page_with(lease_of_page, {found("/1"), found("/9")}));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(stored(run).pages.total, 2);
  EXPECT_THAT(urls_of(lease(run)), ElementsAre("http://a/1"));
}

TEST_P(FoundPagesContract, AreLostWithARefusedCommit) {
  const RunId run = begin_finding({"http://a/"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  const Lease newer = lease_one(run);
  auto refused = commit(page_with(old, {found("/1")}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(stored(run).pages.total, 1);
  EXPECT_EQ(store_found(newer, {found("/1")}), 1);
}

TEST_P(FoundPagesContract, JoinTheRunAlsoFromAnUnchangedPage) {
  ASSERT_EQ(store_page(begin("r0", {"http://a/"}), {1}), 1);
  const RunId run = begin_finding({"http://a/"});
  auto result = page_with(lease_one(run), {found("/1")});
  result.unchanged = true;
  result.new_items.clear();
  ASSERT_TRUE(commit(std::move(result)));
  EXPECT_THAT(urls_of(lease(run)), ElementsAre("http://a/1"));
}

TEST_P(FoundPagesContract, NeverExceedThePagesOfTheRun) {
  const RunId run = begin_finding({"http://a/", "http://b/"}, 3);
  EXPECT_EQ(store_found(lease_one(run), {found("/1"), found("/2"), found("/3")}), 1);
  EXPECT_EQ(store_found(lease_one(run), {found("/1"), found("/4")}), 0);
  EXPECT_EQ(store_found(lease_one(run), {}), 0);
  const heddle::Run now = stored(run);
  EXPECT_EQ(now.pages.total, 3);
  ASSERT_THAT(now.errors, SizeIs(1));
  EXPECT_EQ(now.errors[0].kind, ErrorKind::limited);
  EXPECT_THAT(now.errors[0].message, HasSubstr("limit of 3 pages"));
}

TEST_P(FoundPagesContract, ReachNoLimitWhenTheRunHasThemAll) {
  const RunId run = begin_finding({"http://a/", "http://b/"}, 3);
  EXPECT_EQ(store_found(lease_one(run), {found("/1")}), 1);
  EXPECT_EQ(store_found(lease_one(run), {found("/1")}), 0);
  EXPECT_THAT(stored(run).errors, IsEmpty());
}

TEST_P(FoundPagesContract, DoNotJoinARunThatFindsNone) {
  const RunId run = begin("r1", {"http://a/"});
  EXPECT_EQ(store_found(lease_one(run), {found("/1")}), 0);
  EXPECT_EQ(stored(run).pages.total, 1);
  EXPECT_THAT(stored(run).errors, IsEmpty());
}

TEST_P(FoundPagesContract, MayBeFoundAgainInTheNextRun) {
  const RunId run = begin_finding({"http://a/"});
  EXPECT_EQ(store_found(lease_one(run), {found("/1")}), 1);
  heddle::Run next = new_run("r2", "shop");
  next.most_pages = 10;
  ASSERT_TRUE(run_async(store_->begin_run(next, {"http://a/"})));
  EXPECT_EQ(store_found(lease_one(next.id), {found("/1")}), 1);
}

TEST_P(FoundPagesContract, AreTracedWithTheirDepth) {
  const RunId run = begin_finding({"http://a/"});
  EXPECT_EQ(store_found(lease_one(run), {found("/1", 2)}), 1);
  std::vector<Task> tasks;
  ASSERT_TRUE(reader()->for_each_trace(run, [&](const TaskTrace& trace) {
    tasks.push_back(trace.task);
    return true;
  }));
  ASSERT_THAT(tasks, SizeIs(2));
  EXPECT_FALSE(tasks[0].is_discovered);
  EXPECT_TRUE(tasks[1].is_discovered);
  EXPECT_EQ(tasks[1].depth, 2);
}

}  // namespace

}  // namespace heddle::store::testing
