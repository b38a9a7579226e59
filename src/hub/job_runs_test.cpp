#include "hub/job_runs.hpp"

#include <gmock/gmock.h>

#include "hub/desk_for_test.hpp"

namespace heddle::hub {
namespace {

class JobRunsTest : public DeskFixture {
 protected:
  static Job with_pages(int pages, int limit) {
    Job made = job();
    made.urls.clear();
    for (int page = 0; page < pages; ++page)
      made.urls.push_back("http://a/" + std::to_string(page));
    made.limits.pages_per_run = limit;
    return made;
  }

  // A former coordinator left the run with all its pages stored; this one goes on with it.
  RunState state_of_leftover(const Job& then, const Job& now) {
    lifecycle::RunKeeper keeper(*store_, clock_);
    auto begun = drive(keeper.begin(then, "manual"));
    EXPECT_TRUE(begun);
    commit_all(begun->run.id);
    JobRuns runs(*desk_, *store_, clock_);
    std::optional<Result<FinishedRun>> finished;
    boost::asio::co_spawn(loop_, runs.go_on(now, begun->run, nullptr),
                          [&](const std::exception_ptr& bug, Result<FinishedRun> result) {
                            rethrow(bug);
                            finished = std::move(result);
                          });
    PlayedWorker& worker = become_ready(kFirst);
    EXPECT_TRUE(gets_a_run(worker));
    say_ended(worker, begun->run.id, ipc::RunEnd::worked_through);
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

TEST_F(JobRunsTest, CallALeftoverCompletedWhoseJobGotMorePagesMeanwhile) {
  EXPECT_EQ(state_of_leftover(with_pages(6, 100), with_pages(8, 100)), RunState::completed);
}

TEST_F(JobRunsTest, CallALeftoverLimitedThatWasCutWhenItBegan) {
  EXPECT_EQ(state_of_leftover(with_pages(8, 5), with_pages(8, 5)), RunState::limited);
}

TEST_F(JobRunsTest, CallALeftoverCompletedThatWasAsLongAsItsLimitWhenItsListGrew) {
  EXPECT_EQ(state_of_leftover(with_pages(5, 5), with_pages(8, 5)), RunState::completed);
}

TEST_F(JobRunsTest, CallALeftoverLimitedThatWasCutThoughItsListIsShorterNow) {
  EXPECT_EQ(state_of_leftover(with_pages(8, 5), with_pages(3, 100)), RunState::limited);
}

TEST_F(JobRunsTest, CallALeftoverCompletedThatIsAsLongAsItsList) {
  EXPECT_EQ(state_of_leftover(with_pages(5, 5), with_pages(5, 5)), RunState::completed);
}

TEST_F(JobRunsTest, CancelARunThatIsNotWantedAnyMoreWhenItBegins) {
  JobRuns runs(*desk_, *store_, clock_);
  auto finished = drive(runs.run(with_pages(2, 5), "manual", nullptr,
                                 [this](const heddle::Run& run) { desk_->cancel(run.id); }));
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->run.state, RunState::cancelled);
}

}  // namespace
}  // namespace heddle::hub
