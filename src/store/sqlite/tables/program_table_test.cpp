#include "store/sqlite/tables/program_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/retention/orphan_rows.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {
namespace {

using heddle::testing::run_async;
using heddle::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

WallTime moment(std::int64_t milliseconds) {
  return WallTime(std::chrono::milliseconds(milliseconds));
}

class ProgramTableTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void open() {
    store_.reset();
    auto opened = SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  void begin(const std::string& id) {
    heddle::Run run;
    run.id = {id};
    run.job = {"job"};
    run.trigger = RunTrigger::manual;
    run.revision = "r";
    run.started_at = moment(1000);
    ASSERT_TRUE(run_async(store_->begin_run(run, {})));
  }
  static ProcessRecord process(int index, int attempt, ProcessState state) {
    ProcessRecord record;
    record.run = {"r1"};
    record.index = index;
    record.attempt = attempt;
    record.state = state;
    record.started_at = moment(2000);
    return record;
  }
  static HookRecord hook(const std::string& name, int attempt, HookState state) {
    HookRecord record;
    record.run = {"r1"};
    record.phase = HookPhase::post_stop;
    record.hook = name;
    record.attempt = attempt;
    record.state = state;
    record.started_at = moment(2000);
    return record;
  }
  ProgramHistory history(const std::string& run = "r1") {
    auto found = run_async(store_->program_history({run}));
    EXPECT_TRUE(found);
    return found ? *found : ProgramHistory{};
  }

  TemporaryFolder folder_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(ProgramTableTest, KeepsRecordsAcrossReopening) {
  begin("r1");
  ProcessRecord ended = process(3, 2, ProcessState::failed);
  ended.pid = 4711;
  ended.ended_at = moment(3000);
  ended.exit.code = 7;
  ended.peak_memory_bytes = 12'345;
  ended.cpu_time = std::chrono::milliseconds(67);
  ended.is_ready = true;
  ended.problem = "too bad";
  HookRecord killed = hook("clean", 2, HookState::timed_out);
  killed.ended_at = moment(3500);
  killed.exit.signal = 9;
  killed.output = "some\noutput";
  RunStageRecord stage_record;
  stage_record.stage = RunStage::finishing;
  stage_record.outcome =
      RunOutcome{RunState::failed, {3, std::nullopt}, ErrorKind::process_failed, "message", true};
  ASSERT_TRUE(run_async(store_->record_process(ended)));
  ASSERT_TRUE(run_async(store_->record_hook(killed)));
  ASSERT_TRUE(run_async(store_->record_stage({"r1"}, stage_record)));
  open();
  EXPECT_THAT(history().processes, ElementsAre(ended));
  EXPECT_THAT(history().hooks, ElementsAre(killed));
  EXPECT_EQ(history().stage_record, stage_record);
  auto reader = SqliteReader::open(folder_.path() / "heddle.db");
  ASSERT_TRUE(reader);
  EXPECT_THAT((*reader)->program_history({"r1"})->hooks, ElementsAre(killed));
}

TEST_F(ProgramTableTest, ReplacesTheRecordOfTheSameAttempt) {
  begin("r1");
  ASSERT_TRUE(run_async(store_->record_process(process(0, 1, ProcessState::running))));
  ASSERT_TRUE(run_async(store_->record_process(process(0, 2, ProcessState::running))));
  ASSERT_TRUE(run_async(store_->record_process(process(0, 1, ProcessState::succeeded))));
  EXPECT_THAT(history().processes, ElementsAre(process(0, 1, ProcessState::succeeded),
                                               process(0, 2, ProcessState::running)));
  ASSERT_TRUE(run_async(store_->record_hook(hook("a", 1, HookState::running))));
  ASSERT_TRUE(run_async(store_->record_hook(hook("a", 1, HookState::succeeded))));
  EXPECT_THAT(history().hooks, ElementsAre(hook("a", 1, HookState::succeeded)));
}

TEST_F(ProgramTableTest, RefusesAnUnknownRunAndReturnsNoHistory) {
  EXPECT_EQ(run_async(store_->record_process(process(0, 1, ProcessState::running))).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(run_async(store_->record_hook(hook("a", 1, HookState::running))).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(run_async(store_->record_stage({"r1"}, {})).error().code, ErrorCode::not_found);
  EXPECT_THAT(history().processes, IsEmpty());
  EXPECT_EQ(history().stage_record, std::nullopt);
}

TEST_F(ProgramTableTest, RecordsFailuresAsEvents) {
  begin("r1");
  HookRecord failed = hook("a", 1, HookState::failed);
  failed.ended_at = moment(5000);
  failed.exit.code = 4;
  ASSERT_TRUE(run_async(store_->record_hook(failed)));
  ProcessRecord lost = process(1, 1, ProcessState::interrupted);
  lost.ended_at = moment(6000);
  ASSERT_TRUE(run_async(store_->record_process(lost)));
  ASSERT_TRUE(run_async(store_->record_process(process(2, 1, ProcessState::succeeded))));
  auto reader = SqliteReader::open(folder_.path() / "heddle.db");
  ASSERT_TRUE(reader);
  const auto events = (*reader)->job_events({"job"}, 0, 10);
  ASSERT_TRUE(events);
  std::vector<std::string> kinds;
  for (const StoredEvent& event : *events) kinds.push_back(event.kind);
  EXPECT_THAT(kinds, ElementsAre("run.started", "hook.failed", "process.failed"));
}

TEST_F(ProgramTableTest, RemovesRecordsWithTheirRun) {
  begin("r1");
  begin("r2");
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(run_async(store_->record_process(process(i, 1, ProcessState::succeeded))));
  ASSERT_TRUE(run_async(store_->record_hook(hook("a", 1, HookState::succeeded))));
  ASSERT_TRUE(run_async(store_->record_stage({"r1"}, {})));
  ASSERT_TRUE(run_async(store_->end_run({"r1"}, RunState::completed, {}, moment(9000))));
  SweepRequest request;
  request.what = HistoryClass::runs;
  request.before = moment(1'000'000);
  request.day_of = [](WallTime) { return std::int64_t{1}; };
  while (true) {
    auto batch = run_async(store_->sweep(request));
    ASSERT_TRUE(batch) << batch.error().message;
    if (batch->is_last) break;
    request.after = batch->after;
  }
  EXPECT_THAT(history().processes, IsEmpty());
  auto db = Connection::open(folder_.path() / "heddle.db", {});
  ASSERT_TRUE(db);
  auto orphans = find_orphan_rows(**db);
  ASSERT_TRUE(orphans);
  EXPECT_THAT(*orphans, IsEmpty());
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM processes"), 0);
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM hook_tries"), 0);
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM run_courses"), 0);
}

TEST_F(ProgramTableTest, KeepsOnlyTheNewestAttemptsOfAService) {
  begin("r1");
  ASSERT_TRUE(run_async(store_->record_process(process(0, 1, ProcessState::failed))));
  ASSERT_TRUE(run_async(store_->record_process(process(0, 1500, ProcessState::running))));
  EXPECT_THAT(history().processes, SizeIs(1));
}

}  // namespace
}  // namespace heddle::store
