#include "hub/runs/page_run_executor.hpp"

#include <gmock/gmock.h>

#include "hub/runs/dispatch/run_dispatcher_for_test.hpp"
#include "lifecycle/run_ledger.hpp"

namespace heddle::hub {
namespace {

class PageRunExecutorTest : public RunDispatcherFixture {
 protected:
  static Job with_pages(int pages, int limit) {
    Job made = job();
    made.urls.clear();
    for (int page = 0; page < pages; ++page)
      made.urls.push_back("http://a/" + std::to_string(page));
    made.limits.pages_per_run = limit;
    return made;
  }

  // The previous coordinator left the run with all its pages stored; this one resumes it.
  RunState end_state_of_unfinished_run(const Job& then, const Job& now) {
    lifecycle::RunLedger ledger(*store_, clock_);
    auto begun = drive(ledger.begin(then, RunTrigger::manual));
    EXPECT_TRUE(begun);
    commit_all(begun->id);
    PageRunExecutor runs(*dispatcher_, *store_, clock_);
    std::optional<Result<ExecutionResult>> finished;
    boost::asio::co_spawn(loop_, runs.execute(now, *begun, nullptr),
                          [&](const std::exception_ptr& bug, Result<ExecutionResult> result) {
                            rethrow(bug);
                            finished = std::move(result);
                          });
    FakeWorker& worker = become_ready(kFirst);
    EXPECT_TRUE(receives_run(worker));
    report_end(worker, begun->id, ExecutionEnd::finished);
    EXPECT_TRUE(run_until([&] { return finished.has_value(); }));
    return (*finished)->run.state;
  }

  void commit_all(const RunId& run) {
    const auto batch = drive(store_->lease_tasks(run, 1000, clock_.now()));
    ASSERT_TRUE(batch);
    for (const Lease& lease : batch->leases) {
      PageResult page;
      page.lease = lease;
      page.job = job().id;
      page.final_url = lease.task.url;
      ASSERT_TRUE(drive(store_->commit(std::move(page))));
    }
  }

  SystemClock clock_;
};

TEST_F(PageRunExecutorTest, CompletesAnUnfinishedRunWhoseJobGotMorePages) {
  EXPECT_EQ(end_state_of_unfinished_run(with_pages(6, 100), with_pages(8, 100)),
            RunState::completed);
}

TEST_F(PageRunExecutorTest, EndsATruncatedRunAsLimited) {
  EXPECT_EQ(end_state_of_unfinished_run(with_pages(8, 5), with_pages(8, 5)), RunState::limited);
}

TEST_F(PageRunExecutorTest, CompletesAnUnfinishedRunAtItsLimitWhoseListGrew) {
  EXPECT_EQ(end_state_of_unfinished_run(with_pages(5, 5), with_pages(8, 5)), RunState::completed);
}

TEST_F(PageRunExecutorTest, EndsATruncatedRunWhoseListIsShorterNowAsLimited) {
  EXPECT_EQ(end_state_of_unfinished_run(with_pages(8, 5), with_pages(3, 100)), RunState::limited);
}

TEST_F(PageRunExecutorTest, CompletesAnUnfinishedRunAsLongAsItsList) {
  EXPECT_EQ(end_state_of_unfinished_run(with_pages(5, 5), with_pages(5, 5)), RunState::completed);
}

TEST_F(PageRunExecutorTest, CancelsARunThatIsCancelledWhenItBegins) {
  PageRunExecutor runs(*dispatcher_, *store_, clock_);
  lifecycle::RunLedger ledger(*store_, clock_);
  const Job two_pages = with_pages(2, 5);
  auto begun = drive(ledger.begin(two_pages, RunTrigger::manual));
  ASSERT_TRUE(begun);
  const RunId id = begun->id;
  auto finished = drive(runs.execute(two_pages, *begun, nullptr, [&] { dispatcher_->cancel(id); }));
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->run.state, RunState::cancelled);
}

}  // namespace
}  // namespace heddle::hub
