#include "hub/health/system_symptoms.hpp"

#include <gmock/gmock.h>

namespace heddle::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

// "key level lasting-seconds" of each.
std::vector<std::string> seen(const SystemFacts& facts, const SymptomRules& rules = {}) {
  std::vector<std::string> out;
  for (const Symptom& symptom : find_symptoms(facts, rules))
    out.push_back(symptom.key + " " + std::string(to_text(symptom.level)) + " " +
                  std::to_string(symptom.lasting / 1s));
  return out;
}

SystemFacts with_run(ActiveRunFacts run) {
  SystemFacts facts;
  run.job = JobId{"shop"};
  facts.runs.push_back(std::move(run));
  return facts;
}

TEST(SystemSymptoms, AreEmptyForAHealthySystem) {
  SystemFacts facts = with_run({.idle = 4min, .open_tasks = 49, .has_pending = true});
  facts.workers = {{"worker 1", 1, false}};
  facts.longest_wait = 5min;
  facts.new_dead_letters = 9;
  facts.loop_latency = 249ms;
  EXPECT_THAT(seen(facts), IsEmpty());
}

TEST(SystemSymptoms, IncludeCrashingAndGivenUpWorkers) {
  SystemFacts facts;
  facts.workers = {{"worker 1", 5, false}, {"worker 2", 0, false}};
  EXPECT_THAT(seen(facts), ElementsAre("worker_crashes warning 0"));
  facts.workers = {{"worker 1", 20, true}, {"worker 2", 0, false}};
  EXPECT_THAT(seen(facts), ElementsAre("worker_gave_up critical 0"));
  facts.workers = {{"worker 1", 20, true}, {"worker 2", 20, true}};
  EXPECT_THAT(seen(facts), ElementsAre("worker_gave_up emergency 0"));
}

TEST(SystemSymptoms, ScaleWithTheAllowedRestarts) {
  SystemFacts facts;
  facts.workers = {{"worker 1", 5, false}};
  EXPECT_THAT(seen(facts, {.max_restarts = 100}), IsEmpty());
  facts.workers = {{"worker 1", 3, false}};
  EXPECT_THAT(seen(facts, {.max_restarts = 4}), ElementsAre("worker_crashes warning 0"));
}

TEST(SystemSymptoms, MeasureQueueDepthPerWorkerProcess) {
  const auto deep = [](std::int64_t pages, std::size_t processes) {
    return seen(with_run({.open_tasks = pages}), {.processes = processes});
  };
  EXPECT_THAT(deep(50, 1), ElementsAre("queue_depth warning 300"));
  EXPECT_THAT(deep(199, 4), IsEmpty());
  EXPECT_THAT(deep(200, 1), ElementsAre("queue_depth warning 300", "queue_depth critical 120"));
  EXPECT_THAT(deep(2000, 4), ElementsAre("queue_depth warning 300", "queue_depth critical 120",
                                         "queue_depth emergency 0"));
}

TEST(SystemSymptoms, IncludeWorkThatWaitsTooLong) {
  SystemFacts facts;
  facts.longest_wait = 5min + 1s;
  EXPECT_THAT(seen(facts), ElementsAre("queue_age warning 0"));
  EXPECT_THAT(seen(with_run({.idle = 6min, .open_tasks = 1, .has_pending = true})),
              ElementsAre("queue_age warning 0"));
  EXPECT_THAT(seen(with_run({.idle = 6min, .open_tasks = 1})), IsEmpty());
}

TEST(SystemSymptoms, SayWhatWaits) {
  SystemFacts facts = with_run({.idle = 6min, .open_tasks = 1, .has_pending = true});
  EXPECT_EQ(find_symptoms(facts, {}).front().text,
            "pages have waited for 6m without a worker processing them");
  facts.longest_wait = 7min;
  EXPECT_EQ(find_symptoms(facts, {}).front().text,
            "a run has waited for 7m for a free run slot (limits.runs_in_parallel)");
}

TEST(SystemSymptoms, NameTheCommandThatStartsAWorker) {
  SystemFacts facts;
  facts.workers = {{"worker 1", 20, true}, {"worker 2", 0, false}};
  EXPECT_EQ(find_symptoms(facts, {}).front().text,
            "worker 1 died too often or could not be started and is not restarted; `heddle workers "
            "restart N` starts it");
  facts.workers[1].gave_up = true;
  EXPECT_EQ(find_symptoms(facts, {}).front().text,
            "no worker is left: worker 1, worker 2 died too often or could not be started and are "
            "not restarted; `heddle workers restart N` starts one");
}

TEST(SystemSymptoms, IncludeRunsWithoutProgress) {
  const ActiveRunFacts stuck{.idle = 15min, .open_tasks = 1};
  EXPECT_THAT(seen(with_run(stuck)), ElementsAre("run_stuck/shop warning 0"));
  EXPECT_THAT(seen(with_run(stuck), {.stuck_after = 1h}), IsEmpty());
  ActiveRunFacts waiting = stuck;
  waiting.waits_for_retry = true;
  EXPECT_THAT(seen(with_run(waiting)), IsEmpty());
}

TEST(SystemSymptoms, IncludeDeadLettersAndLoopLatency) {
  SystemFacts facts;
  facts.new_dead_letters = 10;
  EXPECT_THAT(seen(facts), ElementsAre("dead_letters warning 0"));
  facts = {};
  facts.loop_latency = 250ms;
  EXPECT_THAT(seen(facts), ElementsAre("loop_latency warning 120"));
  facts.loop_latency = 2s;
  EXPECT_THAT(seen(facts), ElementsAre("loop_latency warning 120", "loop_latency critical 120"));
}

std::vector<RunFigures> history(std::size_t count, std::chrono::milliseconds duration,
                                std::int64_t failed = 0) {
  RunFigures run;
  run.ended_at = run.started_at + duration;
  run.done = 100 - failed;
  run.failed = failed;
  return std::vector<RunFigures>(count, run);
}

TEST(UnusualDuration, NeedsSomeRunsToCompareWith) {
  EXPECT_EQ(unusual_duration(history(4, 1min)), std::nullopt);
  auto cancelled = history(20, 1min);
  for (RunFigures& run : cancelled) run.state = RunState::cancelled;
  EXPECT_EQ(unusual_duration(cancelled), std::nullopt);
}

TEST(UnusualDuration, IsFarAboveTheUsualOne) {
  EXPECT_EQ(unusual_duration(history(5, 10min)), 30min);
  EXPECT_EQ(unusual_duration(history(5, 1s)), 61s);
}

TEST(UnusualErrors, AreFarAboveTheUsualShare) {
  const RunFigures bad = history(1, 1min, 40).front();
  EXPECT_THAT(*unusual_errors(bad, history(5, 1min, 2)), HasSubstr("40 of 100 pages failed"));
  EXPECT_EQ(unusual_errors(bad, history(4, 1min, 2)), std::nullopt);
  EXPECT_EQ(unusual_errors(bad, history(5, 1min, 30)), std::nullopt);
  EXPECT_EQ(unusual_errors(history(1, 1min, 19).front(), history(5, 1min)), std::nullopt);
  RunFigures small;
  small.failed = 2;
  EXPECT_EQ(unusual_errors(small, history(5, 1min)), std::nullopt);
}

}  // namespace
}  // namespace heddle::hub
