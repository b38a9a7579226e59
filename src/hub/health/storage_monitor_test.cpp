#include "hub/health/storage_monitor.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {

namespace {

using heddle::testing::run_async;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using enum StorageLevel;

TEST(StorageLevels, RiseAtEightyAndAHundredPercent) {
  EXPECT_EQ(level_after(fine, 79, 100), fine);
  EXPECT_EQ(level_after(fine, 80, 100), warning);
  EXPECT_EQ(level_after(warning, 99, 100), warning);
  EXPECT_EQ(level_after(warning, 100, 100), full);
  EXPECT_EQ(level_after(fine, 500, 100), full);
}

TEST(StorageLevels, FallWithHysteresis) {
  EXPECT_EQ(level_after(full, 95, 100), full);
  EXPECT_EQ(level_after(full, 94, 100), warning);
  EXPECT_EQ(level_after(warning, 75, 100), warning);
  EXPECT_EQ(level_after(warning, 74, 100), fine);
  EXPECT_EQ(level_after(full, 10, 100), fine);
}

TEST(StorageLevels, FollowTheFreeShareOfASmallDisk) {
  EXPECT_EQ(level_by_free(fine, 5001, 100'000), fine);
  EXPECT_EQ(level_by_free(fine, 5000, 100'000), warning);
  EXPECT_EQ(level_by_free(warning, 1000, 100'000), full);
  EXPECT_EQ(level_by_free(full, 1250, 100'000), full);
  EXPECT_EQ(level_by_free(full, 1251, 100'000), warning);
  EXPECT_EQ(level_by_free(warning, 6250, 100'000), warning);
  EXPECT_EQ(level_by_free(warning, 6251, 100'000), fine);
}

TEST(StorageLevels, UseAbsoluteLimitsOnALargeDisk) {
  constexpr std::int64_t kDisk = 4'000'000'000'000;
  EXPECT_EQ(level_by_free(fine, 300 << 20, kDisk), fine);
  EXPECT_EQ(level_by_free(fine, 200 << 20, kDisk), warning);
  EXPECT_EQ(level_by_free(fine, 10 << 20, kDisk), full);
}

// A history that accepts no notes while the disk is full.
class FailingHistory final : public store::History {
 public:
  explicit FailingHistory(store::History& real) : real_(real) {}
  bool is_full = false;

  Async<Status> put_note(store::Note note, WallTime now) override {
    if (is_full) co_return Error{ErrorCode::unavailable, "the disk is full"};
    co_return co_await real_.put_note(std::move(note), now);
  }
  Async<Result<std::optional<std::string>>> find_note(std::string name) override {
    return real_.find_note(std::move(name));
  }
  Async<Status> truncate_wal() override { return real_.truncate_wal(); }
  void set_wal_limit(std::int64_t bytes) override { real_.set_wal_limit(bytes); }
  Async<Result<store::SweepBatch>> sweep(store::SweepRequest order) override {
    return real_.sweep(std::move(order));
  }
  Async<Result<store::MeasuredBatch>> measure(store::HistoryClass what,
                                              std::int64_t after) override {
    return real_.measure(what, after);
  }
  Async<Result<bool>> release_space() override { return real_.release_space(); }
  Async<Result<bool>> continue_deletions() override { return real_.continue_deletions(); }

 private:
  store::History& real_;
};

class StorageMonitorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(file());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    start();
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "heddle.db"; }

  // Starts a daemon on the same store.
  void start() {
    history_ = std::make_unique<FailingHistory>(*store_);
    StorageMonitorParts parts{*history_,
                              clock_,
                              log_,
                              [this] { return measure(); },
                              [this] { return Result<std::int64_t>(disk_); },
                              [this] { return Result<std::int64_t>(free_); },
                              [this](StorageState state) { return note(state); }};
    monitor_ = std::make_unique<StorageMonitor>(std::move(parts), rule_);
    reported_.clear();
    ASSERT_TRUE(run_async(monitor_->begin()));
  }

  StorageLevel check(std::int64_t used) {
    used_ = used;
    EXPECT_TRUE(run_async(monitor_->check()));
    return monitor_->state().level;
  }

  std::vector<std::string> events() {
    auto reader = store::SqliteReader::open(file());
    std::vector<std::string> kinds;
    const auto events = (*reader)->events(0, 100);
    if (!events) return kinds;
    for (const auto& event : *events) kinds.push_back(event.kind);
    return kinds;
  }

  Async<Result<std::int64_t>> measure() { co_return measure_ ? measure_() : used_; }
  Async<void> note(StorageState state) {
    if (reported_.empty()) first_report_ = state;
    reported_.push_back(state.level);
    co_return;
  }

  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{WallTime(std::chrono::milliseconds(1))};
  NoLog log_;
  StorageRule rule_{.bytes = 1000};
  std::int64_t disk_ = 50'000;
  std::int64_t free_ = 1'000'000'000;
  std::int64_t used_ = 0;
  std::function<std::int64_t()> measure_;  // instead of used_
  std::vector<StorageLevel> reported_;
  std::optional<StorageState> first_report_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<FailingHistory> history_;
  std::unique_ptr<StorageMonitor> monitor_;
};

TEST_F(StorageMonitorTest, ReportsEachChangeOnce) {
  EXPECT_EQ(check(100), fine);
  EXPECT_EQ(check(850), warning);
  EXPECT_EQ(check(860), warning);
  EXPECT_EQ(check(1000), full);
  EXPECT_EQ(check(1200), full);
  EXPECT_EQ(check(100), fine);
  EXPECT_THAT(events(), ElementsAre("storage.warning", "storage.full", "storage.fine"));
  EXPECT_THAT(reported_, ElementsAre(fine, warning, full, fine));
}

TEST_F(StorageMonitorTest, DoesNotRepeatAReportAfterARestart) {
  check(850);
  start();
  EXPECT_THAT(reported_, ElementsAre(warning)) << "the known level is reported at the start";
  EXPECT_EQ(check(850), warning);
  EXPECT_THAT(events(), ElementsAre("storage.warning"));
}

TEST_F(StorageMonitorTest, ComputesAShareOfTheDiskOnce) {
  rule_ = {.bytes = 0, .share = 0.1};
  start();
  EXPECT_EQ(monitor_->state().limit, 5000);
  disk_ = 900'000;
  start();
  EXPECT_EQ(monitor_->state().limit, 5000) << "another disk does not change it";
  rule_.share = 0.2;
  start();
  EXPECT_EQ(monitor_->state().limit, 180'000);
}

TEST_F(StorageMonitorTest, UsesALimitInBytes) {
  EXPECT_EQ(monitor_->state().limit, 1000);
  EXPECT_THAT(events(), IsEmpty());
}

// The content of the WAL also ends up in the database, so its size alone must not hold jobs.
TEST_F(StorageMonitorTest, TruncatesTheStoreLogBeforeItEvaluates) {
  rule_.bytes = 10'000'000;
  start();
  auto log = file();
  log += "-wal";
  measure_ = [&] { return 9'600'000 + static_cast<std::int64_t>(std::filesystem::file_size(log)); };
  for (int i = 0; i < 60 && measure_() < rule_.bytes; ++i) {  // it may restart by itself
    store::Note note;
    note.name = "ballast";
    note.value = std::string(100'000, 'x');
    ASSERT_TRUE(run_async(store_->put_note(std::move(note), clock_.now())));
  }
  ASSERT_GE(measure_(), rule_.bytes);
  ASSERT_TRUE(run_async(monitor_->check()));
  EXPECT_EQ(monitor_->state().level, warning);
  EXPECT_EQ(std::count(reported_.begin(), reported_.end(), full), 0);
}

TEST_F(StorageMonitorTest, LimitsTheStoreLogToATenthOfTheLimit) {
  rule_.bytes = 10'000'000;
  start();
  auto log = file();
  log += "-wal";
  for (int i = 0; i < 80; ++i) {
    store::Note note;
    note.name = "ballast";
    note.value = std::string(100'000, 'x');
    ASSERT_TRUE(run_async(store_->put_note(std::move(note), clock_.now())));
  }
  EXPECT_LT(std::filesystem::file_size(log), 2'500'000U) << "8 MB were written";
}

TEST_F(StorageMonitorTest, ReportsADiskFilledByOthers) {
  free_ = 0;
  EXPECT_EQ(check(1), StorageLevel::full);
  free_ = 1'000'000;
  EXPECT_EQ(check(1), StorageLevel::fine);
}

TEST_F(StorageMonitorTest, WarnsBeforeTheDiskIsFull) {
  free_ = 2000;
  EXPECT_EQ(check(1), warning) << "a twenty-fifth of the disk is free, and we use next to nothing";
  EXPECT_THAT(storage_summary(monitor_->state()), HasSubstr("the disk is almost full"));
}

TEST_F(StorageMonitorTest, ReportsImmediatelyThoughNothingCanBeStored) {
  history_->is_full = true;
  used_ = 1000;
  EXPECT_FALSE(run_async(monitor_->check())) << "it says that it could not write it down";
  EXPECT_THAT(reported_, ElementsAre(fine, full));
  EXPECT_FALSE(run_async(monitor_->check()));
  EXPECT_THAT(reported_, ElementsAre(fine, full)) << "once";
  history_->is_full = false;
  EXPECT_EQ(check(1000), full);
  EXPECT_THAT(events(), ElementsAre("storage.full"));
}

TEST_F(StorageMonitorTest, ReportsMeasuredFiguresAfterARestart) {
  check(850);
  start();
  ASSERT_TRUE(first_report_);
  EXPECT_EQ(first_report_->level, warning);
  EXPECT_EQ(first_report_->used, 850);
  EXPECT_EQ(first_report_->limit, 1000);
  EXPECT_TRUE(first_report_->is_measured);
}

}  // namespace

}  // namespace heddle::hub
