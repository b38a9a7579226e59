#include "lifecycle/run_ledger.hpp"

#include <gtest/gtest.h>

#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::lifecycle {
namespace {

using heddle::testing::run_async;

Job list_job(std::size_t pages) {
  Job job;
  job.id = JobId{"job"};
  job.name = "Job";
  job.is_url_list = true;
  for (std::size_t i = 0; i < pages; ++i) job.urls.push_back("http://x/" + std::to_string(i));
  return job;
}

class RunLedgerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    ledger_ = std::make_unique<RunLedger>(*store_, clock_);
  }

  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{*parse_iso8601("2026-11-15T12:00:00Z")};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<RunLedger> ledger_;
};

TEST_F(RunLedgerTest, CreatesATaskPerPageOfAList) {
  const Job job = list_job(3);
  auto begun = run_async(ledger_->begin(job, RunTrigger::manual));
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_EQ(begun->pages.total, 3);
  EXPECT_FALSE(was_truncated(*begun));
  auto batch = run_async(store_->lease_tasks(begun->id, 10, clock_.now()));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->leases.size(), 3u);
}

TEST_F(RunLedgerTest, CreatesATaskPerWorkerOfASingleUrl) {
  Job job = list_job(1);
  job.is_url_list = false;
  job.workers = 4;
  auto begun = run_async(ledger_->begin(job, RunTrigger::manual));
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->pages.total, 4);
}

TEST_F(RunLedgerTest, OmitsPagesBeyondTheLimit) {
  Job job = list_job(5);
  job.limits.pages_per_run = 2;
  auto begun = run_async(ledger_->begin(job, RunTrigger::manual));
  ASSERT_TRUE(begun);
  EXPECT_TRUE(was_truncated(*begun));
  EXPECT_EQ(begun->pages.total, 2);
}

TEST_F(RunLedgerTest, LetsOnlyDiscoveringJobsFindPages) {
  Job job = list_job(2);
  EXPECT_EQ(run_async(ledger_->begin(job, RunTrigger::manual))->most_pages, 0);
  job.discover.is_enabled = true;
  EXPECT_EQ(run_async(ledger_->begin(job, RunTrigger::manual))->most_pages, 10'000);
  EXPECT_EQ(run_async(ledger_->begin(job, RunTrigger::manual, 1, 7))->most_pages, 7);
  job.discover.max_pages = 5;
  const auto begun = run_async(ledger_->begin(job, RunTrigger::manual));
  EXPECT_EQ(begun->most_pages, 5);
  EXPECT_EQ((*run_async(store_->find_run(begun->id)))->most_pages, 5);
}

TEST_F(RunLedgerTest, EndsUnfinishedRunsAsInterrupted) {
  const Job job = list_job(2);
  auto begun = run_async(ledger_->begin(job, RunTrigger::manual));
  ASSERT_TRUE(begun);
  auto ended = run_async(ledger_->end_interrupted_runs(job.id));
  ASSERT_TRUE(ended);
  EXPECT_EQ(*ended, 1u);
  auto run = run_async(store_->find_run(begun->id));
  ASSERT_TRUE(run && *run);
  ASSERT_EQ((*run)->errors.size(), 1u);
  EXPECT_EQ((*run)->errors[0].kind, ErrorKind::interrupted);
  EXPECT_EQ((*run)->errors[0].message,
            "heddle was stopped before this run had ended, and a later run replaced it; the items "
            "it stored are kept");
  auto again = run_async(ledger_->end_interrupted_runs(job.id));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, 0u);
}

TEST_F(RunLedgerTest, KeepsUnfinishedRunsOfOtherJobs) {
  ASSERT_TRUE(run_async(ledger_->begin(list_job(2), RunTrigger::manual)));
  auto ended = run_async(ledger_->end_interrupted_runs({"another"}));
  ASSERT_TRUE(ended);
  EXPECT_EQ(*ended, 0u);
}

}  // namespace
}  // namespace heddle::lifecycle
