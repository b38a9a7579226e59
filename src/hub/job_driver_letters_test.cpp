// JobDriver: runs over the pages of dead letters.
#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

class JobDriverLetters : public DriverFixture {
 protected:
  // The job's first run, in which its page dies.
  LetterId lose_page(const std::string& id) {
    heddle::Run run;
    run.id = {"lost-" + id};
    run.job = {id};
    run.started_at = clock_.now();
    EXPECT_TRUE(drive(store_->begin_run(run, {"http://dead/" + id})));
    auto batch = drive(store_->lease_tasks(run.id, 1, clock_.now()));
    EXPECT_TRUE(batch && batch->leases.size() == 1);
    TaskDeath death;
    death.lease = batch->leases.front();
    death.job = {id};
    death.error = {"timeout", "too slow", "http://dead/" + id};
    death.at = clock_.now();
    EXPECT_TRUE(drive(store_->bury(std::move(death))));
    EXPECT_TRUE(drive(store_->end_run(run.id, RunState::failed, {}, clock_.now())));
    return letters().front();
  }

  std::vector<LetterId> letters() {
    auto reader = store::SqliteReader::open(file());
    EXPECT_TRUE(reader);
    auto all = (*reader)->dead_letters({}, 100);
    EXPECT_TRUE(all);
    std::vector<LetterId> ids;
    for (const DeadLetter& letter : *all) ids.push_back(letter.id);
    return ids;
  }

  std::vector<std::string> pages_of(const RunId& run) {
    auto reader = store::SqliteReader::open(file());
    EXPECT_TRUE(reader);
    auto traces = (*reader)->traces(run);
    EXPECT_TRUE(traces);
    std::vector<std::string> urls;
    for (const store::TaskTrace& trace : *traces) urls.push_back(trace.task.url);
    return urls;
  }

  // Begins it and comes back when its pages are being worked on, or it is refused.
  void retry(const std::string& job, std::vector<LetterId> ids) {
    ended_.reset();
    boost::asio::co_spawn(*loop_,
                          driver_->retry_letters(JobId{job}, std::move(ids), nullptr, nullptr),
                          [this](const std::exception_ptr& bug, Result<FinishedRun> result) {
                            rethrow_bug(bug);
                            ended_ = std::move(result);
                          });
    ASSERT_TRUE(run_until([&] { return ended_ || office_->works_on(job); }));
  }

  std::optional<Result<FinishedRun>> ended_;
};

TEST_F(JobDriverLetters, RunExactlyTheirPages) {
  adopt({job("shop")});
  const LetterId letter = lose_page("shop");
  retry("shop", {letter});
  EXPECT_EQ(state("shop"), JobState::running);
  EXPECT_THAT(letters(), IsEmpty()) << "the run has the page now";
  ASSERT_EQ(office_->begun_runs.size(), 1u);
  EXPECT_EQ(office_->begun_runs[0].trigger, "dead_letter");
  EXPECT_THAT(pages_of(office_->begun_runs[0].id), ElementsAre("http://dead/shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  ASSERT_TRUE(run_until([&] { return ended_.has_value(); }));
  ASSERT_TRUE(*ended_);
  EXPECT_EQ((*ended_)->run.state, RunState::completed);
  EXPECT_EQ(life("shop").run, std::nullopt);
}

TEST_F(JobDriverLetters, AreRefusedAndKeptWhereTheTableDoesNotAllowARun) {
  adopt({job("shop")});
  const LetterId letter = lose_page("shop");
  ASSERT_TRUE(act("shop", JobAction::pause));
  retry("shop", {letter});
  ASSERT_TRUE(ended_ && !*ended_);
  EXPECT_EQ(ended_->error().code, ErrorCode::conflict);
  EXPECT_THAT(ended_->error().message, HasSubstr("is paused (user): `trigger` is not possible"));
  EXPECT_THAT(letters(), ElementsAre(letter));
  retry("nobody", {letter});
  EXPECT_EQ(ended_->error().code, ErrorCode::not_found);
}

TEST_F(JobDriverLetters, AreRefusedWhileTheJobRuns) {
  adopt({job("shop")});
  const LetterId letter = lose_page("shop");
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  const auto refused = drive(driver_->retry_letters(JobId{"shop"}, {letter}, nullptr, nullptr));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(letters(), ElementsAre(letter));
}

TEST_F(JobDriverLetters, ThatAreGoneLeaveTheJobAsItWas) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  const JobLife before = life("shop");
  retry("shop", {4711});
  ASSERT_TRUE(ended_ && !*ended_);
  EXPECT_EQ(ended_->error().code, ErrorCode::not_found);
  EXPECT_EQ(state("shop"), JobState::scheduled);
  EXPECT_EQ(life("shop").run, std::nullopt);
  EXPECT_EQ(life("shop").next_run_at, before.next_run_at);
  EXPECT_EQ(life("shop").check, before.check);
  EXPECT_THAT(events("shop"), Not(Contains("job.failed")));
}

TEST_F(JobDriverLetters, SayNothingAboutTheJobAsAWhole) {
  Job shop = job("shop");
  shop.retry.runs = 3;
  Job follower = job("follower");
  follower.after = {{JobId{"shop"}, TriggerOn::finished}};
  adopt({shop, follower});
  const LetterId letter = lose_page("shop");
  retry("shop", {letter});
  office_->finish("shop", RunState::failed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_EQ(life("shop").check, CheckState::pending);
  EXPECT_EQ(life("shop").failed_runs, 0);
  EXPECT_EQ(life("shop").attempt, 0) << "the whole job is not tried again for it";
  EXPECT_EQ(life("shop").next_run_at, std::nullopt);
  EXPECT_EQ(state("follower"), JobState::scheduled);
}

TEST_F(JobDriverLetters, GoOnAfterADaemonThatDiedWithTheRunWrittenDown) {
  adopt({job("shop")});
  const LetterId letter = lose_page("shop");
  retry("shop", {letter});
  restart({job("shop")});
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_THAT(letters(), IsEmpty());
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_THAT(office_->begun_runs, IsEmpty()) << "it was the same run";
}

// Between the job's step and the record of the run: neither a run of the whole job nor a lost page.
TEST_F(JobDriverLetters, StayWhereADaemonDiedBeforeTheRunWasWrittenDown) {
  adopt({job("shop")});
  const LetterId letter = lose_page("shop");
  JobChange change;
  change.from = JobState::scheduled;
  change.now = life("shop");
  change.now.state = JobState::starting;
  change.now.run = RunId{"never-written"};
  ASSERT_TRUE(drive(store_->change_job(std::move(change))));
  restart({job("shop")});
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_EQ(life("shop").run, std::nullopt);
  EXPECT_THAT(letters(), ElementsAre(letter));
  EXPECT_THAT(office_->begun_runs, IsEmpty());
}

}  // namespace
}  // namespace heddle::hub
