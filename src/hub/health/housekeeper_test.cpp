#include "hub/health/housekeeper.hpp"

#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {

namespace {

using heddle::testing::run_async;

constexpr std::int64_t kDay = 86'400'000;

class HousekeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(file());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "heddle.db"; }

  void execute(const std::string& sql) {
    auto db = store::Connection::open(file(), {});
    ASSERT_TRUE(db) << db.error().message;
    auto done = (*db)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }

  std::int64_t number(const std::string& sql) {
    auto db = store::Connection::open(file(), {.read_only = true});
    EXPECT_TRUE(db) << db.error().message;
    return *(*db)->query_integer(sql);
  }

  // One event a day from day 1 on, with that many bytes each.
  void add_events(int count, int bytes = 10) {
    execute("WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < " +
            std::to_string(count) + ") INSERT INTO events (at, kind, data) SELECT i * 86400000," +
            " 'x', hex(zeroblob(" + std::to_string(bytes / 2) + ")) FROM n");
  }

  std::int64_t run_once() {
    HousekeeperParts parts{*store_, clock_, log_,
                           [](WallTime time) { return time.time_since_epoch().count() / kDay; }};
    parts.can_trust_ages = [this] { return can_trust_ages_; };
    Housekeeper housekeeper(std::move(parts), rules_);
    auto removed = run_async(housekeeper.run_once());
    EXPECT_TRUE(removed) << removed.error().message;
    return removed ? *removed : 0;
  }

  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{WallTime(std::chrono::milliseconds(100 * kDay))};
  NoLog log_;
  RetentionRules rules_;
  bool can_trust_ages_ = true;
  std::unique_ptr<store::SqliteStore> store_;
};

TEST_F(HousekeeperTest, RemovesHistoryOlderThanItsRule) {
  add_events(100);
  rules_.events.time = std::chrono::days(14);
  EXPECT_EQ(run_once(), 85);
  EXPECT_EQ(number("SELECT min(at) FROM events"), 86 * kDay);
  EXPECT_EQ(run_once(), 0);
  clock_.advance(std::chrono::days(3));
  EXPECT_EQ(run_once(), 3);
}

TEST_F(HousekeeperTest, RemovesNothingByAgeWhileTheClockMayBeWrong) {
  add_events(100);
  rules_.events.time = std::chrono::days(14);
  clock_.jump(std::chrono::days(3650));
  can_trust_ages_ = false;
  EXPECT_EQ(run_once(), 0);
  can_trust_ages_ = true;
  EXPECT_EQ(run_once(), 100);
}

TEST_F(HousekeeperTest, RemovesTheOldestRowsOverTheSizeLimit) {
  add_events(100, 960);  // about 1000 bytes each
  rules_.events = {std::chrono::days(500), 30'000};
  const auto removed = run_once();
  EXPECT_NEAR(static_cast<double>(removed), 70, 3);
  EXPECT_EQ(number("SELECT min(at) FROM events"), (removed + 1) * kDay);
  EXPECT_EQ(run_once(), 0);
}

TEST_F(HousekeeperTest, KeepsEverythingWhenNothingIsOld) {
  add_events(50);
  rules_.events.time = std::chrono::days(1000);
  EXPECT_EQ(run_once(), 0);
  EXPECT_EQ(number("SELECT count(*) FROM events"), 50);
}

TEST_F(HousekeeperTest, ContinuesUnfinishedDeletions) {
  heddle::Run run;
  run.id = {"r"};
  run.job = {"shop"};
  ASSERT_TRUE(run_async(store_->begin_run(run, {"http://a/"})));
  ASSERT_TRUE(run_async(store_->end_run({"r"}, RunState::completed, {}, clock_.now())));
  ASSERT_TRUE(run_async(store_->begin_deletion(JobId{"shop"}, clock_.now())));
  EXPECT_EQ(number("SELECT count(*) FROM runs"), 1);
  run_once();
  EXPECT_EQ(number("SELECT count(*) FROM runs"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM jobs"), 0);
}

TEST_F(HousekeeperTest, ReclaimsSpace) {
  add_events(4000, 4000);
  clock_.advance(std::chrono::days(10'000));
  const auto before = number("PRAGMA page_count");
  EXPECT_EQ(run_once(), 4000);
  EXPECT_LT(number("PRAGMA page_count"), before / 2);
}

}  // namespace

}  // namespace heddle::hub
