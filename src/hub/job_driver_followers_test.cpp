// JobDriver: jobs that start when others end, whenever the daemon dies.
#include <algorithm>

#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

class JobDriverFollowers : public DriverFixture, public ::testing::WithParamInterface<Overlap> {
 protected:
  static std::vector<Job> jobs() {
    Job second = job("second");
    second.after = {{JobId{"first"}, TriggerOn::finished}};
    second.overlap = GetParam();
    return {job("first"), second};
  }

  // The store has what it was given; all else is gone.
  void die() {
    driver_->leave();  // for those who are gone to start nothing
    store_.reset();
    loop_.reset();
    driver_.reset();
    office_.reset();
    command_office_.reset();
  }

  void come_back() {
    come_up();
    adopt(jobs());
    ASSERT_TRUE(drive(driver_->take_up_leftovers()));
    begin_keeping_time();
  }

  // Every run that comes ends well, until there is no more to do.
  bool all_is_done() {
    return run_until([this] {
      office_->finish("first", RunState::completed);
      office_->finish("second", RunState::completed);
      const bool is_told = !life("first").untold && !life("second").waiting;
      return is_told && driver_->runs_under_way() == 0 && driver_->waiting_runs().count == 0;
    });
  }

  std::size_t runs_of(const std::string& id) {
    auto reader = store::SqliteReader::open(file());
    auto runs = reader ? (*reader)->runs(JobId{id}, 1000) : std::vector<heddle::Run>();
    return runs ? runs->size() : 0;
  }
};

TEST_P(JobDriverFollowers, StartOnceHoweverSoonTheDaemonDies) {
  adopt(jobs());
  bool has_begun = false;
  for (std::size_t moment = 0; !has_begun; ++moment) {
    ASSERT_TRUE(act("first", JobAction::trigger));
    ASSERT_TRUE(is_worked_on("first"));
    office_->finish("first", RunState::completed);
    for (std::size_t turn = 0; turn < moment; ++turn) loop_->run_one_for(20ms);
    has_begun = office_->works_on("second");
    die();
    come_back();
    ASSERT_TRUE(all_is_done()) << moment;
    ASSERT_EQ(runs_of("first"), moment + 1);
    ASSERT_EQ(runs_of("second"), moment + 1) << "the daemon died after " << moment << " turns";
  }
}

INSTANTIATE_TEST_SUITE_P(Overlaps, JobDriverFollowers,
                         ::testing::Values(Overlap::skip, Overlap::queue, Overlap::replace));

using JobDriverChains = DriverFixture;

TEST_F(JobDriverChains, ForgetWhatIsToldThoughNobodyFollowsAnyMore) {
  Job second = job("second");
  second.after = {{JobId{"first"}, TriggerOn::finished}};
  adopt({job("first"), second});
  JobLife owing = life("first");
  owing.untold = RunId{"long gone"};
  ASSERT_TRUE(drive(store_->change_job({owing.state, owing, {}})));
  restart({job("first"), job("second")});
  EXPECT_EQ(office_->begun_runs.size(), 0u);
  EXPECT_EQ(life("first").untold, std::nullopt);
}

TEST_F(JobDriverChains, StartNothingThatIsPaused) {
  Job second = job("second");
  second.after = {{JobId{"first"}, TriggerOn::finished}};
  adopt({job("first"), second});
  ASSERT_TRUE(act("second", JobAction::pause));
  ASSERT_TRUE(act("first", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("first"));
  office_->finish("first", RunState::completed);
  ASSERT_TRUE(run_until([&] { return ended_.size() == 1 && !life("first").untold; }));
  EXPECT_FALSE(life("second").waiting);
  EXPECT_EQ(office_->begun_runs.size(), 1u);
}

}  // namespace
}  // namespace heddle::hub
