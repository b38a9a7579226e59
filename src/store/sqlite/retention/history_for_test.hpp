// Fixture with a store whose history a test writes page by page and sweeps.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/history.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

using heddle::testing::run_async;

inline constexpr std::int64_t kDay = 86'400'000;

inline WallTime day(std::int64_t number) {
  return WallTime(std::chrono::milliseconds(number * kDay));
}

class HistoryFixture : public ::testing::Test {
 protected:
  void SetUp() override { open(); }

  void open() {
    store_.reset();
    auto opened = SqliteStore::open(file());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "heddle.db"; }

  void execute(const std::string& sql) {
    auto db = Connection::open(file(), {});
    ASSERT_TRUE(db) << db.error().message;
    auto done = (*db)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }

  std::int64_t number(const std::string& sql) {
    auto db = Connection::open(file(), {.read_only = true});
    EXPECT_TRUE(db) << db.error().message;
    auto answer = (*db)->query_integer(sql);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : -1;
  }

  SweepRequest request(HistoryClass what, WallTime before, std::int64_t excess = 0) {
    SweepRequest made;
    made.what = what;
    made.before = before;
    made.excess = excess;
    made.day_of = [this](WallTime time) {
      return (time.time_since_epoch().count() + offset_) / kDay;
    };
    return made;
  }

  // Sweeps batch by batch to the end; returns the number of removed rows.
  std::int64_t sweep(SweepRequest wanted) {
    std::int64_t removed = 0;
    while (true) {
      auto batch = run_async(store_->sweep(wanted));
      EXPECT_TRUE(batch) << batch.error().message;
      if (!batch) return removed;
      removed += batch->removed;
      wanted.after = batch->after;
      wanted.excess -= batch->bytes;
      if (batch->is_last) return removed;
    }
  }

  void delete_job(const std::string& job) {
    auto begun = run_async(store_->begin_deletion(JobId{job}, day(1000)));
    ASSERT_TRUE(begun) << begun.error().message;
  }

  void finish_deletions() {
    while (true) {
      auto more = run_async(store_->continue_deletions());
      ASSERT_TRUE(more) << more.error().message;
      if (!*more) return;
    }
  }

  // Stores a run of one page without items that redirects to another.
  void store_link(const std::string& run, const std::string& url, const std::string& final_url,
                  const std::string& job = "shop") {
    heddle::Run begun;
    begun.id = {run};
    begun.job = {job};
    ASSERT_TRUE(run_async(store_->begin_run(begun, {url})));
    auto batch = run_async(store_->lease_tasks({run}, 1, day(1)));
    ASSERT_TRUE(batch);
    PageResult page;
    page.lease = batch->leases.front();
    page.job = {job};
    page.final_url = final_url;
    page.fetched_at = day(1);
    ASSERT_TRUE(run_async(store_->commit(std::move(page))));
    ASSERT_TRUE(run_async(store_->end_run({run}, RunState::completed, {}, day(1))));
  }

  // Stores a run of one page with these items and this body; returns the number of new items.
  std::int64_t store_page(const std::string& run, const std::vector<std::string>& items,
                          const std::string& body, WallTime at, const std::string& job = "shop") {
    heddle::Run begun;
    begun.id = {run};
    begun.job = {job};
    begun.started_at = at;
    EXPECT_TRUE(run_async(store_->begin_run(begun, {"http://a/"})));
    auto batch = run_async(store_->lease_tasks({run}, 1, at));
    EXPECT_TRUE(batch);
    PageResult page;
    page.lease = batch->leases.front();
    page.job = {job};
    page.final_url = "http://a/";
    page.fetched_at = at;
    KnownQuery query{.job = {job}, .keys = {}, .content = hash128(body)};
    for (const std::string& item : items) query.keys.push_back(hash128(item));
    page.keys = query.keys;
    auto known = run_async(store_->find_known(query));
    EXPECT_TRUE(known);
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!known->keys[i])
        page.new_items.push_back({page.keys[i], {{{"title", items[i]}}, {}, {}}});
    page.snapshot = Snapshot{.content_hash = hash128(body), .size = body.size()};
    if (!known->content) page.snapshot->compressed = body;  // any bytes are valid here
    page.trace[Stage::fetch].status = StageStatus::success;
    auto receipt = run_async(store_->commit(std::move(page)));
    EXPECT_TRUE(receipt) << receipt.error().message;
    EXPECT_TRUE(run_async(store_->end_run({run}, RunState::completed, {}, at)));
    return receipt ? receipt->new_items : -1;
  }

  std::int64_t offset_ = 0;  // of local time, in milliseconds
  heddle::testing::TemporaryFolder folder_;
  std::unique_ptr<SqliteStore> store_;
};

}  // namespace heddle::store
