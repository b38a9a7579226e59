// Random actions, ends of runs, time and sudden deaths of the daemon, against a model of the table:
// after every step a job stands where the model says, in memory and in the store, and no run is
// lost or done twice.
#include <random>
#include <set>

#include "hub/driver_for_test.hpp"
#include "lifecycle/lasting_pause.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

constexpr int kSteps = 10'000;
constexpr int kStepsInACrowd = 3'000;
constexpr int kRestartEvery = 250;  // on average
constexpr std::array kNames{"a", "b", "c", "d"};

using Lives = std::map<std::string, JobLife>;
using States = std::map<std::string, JobState>;

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
  static bool has_interval(const std::string& name) { return name != "b"; }

  int random(int below) { return std::uniform_int_distribution<int>(0, below - 1)(engine_); }

  void take_random_step() {
    const std::string name = kNames[static_cast<std::size_t>(random(kNames.size()))];
    switch (random(10)) {
      case 0:
      case 1:
      case 2:
        return finish(name);
      case 3:
        return let_time_go_by();
      default:
        return ask(name, static_cast<JobAction>(random(static_cast<int>(JobAction::start) + 1)));
    }
  }

  void let_time_go_by() {
    note("time goes by");
    const Lives before = lives();
    advance(std::chrono::minutes(random(30)));
    wait_for_writer();
    States model = states(before);
    for (const auto& [name, life] : before)
      if (life.next_run_at && *life.next_run_at <= clock_.now()) model[name] = JobState::running;
    compare(model);
  }

  void finish(const std::string& name) {
    constexpr std::array kEnds{RunState::completed, RunState::failed, RunState::limited};
    note(name + " ends");
    const Lives before = lives();
    const bool is_at_work = office_->works_on(name);
    const RunState end = kEnds[static_cast<std::size_t>(random(kEnds.size()))];
    const bool is_quarantined = end == RunState::failed && random(10) == 0;
    office_->finish(name, end, is_quarantined);
    settle();
    if (!is_at_work) return compare(states(before));
    // A run that waited for this one's end begins; otherwise the next one is planned.
    States model = states(before);
    model[name] = before.at(name).waiting ? JobState::running : JobState::scheduled;
    if (is_quarantined) model[name] = JobState::paused;
    const JobLife& follower = before.at("b");
    if (name == "a" && lifecycle::find_row(follower.state, JobAction::trigger, false))
      model["b"] = JobState::running;
    compare(model);
  }

  void ask(const std::string& name, JobAction action) {
    settle();
    const Lives lives_before = lives();
    const JobLife& before = lives_before.at(name);
    const lifecycle::JobRow* row =
        lifecycle::find_row(before.state, action, before.run.has_value());
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
    const bool is_answered = judge(before, row, action, answer);
    settle();
    States model = states(lives_before);
    if (is_answered && row != nullptr) model[name] = state_at_rest(name, before, *row);
    // The time for another try of a failed run may have come during the pause.
    const bool may_be_due = action == JobAction::resume && before.attempt > 0;
    if (may_be_due && model[name] == JobState::scheduled && office_->works_on(name))
      model[name] = JobState::running;
    compare(model);
  }

  // Whether the answer is what the table says; true when the action was carried out.
  bool judge(const JobLife& before, const lifecycle::JobRow* row, JobAction action,
             const Result<JobLife>& answer) {
    if (row != nullptr && answer) {
      EXPECT_TRUE(is_right(before, *row, *answer))
          << to_text(answer->state) << " after: " << trail();
      return true;
    }
    // What is no step: a pause becomes a person's, or a run that waits is taken back.
    const bool is_note = (action == JobAction::pause && lifecycle::ends_by_itself(before)) ||
                         (action == JobAction::cancel && before.waiting && row == nullptr);
    if (row == nullptr && !is_note) {
      EXPECT_FALSE(answer) << to_text(before.state) << " " << lifecycle::to_text(action);
      if (!answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::conflict);
      }
    } else if (!answer) {
      // Allowed by the table, but a former run of the job is still ending.
      EXPECT_EQ(action, JobAction::trigger) << answer.error().message << " after: " << trail();
    }
    return false;
  }

  static bool is_right(const JobLife& before, const lifecycle::JobRow& row, const JobLife& answer) {
    if (answer.waiting && answer.state == before.state) return true;              // for a place
    if (row.to == JobState::created) return answer.state == JobState::scheduled;  // and due
    return answer.state == row.to || answer.state == state_at_rest(before.job.text, before, row);
  }

  // Where the rows lead that follow by themselves.
  static JobState state_at_rest(const std::string& name, const JobLife& before,
                                const lifecycle::JobRow& row) {
    switch (row.to) {
      case JobState::starting:
        return JobState::running;
      case JobState::stopping:
        return JobState::stopped;
      case JobState::created:  // a new life; it is due at once
        return has_interval(name) ? JobState::running : JobState::scheduled;
      case JobState::scheduled:
        if (row.action == JobAction::resume && before.run) return JobState::running;
        return before.waiting ? JobState::running : JobState::scheduled;
      default:
        return row.to;
    }
  }

  Lives lives() {
    settle();
    Lives all;
    for (const char* name : kNames) all[name] = life(name);
    return all;
  }
  static States states(const Lives& lives) {
    States all;
    for (const auto& [name, life] : lives) all[name] = life.state;
    return all;
  }

  // In memory and in the store.
  void compare(const States& model) {
    if (!is_roomy_) return check_places();
    settle();
    for (const auto& [name, state] : model)
      EXPECT_EQ(to_text(life(name).state), to_text(state)) << name << " after: " << trail();
    auto stored = stored_lives();
    if (stored != lives()) {  // something is being written still
      wait_for_writer();
      stored = stored_lives();
    }
    EXPECT_TRUE(stored == lives()) << "after: " << trail();
  }

  Lives stored_lives() {
    Lives all;
    auto stored = drive(store_->job_lives());
    EXPECT_TRUE(stored);
    for (JobLife& one : *stored) {
      std::string name = one.job.text;
      all.insert_or_assign(std::move(name), std::move(one));
    }
    return all;
  }

  // No more runs than places; whoever waits can be seen, and nobody waits for a place that is free.
  void check_places() {
    settle();
    EXPECT_LE(office_->under_way.size(), rules_.runs_in_parallel) << trail();
    if (office_->under_way.size() == rules_.runs_in_parallel) return;
    wait_for_writer();
    for (const auto& [name, life] : lives())
      EXPECT_TRUE(!life.waiting || office_->works_on(name)) << name << " after: " << trail();
  }

  // The daemon dies and another one takes over: nothing has moved, and the same runs go on.
  void die_and_come_back() {
    note("restart");
    wait_for_writer();
    const Lives before = lives();
    restart(jobs());
    wait_for_writer();
    compare(states(before));
    for (const auto& [name, was] : before) {
      EXPECT_EQ(life(name).run, was.run) << name << " after: " << trail();
      EXPECT_EQ(life(name).pause_reason, was.pause_reason) << name << " after: " << trail();
      EXPECT_EQ(life(name).waiting, was.waiting) << name << " after: " << trail();
    }
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

  void take_steps(int count) {
    for (int step = 0; step < count && !HasFatalFailure() && !HasNonfatalFailure(); ++step) {
      SCOPED_TRACE("step " + std::to_string(step));
      take_random_step();
      settle();
      if (step % 20 == 0) check();
      if (random(kRestartEvery) == 0) die_and_come_back();
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

  bool is_roomy_ = true;  // there is a place for every run
  std::mt19937 engine_{20261116};
  std::vector<std::string> trail_;  // what was done last, for whoever reads a failure
};

TEST_F(JobDriverUnderChaos, DoesWhatTheTableSays) {
  take_steps(kSteps);
}

class JobDriverInACrowd : public JobDriverUnderChaos {
 protected:
  void SetUp() override {
    rules_.runs_in_parallel = 2;
    is_roomy_ = false;
    JobDriverUnderChaos::SetUp();
  }
};

TEST_F(JobDriverInACrowd, GivesEveryPlaceToThoseWhoWait) {
  take_steps(kStepsInACrowd);
}

}  // namespace
}  // namespace heddle::hub
