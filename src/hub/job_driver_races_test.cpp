// People and the daemon itself act on a job at the same moment.
#include <boost/asio/co_spawn.hpp>

#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;

class JobDriverRaces : public DriverFixture {
 protected:
  // Begun now, done at some time; `answers` grows by one.
  template <class T>
  void begin(Async<T> work) {
    boost::asio::co_spawn(*loop_, std::move(work), [this](const std::exception_ptr& bug, T answer) {
      rethrow_bug(bug);
      ++answers_;
      if (answer) ++allowed_;
    });
  }
  bool all_answer(int count) {
    return run_until([this, count] { return answers_ == count; });
  }

  void pause_a_run(const std::string& id = "shop") {
    ASSERT_TRUE(drive(driver_->adopt_job(job(id))));
    ASSERT_TRUE(act(id, JobAction::trigger));
    ASSERT_TRUE(is_worked_on(id));
    ASSERT_TRUE(act(id, JobAction::pause));
    ASSERT_TRUE(run_until([this] { return driver_->runs_under_way() == 0; }));
  }

  int answers_ = 0;
  int allowed_ = 0;
};

TEST_F(JobDriverRaces, ResumeARunOnceHoweverManyAskForIt) {
  pause_a_run();
  for (int i = 0; i < 4; ++i) begin(driver_->act(JobId{"shop"}, JobAction::resume));
  ASSERT_TRUE(all_answer(4));
  EXPECT_EQ(allowed_, 1);
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(driver_->runs_under_way(), 1u);

  // A page is in flight for a while: the next resume waits until the run has come to rest.
  office_->is_deaf = true;
  ASSERT_TRUE(act("shop", JobAction::pause));
  begin(driver_->act(JobId{"shop"}, JobAction::resume));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(drive(store_->remember_job({{"z"}, "z", "web", ""})));
  EXPECT_EQ(answers_, 4);
  EXPECT_EQ(driver_->runs_under_way(), 1u);
  office_->is_deaf = false;
  office_->halt(*life("shop").run, Halt::pause);
  ASSERT_TRUE(all_answer(5));
  EXPECT_EQ(allowed_, 2);
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(driver_->runs_under_way(), 1u);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_TRUE(run_until([this] { return driver_->runs_under_way() == 0; }));
  EXPECT_EQ(office_->begun_runs.size(), 1u);
}

// One action after the other, with more and more time in between.
constexpr int kMoments = 25;

TEST_F(JobDriverRaces, StopARunAtOnceThatIsBeingResumed) {
  for (int moment = 0; moment < kMoments; ++moment) {
    const std::string id = "shop" + std::to_string(moment);
    pause_a_run(id);
    office_->is_deaf = true;  // only force ends it
    begin(driver_->act(JobId{id}, JobAction::resume));
    for (int i = 0; i < moment; ++i) loop_->run_one_for(std::chrono::milliseconds(1));
    begin(driver_->act(JobId{id}, JobAction::stop, true));
    ASSERT_TRUE(comes_to(id, JobState::stopped)) << moment;
    EXPECT_EQ(life(id).run, std::nullopt);
    office_->is_deaf = false;
    office_->finish(id, RunState::completed);
    ASSERT_TRUE(run_until([this] { return driver_->runs_under_way() == 0; }));
    EXPECT_TRUE(drive(store_->unfinished_runs())->empty()) << moment;
  }
  EXPECT_EQ(ended_.size(), static_cast<std::size_t>(kMoments)) << "each is told once";
}

TEST_F(JobDriverRaces, CancelARunThatIsBeingResumed) {
  for (int moment = 0; moment < kMoments; ++moment) {
    const std::string id = "shop" + std::to_string(moment);
    pause_a_run(id);
    begin(driver_->act(JobId{id}, JobAction::resume));
    for (int i = 0; i < moment; ++i) loop_->run_one_for(std::chrono::milliseconds(1));
    begin(driver_->act(JobId{id}, JobAction::cancel));
    ASSERT_TRUE(run_until([&] {
      return state(id) == JobState::scheduled && driver_->runs_under_way() == 0;
    })) << moment;
    EXPECT_EQ(life(id).run, std::nullopt) << moment;
    EXPECT_TRUE(drive(store_->unfinished_runs())->empty()) << moment;
  }
}

TEST_F(JobDriverRaces, DeleteJobsWhileTheirFilesVanish) {
  std::vector<Job> jobs;
  for (int i = 0; i < 50; ++i) jobs.push_back(job("job" + std::to_string(i)));
  adopt(jobs);
  for (const Job& each : jobs) begin(driver_->remove(each.id));
  begin(driver_->adopt({}));
  for (const Job& each : jobs) begin(driver_->act(each.id, JobAction::stop));
  for (const Job& each : jobs) begin(driver_->act(each.id, JobAction::archive));
  ASSERT_TRUE(all_answer(151));
  for (const Job& each : jobs)
    if (const JobLife* left = driver_->keeper().find(each.id)) {
      EXPECT_NE(left->state, JobState::running);
    }
}

TEST_F(JobDriverRaces, TakeUpFilesWhileAPageOfAPausedRunIsInFlight) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->is_deaf = true;
  adopt({});
  EXPECT_EQ(life("shop").pause_reason, PauseReason::missing);
  adopt({job("shop", "10m")});  // does not wait for the page
  EXPECT_EQ(driver_->runs_under_way(), 1u);

  office_->is_deaf = false;
  office_->halt(office_->begun_runs.front().id, Halt::pause);
  ASSERT_TRUE(run_until([this] { return state("shop") == JobState::running; }));
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(office_->begun_runs.size(), 1u) << "the same run goes on";
}

}  // namespace
}  // namespace heddle::hub
