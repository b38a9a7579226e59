// Random actions, ends of runs, time and sudden deaths of the daemon, against the table: whatever
// happens, a job stands where the table allows, and no run is lost or done twice.
#include <random>

#include "hub/driver_for_test.hpp"
#include "lifecycle/lasting_pause.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

constexpr int kSteps = 10'000;
constexpr int kRestartEvery = 250;  // on average
constexpr std::array kNames{"a", "b", "c", "d"};

class JobDriverUnderChaos : public DriverFixture {
 protected:
  void SetUp() override {
    DriverFixture::SetUp();
    adopt(jobs());
  }

  static std::vector<Job> jobs() {
    std::vector<Job> all{job("a", "10m"), job("b"), job("c", "30m"), job("d", "20m")};
    all[1].after = {{JobId{"a"}, TriggerOn::finished}};
    all[2].overlap = Overlap::queue;
    all[2].retry.runs = 1;
    all[3].overlap = Overlap::replace;
    return all;
  }

  int random(int below) { return std::uniform_int_distribution<int>(0, below - 1)(engine_); }

  void take_random_step() {
    const std::string name = kNames[static_cast<std::size_t>(random(kNames.size()))];
    switch (random(10)) {
      case 0:
      case 1:
      case 2:
        return finish(name);
      case 3:
        note("time goes by");
        advance(std::chrono::minutes(random(30)));
        return wait_for_writer();
      default:
        return ask(name, static_cast<JobAction>(random(static_cast<int>(JobAction::start) + 1)));
    }
  }

  void finish(const std::string& name) {
    constexpr std::array kEnds{RunState::completed, RunState::failed, RunState::limited};
    note(name + " ends");
    const RunState end = kEnds[static_cast<std::size_t>(random(kEnds.size()))];
    office_->finish(name, end, end == RunState::failed && random(10) == 0);
    settle();
  }

  void ask(const std::string& name, JobAction action) {
    settle();
    const JobLife before = life(name);
    const bool is_allowed =
        lifecycle::find_row(before.state, action, before.run.has_value()) != nullptr ||
        (action == JobAction::pause && lifecycle::ends_by_itself(before));
    note(name + " (" + std::string(to_text(before.state)) + ") " +
         std::string(lifecycle::to_text(action)));
    // Now and then something is overdue at this very moment, and starts while the action is at
    // work.
    const bool is_late = random(5) == 0;
    if (is_late) clock_.advance(std::chrono::minutes(random(30)));
    const auto answer = act(name, action, random(2) == 0);
    if (is_late) {
      // The clock may have moved the job before the action could; whatever is due starts now.
      driver_->look();
      return check();
    }
    if (!is_allowed) {
      ASSERT_FALSE(answer) << to_text(before.state) << " " << lifecycle::to_text(action);
      EXPECT_EQ(answer.error().code, ErrorCode::conflict);
    }
    if (is_allowed && !answer) {
      // Allowed by the table, but a former run of the job is still ending.
      EXPECT_EQ(action, JobAction::trigger) << answer.error().message << " after: " << trail();
    }
    settle();
  }

  // Lets everything that was begun come to rest: each run is being worked on, or over.
  void settle() {
    const auto is_at_rest = [this] {
      if (driver_->runs_under_way() != office_->under_way.size()) return false;
      for (const auto& [run, end] : office_->under_way)
        if (end.state || end.halt) return false;
      loop_->restart();
      return loop_->poll() == 0;
    };
    ASSERT_TRUE(run_until(is_at_rest));
  }

  // All that was to be written is.
  void wait_for_writer() {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(drive(store_->remember_job({{"z"}, "z", "web", ""})));
    settle();
  }

  // What is in memory is what is stored, and both make sense.
  void check() {
    wait_for_writer();
    const auto stored = drive(store_->job_lives());
    ASSERT_TRUE(stored);
    const auto unfinished = drive(store_->unfinished_runs());
    ASSERT_TRUE(unfinished);
    for (const JobLife& one : *stored) {
      EXPECT_EQ(one, life(one.job.text));
      EXPECT_EQ(one.pause_reason.has_value(), one.state == JobState::paused);
      EXPECT_TRUE(!one.next_run_at || one.state == JobState::scheduled);
      EXPECT_TRUE(one.run || one.state != JobState::running);
      std::size_t runs = 0;
      for (const heddle::Run& run : *unfinished)
        if (run.job == one.job) ++runs;
      EXPECT_LE(runs, 1u) << one.job.text << " is " << to_text(one.state) << " after: " << trail();
      const bool is_at_work = one.state == JobState::running || one.state == JobState::starting;
      EXPECT_EQ(office_->works_on(one.job.text), is_at_work)
          << one.job.text << " is " << to_text(one.state) << " after: " << trail();
    }
  }

  void note(const std::string& what) {
    trail_.push_back(what);
    if (trail_.size() > 40) trail_.erase(trail_.begin());
  }
  [[nodiscard]] std::string trail() const {
    std::string text;
    for (const std::string& each : trail_) text += each + "; ";
    return text;
  }

  std::mt19937 engine_{20261116};
  std::vector<std::string> trail_;  // what was done last, for whoever reads a failure
};

TEST_F(JobDriverUnderChaos, StaysWithinTheTable) {
  for (int step = 0; step < kSteps && !HasFatalFailure() && !HasNonfatalFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    take_random_step();
    settle();
    if (step % 20 == 0) check();
    if (random(kRestartEvery) == 0) {
      note("restart");
      restart(jobs());
      settle();
    }
  }
}

}  // namespace
}  // namespace heddle::hub
