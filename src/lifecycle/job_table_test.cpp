#include "lifecycle/job_table.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "lifecycle/run_table.hpp"

namespace heddle::lifecycle {
namespace {

using ::testing::HasSubstr;

// As the contract lists them: for each state where it leaves to.
const std::map<JobState, std::set<JobState>>& allowed_ways() {
  using enum JobState;
  static const std::map<JobState, std::set<JobState>> ways{
      {created, {scheduled, starting, stopped, archived}},
      {scheduled, {starting, paused, created, stopping, stopped, archived}},
      {starting, {running, failed, paused, stopping, scheduled}},
      {running, {completed, failed, paused, stopping, scheduled}},
      {paused, {scheduled, stopping, stopped, archived}},
      {completed, {scheduled, starting, stopped, archived}},
      {failed, {scheduled, starting, paused, stopped, archived}},
      {stopping, {stopping, stopped}},
      {stopped, {archived, created}},
      {archived, {created}},
  };
  return ways;
}

std::vector<JobState> all_states() {
  std::vector<JobState> states;
  for (std::size_t i = 0; i < kJobStates; ++i) states.push_back(static_cast<JobState>(i));
  return states;
}

std::vector<JobAction> all_actions() {
  std::vector<JobAction> actions;
  for (std::size_t i = 0; i < kJobActions; ++i) actions.push_back(static_cast<JobAction>(i));
  return actions;
}

TEST(JobTable, LeadsExactlyWhereEachStateMayLeaveTo) {
  std::map<JobState, std::set<JobState>> ways;
  for (const JobRow& row : kJobRows) ways[row.from].insert(row.to);
  EXPECT_EQ(ways, allowed_ways());
}

// Every pair of state and action, with and without an unfinished run.
TEST(JobTable, AnswersEveryPairOfStateAndActionWithARowOrARefusal) {
  std::size_t allowed = 0;
  std::size_t refused = 0;
  for (const JobState state : all_states())
    for (const JobAction action : all_actions())
      for (const bool has_run : {false, true}) {
        const JobRow* row = find_row(state, action, has_run);
        if (row != nullptr) {
          ++allowed;
          EXPECT_TRUE(allowed_ways().at(state).contains(row->to));
          continue;
        }
        ++refused;
        JobLife life;
        life.state = state;
        if (has_run) life.run = RunId{"r"};
        const std::string text = refusal("shop", life, action);
        EXPECT_THAT(text, HasSubstr(std::string(heddle::to_text(state))));
        EXPECT_THAT(text, HasSubstr("possible: "));
      }
  EXPECT_EQ(allowed + refused, kJobStates * kJobActions * 2);
  EXPECT_EQ(allowed, 2 * kJobRows.size() - 6);  // six rows are for jobs with or without a run
}

TEST(JobTable, TriggersOnlyWhatIsNeitherPausedNorAtWorkNorEnded) {
  using enum JobState;
  for (const JobState state : all_states()) {
    const bool may =
        state == created || state == scheduled || state == completed || state == failed;
    EXPECT_EQ(find_row(state, JobAction::trigger, false) != nullptr, may) << heddle::to_text(state);
  }
}

TEST(JobTable, StopsAPausedJobByWayOfItsUnfinishedRun) {
  EXPECT_EQ(find_row(JobState::paused, JobAction::stop, true)->to, JobState::stopping);
  EXPECT_EQ(find_row(JobState::paused, JobAction::stop, false)->to, JobState::stopped);
}

TEST(JobTable, StopsAJobByWayOfTheCancelledRunThatStillEnds) {
  EXPECT_EQ(find_row(JobState::scheduled, JobAction::stop, true)->to, JobState::stopping);
  EXPECT_EQ(find_row(JobState::scheduled, JobAction::stop, false)->to, JobState::stopped);
}

TEST(JobTable, RefusesWithTheReasonAndWhatIsPossible) {
  JobLife life;
  life.state = JobState::paused;
  life.pause_reason = PauseReason::storage_full;
  EXPECT_EQ(refusal("shop", life, JobAction::trigger),
            "job 'shop' is paused (storage_full): `trigger` is not possible; possible: resume, "
            "stop, archive, delete");
  life = {};
  life.state = JobState::stopping;
  EXPECT_THAT(refusal("shop", life, JobAction::pause), HasSubstr("possible: stop"));
}

TEST(JobTable, NamesEveryActionOnce) {
  std::set<std::string_view> names;
  for (const JobAction action : all_actions()) {
    names.insert(to_text(action));
    EXPECT_EQ(job_action_from(to_text(action)), action);
  }
  EXPECT_EQ(names.size(), kJobActions);
  EXPECT_EQ(job_action_from("explode"), std::nullopt);
}

TEST(JobTable, IsDrawnWithEveryRow) {
  const std::string drawing = draw_job_table();
  for (const JobRow& row : kJobRows) EXPECT_THAT(drawing, HasSubstr(std::string(row.name)));
}

TEST(LifecyclePage, ShowsTheTablesAsTheyAre) {
  std::ifstream in(std::string(HEDDLE_DOCS_DIR) + "/lifecycle.md", std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const std::string& drawing : {draw_job_table(), draw_run_table(), draw_task_table()})
    EXPECT_TRUE(page.find("```mermaid\n" + drawing + "```") != std::string::npos)
        << "docs/lifecycle.md is out of date; it should have:\n"
        << drawing;
}

TEST(RunTable, LeadsFromQueuedToEveryEndAndNowhereFromThere) {
  std::set<RunState> reached{RunState::queued};
  for (int round = 0; round < 9; ++round)
    for (const auto& row : kRunRows)
      if (reached.contains(row.from)) reached.insert(row.to);
  EXPECT_EQ(reached.size(), 9u);
  EXPECT_TRUE(may_go(RunState::paused, RunState::in_progress));
  EXPECT_FALSE(may_go(RunState::completed, RunState::in_progress));
  EXPECT_FALSE(may_go(RunState::queued, RunState::completed));
}

TEST(TaskTableOfStates, NeverLeavesAnEnd) {
  for (const TaskState end : {TaskState::done, TaskState::skipped, TaskState::dead})
    for (int to = 0; to < 6; ++to) EXPECT_FALSE(may_go(end, static_cast<TaskState>(to)));
  EXPECT_TRUE(may_go(TaskState::retry, TaskState::processing));
}

}  // namespace
}  // namespace heddle::lifecycle
