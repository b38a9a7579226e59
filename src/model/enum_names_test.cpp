// The stable names of the model's enums: stored, printed and read back.
#include <set>

#include <gtest/gtest.h>

#include "model/notify/delivery.hpp"
#include "model/run/run.hpp"
#include "model/run/trace.hpp"
#include "model/web/fetch.hpp"

namespace heddle {
namespace {

TEST(RunState, RoundTripsThroughItsName) {
  for (int i = 0; i <= static_cast<int>(RunState::limited); ++i) {
    const auto state = static_cast<RunState>(i);
    EXPECT_NE(to_text(state), "unknown");
    EXPECT_EQ(run_state_from(to_text(state)), state);
  }
  EXPECT_EQ(run_state_from("done"), std::nullopt);
}

TEST(RunState, IsTerminalOnceNothingMoreCanHappen) {
  using enum RunState;
  for (const RunState state : {completed, failed, stopped, cancelled, limited})
    EXPECT_TRUE(is_terminal(state)) << to_text(state);
  for (const RunState state : {queued, starting, in_progress, paused})
    EXPECT_FALSE(is_terminal(state)) << to_text(state);
}

TEST(TaskState, RoundTripsThroughItsName) {
  for (int i = 0; i <= static_cast<int>(TaskState::dead); ++i) {
    const auto state = static_cast<TaskState>(i);
    EXPECT_NE(to_text(state), "unknown");
    EXPECT_EQ(task_state_from(to_text(state)), state);
  }
}

TEST(DeliveryKind, RoundTripsThroughItsName) {
  for (const DeliveryKind kind : {DeliveryKind::webhook, DeliveryKind::desktop})
    EXPECT_EQ(delivery_kind_from(to_text(kind)), kind);
  EXPECT_EQ(delivery_kind_from("pigeon"), std::nullopt);
}

TEST(FetchErrorKind, HasTheNamesScriptsRelyOn) {
  const char* const words[] = {"dns",  "timeout", "proxy",   "tls",    "connect",
                               "size", "http",    "blocked", "unknown"};
  for (int i = 0; i <= static_cast<int>(FetchErrorKind::unknown); ++i)
    EXPECT_EQ(to_text(static_cast<FetchErrorKind>(i)), words[i]);
}

TEST(Stage, HasADistinctNameForEach) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < kStageCount; ++i) words.insert(to_text(static_cast<Stage>(i)));
  EXPECT_EQ(words.size(), kStageCount);
  EXPECT_EQ(to_text(Stage::before_fetch), "before_fetch");
  EXPECT_EQ(to_text(Stage::dedup), "dedup");
  EXPECT_EQ(to_text(Stage::on_finally), "on_finally");
}

TEST(Stage, IsInternalWhenTheEngineRunsIt) {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    const bool is_internal = stage == Stage::fetch || stage == Stage::extract ||
                             stage == Stage::dedup || stage == Stage::store;
    EXPECT_EQ(type_of(stage) == StageType::internal, is_internal) << to_text(stage);
  }
}

TEST(CycleTrace, StartsInactiveAndIsIndexedByStage) {
  CycleTrace trace;
  EXPECT_EQ(to_text(trace[Stage::fetch].status), "inactive");
  trace[Stage::store].status = StageStatus::error;
  EXPECT_EQ(to_text(trace.stages[12].status), "error");
}

TEST(Headers, AreFoundWithoutCaseAndTheLastOneCounts) {
  const Headers headers{{"Accept", "a"}, {"X", "1"}, {"accept", "b"}};
  EXPECT_EQ(*find_header(headers, "ACCEPT"), "b");
  EXPECT_EQ(find_header(headers, "Accep"), nullptr);
}

}  // namespace
}  // namespace heddle
