#include "hub/storage_watch.hpp"

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
using ::testing::IsEmpty;

using enum StorageLevel;

TEST(StorageLevels, RiseAtEightyAndAHundredPercent) {
  EXPECT_EQ(level_after(fine, 79, 100), fine);
  EXPECT_EQ(level_after(fine, 80, 100), warning);
  EXPECT_EQ(level_after(warning, 99, 100), warning);
  EXPECT_EQ(level_after(warning, 100, 100), full);
  EXPECT_EQ(level_after(fine, 500, 100), full);
}

TEST(StorageLevels, FallSomeWayBelow) {
  EXPECT_EQ(level_after(full, 95, 100), full);
  EXPECT_EQ(level_after(full, 94, 100), warning);
  EXPECT_EQ(level_after(warning, 75, 100), warning);
  EXPECT_EQ(level_after(warning, 74, 100), fine);
  EXPECT_EQ(level_after(full, 10, 100), fine);
}

class StorageWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(file());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    start();
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "heddle.db"; }

  // A daemon's start, on what is in the store.
  void start() {
    StorageParts parts{*store_,
                       clock_,
                       log_,
                       [this] { return measure(); },
                       [this] { return Result<std::int64_t>(disk_); },
                       [this] { return Result<std::int64_t>(free_); },
                       [this](StorageState state) { return note(state); }};
    watch_ = std::make_unique<StorageWatch>(std::move(parts), rule_);
    told_.clear();
    ASSERT_TRUE(run_async(watch_->begin()));
  }

  StorageLevel look(std::int64_t used) {
    used_ = used;
    EXPECT_TRUE(run_async(watch_->look()));
    return watch_->state().level;
  }

  std::vector<std::string> events() {
    auto reader = store::SqliteReader::open(file());
    std::vector<std::string> kinds;
    const auto events = (*reader)->events(0, 100);
    if (!events) return kinds;
    for (const auto& event : *events) kinds.push_back(event.kind);
    return kinds;
  }

  Async<Result<std::int64_t>> measure() { co_return weigh_ ? weigh_() : used_; }
  Async<void> note(StorageState state) {
    told_.push_back(state.level);
    co_return;
  }

  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{WallTime(std::chrono::milliseconds(1))};
  NoLog log_;
  StorageRule rule_{.bytes = 1000};
  std::int64_t disk_ = 50'000;
  std::int64_t free_ = 1'000'000'000;
  std::int64_t used_ = 0;
  std::function<std::int64_t()> weigh_;  // instead of used_
  std::vector<StorageLevel> told_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<StorageWatch> watch_;
};

TEST_F(StorageWatchTest, SaysEachChangeOnce) {
  EXPECT_EQ(look(100), fine);
  EXPECT_EQ(look(850), warning);
  EXPECT_EQ(look(860), warning);
  EXPECT_EQ(look(1000), full);
  EXPECT_EQ(look(1200), full);
  EXPECT_EQ(look(100), fine);
  EXPECT_THAT(events(), ElementsAre("storage.warning", "storage.full", "storage.fine"));
  EXPECT_THAT(told_, ElementsAre(fine, warning, full, fine));
}

TEST_F(StorageWatchTest, SaysNothingAgainAfterARestart) {
  look(850);
  start();
  EXPECT_THAT(told_, ElementsAre(warning)) << "whoever acts on it begins with what is known";
  EXPECT_EQ(look(850), warning);
  EXPECT_THAT(events(), ElementsAre("storage.warning"));
}

TEST_F(StorageWatchTest, WorksAShareOfTheDiskOutOnce) {
  rule_ = {.bytes = 0, .share = 0.1};
  start();
  EXPECT_EQ(watch_->state().limit, 5000);
  disk_ = 900'000;
  start();
  EXPECT_EQ(watch_->state().limit, 5000) << "another disk does not change it";
  rule_.share = 0.2;
  start();
  EXPECT_EQ(watch_->state().limit, 180'000);
}

TEST_F(StorageWatchTest, TakesBytesThatAreGiven) {
  EXPECT_EQ(watch_->state().limit, 1000);
  EXPECT_THAT(events(), IsEmpty());
}

// The log holds nothing that the database will not: it must not be what holds the jobs.
TEST_F(StorageWatchTest, HasTheLogOfTheStoreCutBeforeItJudges) {
  rule_.bytes = 10'000'000;
  start();
  auto log = file();
  log += "-wal";
  weigh_ = [&] { return 9'600'000 + static_cast<std::int64_t>(std::filesystem::file_size(log)); };
  for (int i = 0; i < 6; ++i) {
    store::Note note;
    note.name = "ballast";
    note.value = std::string(100'000, 'x');
    ASSERT_TRUE(run_async(store_->put_note(std::move(note), clock_.now())));
  }
  ASSERT_GE(weigh_(), 10'000'000);
  ASSERT_TRUE(run_async(watch_->look()));
  EXPECT_EQ(watch_->state().level, warning);
  EXPECT_EQ(std::count(told_.begin(), told_.end(), full), 0);
}

TEST_F(StorageWatchTest, BoundsTheLogOfTheStoreByATenthOfTheLimit) {
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

TEST_F(StorageWatchTest, HoldsRunsOnADiskThatOthersHaveFilled) {
  free_ = 0;
  EXPECT_EQ(look(1), StorageLevel::full);
  free_ = 1'000'000;
  EXPECT_EQ(look(1), StorageLevel::fine);
}

}  // namespace

}  // namespace heddle::hub
