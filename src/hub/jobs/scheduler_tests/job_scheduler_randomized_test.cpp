// JobScheduler: random actions, ends of runs, clock changes and crashes of the daemon, compared
// with a model of the transition table: after every step each job has the state of the model, in
// memory and in the store, and no run is lost or executed twice.
#include <random>
#include <set>

#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

constexpr int kSteps = 10'000;
constexpr int kStepsWithFewSlots = 3'000;
constexpr int kRestartEvery = 250;  // on average
constexpr std::array kNames{"a", "b", "c", "d"};

using Statuses = std::map<std::string, JobStatus>;
using States = std::map<std::string, JobState>;

class JobSchedulerRandomized : public JobSchedulerFixture {
 protected:
  void SetUp() override {
    JobSchedulerFixture::SetUp();
    configure(jobs());
  }

  static std::vector<Job> jobs() {
    std::vector<Job> all{job("a", "10m"), job("b"), job("c", "30m"), job("d", "20m")};
    all[1].after = {{JobId{"a"}, TriggerOn::finished}};
    all[2].overlap = OverlapPolicy::queue;
    all[2].retry.runs = 1;
    all[3].overlap = OverlapPolicy::replace;
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
        return advance_time();
      default:
        return ask(name, static_cast<JobAction>(random(static_cast<int>(JobAction::start) + 1)));
    }
  }

  void advance_time() {
    note("time goes by");
    const Statuses before = statuses();
    advance(std::chrono::minutes(random(30)));
    flush_writes();
    States model = states(before);
    for (const auto& [name, status] : before)
      if (status.next_run_at && *status.next_run_at <= clock_.now())
        model[name] = JobState::running;
    compare(model);
  }

  void finish(const std::string& name) {
    constexpr std::array kEnds{RunState::completed, RunState::failed, RunState::limited};
    note(name + " ends");
    const Statuses before = statuses();
    const bool is_at_work = executor_->is_executing(name);
    const RunState end = kEnds[static_cast<std::size_t>(random(kEnds.size()))];
    const bool is_quarantined = end == RunState::failed && random(10) == 0;
    executor_->finish(name, end, is_quarantined);
    settle();
    if (!is_at_work) return compare(states(before));
    // A run queued behind this one begins; otherwise the next one is scheduled.
    States model = states(before);
    model[name] = before.at(name).queued_run ? JobState::running : JobState::scheduled;
    if (is_quarantined) model[name] = JobState::paused;
    const JobStatus& dependent = before.at("b");
    if (name == "a" && lifecycle::find_transition(dependent.state, JobAction::trigger, false))
      model["b"] = JobState::running;
    compare(model);
  }

  void ask(const std::string& name, JobAction action) {
    // A queued run that has got a slot starts with a write: the action must not meet it half-way.
    if (has_free_slots_)
      settle();
    else
      flush_writes();
    const Statuses statuses_before = statuses();
    const JobStatus& before = statuses_before.at(name);
    const lifecycle::JobTransition* transition =
        lifecycle::find_transition(before.state, action, before.run.has_value());
    note(name + " (" + std::string(to_text(before.state)) + ") " +
         std::string(lifecycle::to_text(action)));
    // Sometimes a tick is overdue at this moment and starts while the action runs.
    const bool is_late = random(5) == 0;
    if (is_late) clock_.advance(std::chrono::minutes(random(30)));
    const auto answer = act(name, action, random(2) == 0);
    if (is_late) {
      // The clock may have moved the job before the action; due jobs start now.
      scheduler_->wake();
      return check();
    }
    const bool is_answered = check_answer(before, transition, action, answer);
    settle();
    States model = states(statuses_before);
    if (is_answered && transition != nullptr)
      model[name] = state_at_rest(name, before, *transition);
    // The retry of a failed run may have become due during the pause.
    const bool may_be_due = action == JobAction::resume && before.attempt > 0;
    if (may_be_due && model[name] == JobState::scheduled && executor_->is_executing(name))
      model[name] = JobState::running;
    compare(model);
  }

  // Checks the answer against the table; true when the action was carried out.
  bool check_answer(const JobStatus& before, const lifecycle::JobTransition* transition,
                    JobAction action, const Result<JobStatus>& answer) {
    if (transition != nullptr && answer) {
      EXPECT_TRUE(is_expected(before, *transition, *answer))
          << to_text(answer->state) << " after: " << trail();
      return true;
    }
    // Not transitions: a pause becomes a user pause, or a queued run is withdrawn.
    const bool is_note =
        (action == JobAction::pause && lifecycle::resumes_automatically(before)) ||
        (action == JobAction::cancel && before.queued_run && transition == nullptr);
    if (transition == nullptr && !is_note) {
      EXPECT_FALSE(answer) << to_text(before.state) << " " << lifecycle::to_text(action);
      if (!answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::conflict);
      }
    } else if (!answer) {
      // Allowed by the table, but the previous run is still ending.
      EXPECT_EQ(action, JobAction::trigger) << answer.error().message << " after: " << trail();
    }
    return false;
  }

  static bool is_expected(const JobStatus& before, const lifecycle::JobTransition& transition,
                          const JobStatus& answer) {
    if (answer.queued_run && answer.state == before.state) return true;  // for a run slot
    if (transition.to == JobState::created) return answer.state == JobState::scheduled;  // and due
    return answer.state == transition.to ||
           answer.state == state_at_rest(before.job.text, before, transition);
  }

  // The state after the transitions that follow automatically.
  static JobState state_at_rest(const std::string& name, const JobStatus& before,
                                const lifecycle::JobTransition& transition) {
    switch (transition.to) {
      case JobState::starting:
        return JobState::running;
      case JobState::stopping:
        return JobState::stopped;
      case JobState::created:  // restarted, so it is due immediately
        return has_interval(name) ? JobState::running : JobState::scheduled;
      case JobState::scheduled:
        if (transition.action == JobAction::resume && before.run) return JobState::running;
        return before.queued_run ? JobState::running : JobState::scheduled;
      default:
        return transition.to;
    }
  }

  Statuses statuses() {
    settle();
    Statuses all;
    for (const char* name : kNames) all[name] = status(name);
    return all;
  }
  static States states(const Statuses& statuses) {
    States all;
    for (const auto& [name, status] : statuses) all[name] = status.state;
    return all;
  }

  // In memory and in the store.
  void compare(const States& model) {
    if (!has_free_slots_) return check_slots();
    settle();
    for (const auto& [name, state] : model)
      EXPECT_EQ(to_text(status(name).state), to_text(state)) << name << " after: " << trail();
    auto stored = stored_statuses();
    if (stored != statuses()) {  // a write is in flight
      flush_writes();
      stored = stored_statuses();
    }
    EXPECT_TRUE(stored == statuses()) << "after: " << trail();
  }

  Statuses stored_statuses() {
    Statuses all;
    auto stored = drive(store_->job_statuses());
    EXPECT_TRUE(stored);
    for (JobStatus& one : *stored) {
      std::string name = one.job.text;
      all.insert_or_assign(std::move(name), std::move(one));
    }
    return all;
  }

  // Never more runs than slots, and no run is queued while a slot is free.
  void check_slots() {
    settle();
    EXPECT_LE(executor_->under_way.size(), rules_.runs_in_parallel) << trail();
    if (executor_->under_way.size() == rules_.runs_in_parallel) return;
    flush_writes();
    for (const auto& [name, status] : statuses())
      EXPECT_TRUE(!status.queued_run || executor_->is_executing(name))
          << name << " after: " << trail();
  }

  // Kills the daemon and starts another: no state changes, and the same runs continue.
  void restart_daemon() {
    note("restart");
    flush_writes();
    const Statuses before = statuses();
    restart(jobs());
    flush_writes();
    compare(states(before));
    for (const auto& [name, was] : before) {
      EXPECT_EQ(status(name).run, was.run) << name << " after: " << trail();
      EXPECT_EQ(status(name).pause_reason, was.pause_reason) << name << " after: " << trail();
      EXPECT_EQ(status(name).queued_run, was.queued_run) << name << " after: " << trail();
    }
  }

  // Runs the loop until each run either executes or has ended.
  void settle() {
    const auto is_at_rest = [this] {
      if (scheduler_->runs_under_way() != executor_->under_way.size()) return false;
      for (const auto& [run, end] : executor_->under_way)
        if (end.state || end.halt) return false;
      loop_->restart();
      return loop_->poll() == 0;
    };
    ASSERT_TRUE(run_until(is_at_rest));
  }

  // Waits until every pending write is stored.
  void flush_writes() {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(drive(store_->put_job_name({{"z"}, "z", "web", ""})));
    settle();
  }

  // Memory equals the store, and both are consistent.
  void check() {
    flush_writes();
    const auto stored = drive(store_->job_statuses());
    ASSERT_TRUE(stored);
    const auto unfinished = drive(store_->unfinished_runs());
    ASSERT_TRUE(unfinished);
    for (const JobStatus& one : *stored) {
      EXPECT_EQ(one, status(one.job.text));
      EXPECT_EQ(one.pause_reason.has_value(), one.state == JobState::paused);
      EXPECT_TRUE(!one.next_run_at || one.state == JobState::scheduled);
      EXPECT_TRUE(one.run || one.state != JobState::running);
      std::size_t runs = 0;
      for (const heddle::Run& run : *unfinished)
        if (run.job == one.job) ++runs;
      EXPECT_LE(runs, 1u) << one.job.text << " is " << to_text(one.state) << " after: " << trail();
      const bool is_at_work = one.state == JobState::running || one.state == JobState::starting;
      EXPECT_EQ(executor_->is_executing(one.job.text), is_at_work)
          << one.job.text << " is " << to_text(one.state) << " after: " << trail();
    }
  }

  void take_steps(int count) {
    for (int step = 0; step < count && !HasFatalFailure() && !HasNonfatalFailure(); ++step) {
      SCOPED_TRACE("step " + std::to_string(step));
      take_random_step();
      settle();
      if (step % 20 == 0) check();
      if (random(kRestartEvery) == 0) restart_daemon();
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

  bool has_free_slots_ = true;  // for every run
  std::mt19937 engine_{20261116};
  std::vector<std::string> trail_;  // the last steps, printed on a failure
};

TEST_F(JobSchedulerRandomized, FollowsTheTransitionTable) {
  take_steps(kSteps);
}

class JobSchedulerRandomizedQueue : public JobSchedulerRandomized {
 protected:
  void SetUp() override {
    rules_.runs_in_parallel = 2;
    has_free_slots_ = false;
    JobSchedulerRandomized::SetUp();
  }
};

TEST_F(JobSchedulerRandomizedQueue, AssignsEverySlotToQueuedRuns) {
  take_steps(kStepsWithFewSlots);
}

}  // namespace
}  // namespace heddle::hub
