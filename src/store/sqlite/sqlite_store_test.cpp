// What only the SQLite store guarantees: bounded files, groups that fail together, odd contents.
#include "store/sqlite/sqlite_store.hpp"

#include <fstream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/faulty_disk.hpp"
#include "store/sqlite/core/group_writer.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/store_contract_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

namespace {

using ::testing::AnyOf;
using testing::at;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::item;
using testing::key;
using testing::run_async;
using ::testing::SizeIs;

class SqliteStoreTest : public ::testing::Test {
 protected:
  void open(const SqliteOptions& options = {}) {
    store_.reset();
    auto opened = SqliteStore::open(file_, options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }

  // Changes the closed file without the store.
  void tamper(const std::string& sql) {
    store_.reset();
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db);
    auto done = (*db)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }

  std::int64_t count(const std::string& sql) {
    auto db = Connection::open(file_, {.read_only = true});
    EXPECT_TRUE(db);
    auto number = (*db)->query_integer(sql);
    EXPECT_TRUE(number) << number.error().message;
    return number ? *number : -1;
  }

  std::vector<Lease> begin(const std::string& id, std::size_t pages) {
    heddle::Run run;
    run.id = {id};
    run.job = {"shop"};
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < pages; ++i) urls.push_back("http://a/" + std::to_string(i));
    auto begun = run_async(store_->begin_run(run, urls));
    EXPECT_TRUE(begun) << begun.error().message;
    auto batch = run_async(store_->lease_tasks(run.id, pages, at(1)));
    EXPECT_TRUE(batch) << batch.error().message;
    return batch ? std::move(batch->leases) : std::vector<Lease>{};
  }

  static PageResult page(const Lease& lease, std::uint64_t first, std::uint64_t last) {
    PageResult page;
    page.lease = lease;
    page.job = {"shop"};
    page.final_url = lease.task.url;
    page.fetched_at = at(3000);
    for (std::uint64_t i = first; i < last; ++i) {
      page.keys.push_back(key(i));
      page.new_items.push_back(item(i));
    }
    return page;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(SqliteStoreTest, ReportsAFullDiskAndRecoversWhenThereIsSpace) {
  open({.max_file_bytes = 600 * 1024});
  const auto leases = begin("r1", 40);
  std::size_t stored = 0;
  Result<CommitReceipt> receipt;
  for (; stored < leases.size(); ++stored) {
    receipt = run_async(store_->commit(page(leases[stored], stored * 1000, stored * 1000 + 1000)));
    if (!receipt) break;
  }
  ASSERT_LT(stored, leases.size());
  EXPECT_GT(stored, 0u);
  EXPECT_EQ(receipt.error().code, ErrorCode::unavailable);
  EXPECT_THAT(receipt.error().message, HasSubstr("disk is full"));
  EXPECT_THAT(receipt.error().message, HasSubstr(file_.string()));
  // The refused page left nothing, and small writes still work.
  EXPECT_EQ(count("SELECT count(*) FROM items"), static_cast<std::int64_t>(stored) * 1000);
  EXPECT_EQ(count("SELECT count(*) FROM seen_keys"), static_cast<std::int64_t>(stored) * 1000);
  EXPECT_TRUE(run_async(store_->commit(page(leases[stored + 1], 1'000'000, 1'000'001))));

  open();
  EXPECT_TRUE(run_async(store_->commit(page(leases[stored], 0, 1000))));
  store_.reset();
  EXPECT_EQ(count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

TEST_F(SqliteStoreTest, FindsCachedKeysWithoutReadingTheFile) {
  open();
  const auto leases = begin("r1", 1);
  ASSERT_TRUE(run_async(store_->commit(page(leases[0], 0, 3))));
  auto other = Connection::open(file_, {});
  ASSERT_TRUE(other);
  ASSERT_TRUE((*other)->execute("DELETE FROM seen_keys"));
  KnownQuery query{{"shop"}, {key(0), key(1), key(2), key(3)}, {}};
  auto known = run_async(store_->find_known(std::move(query)));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->keys, (std::vector<bool>{true, true, true, false}));
}

Async<void> commit_into(Store& store, PageResult page, Result<CommitReceipt>& receipt) {
  receipt = co_await store.commit(std::move(page));
}

TEST_F(SqliteStoreTest, CommitsTheRestOfAGroupWhenOneCommandFails) {
  open();
  const auto leases = begin("r1", 9);
  boost::asio::io_context loop;
  std::vector<Result<CommitReceipt>> receipts(9);
  for (std::size_t i = 0; i < 9; ++i) {
    PageResult result = page(leases[i], i * 10, i * 10 + 10);
    // Fails after its items have been written: the body is neither sent nor stored.
    if (i == 4) result.snapshot = Snapshot{.content_hash = {1, 2}, .size = 3, .compressed = {}};
    if (i == 7) result.lease.token = 99;
    boost::asio::co_spawn(loop, commit_into(*store_, std::move(result), receipts[i]),
                          boost::asio::detached);
  }
  loop.run();
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(static_cast<bool>(receipts[i]), i != 4 && i != 7);
  EXPECT_EQ(receipts[4].error().code, ErrorCode::not_found);
  EXPECT_EQ(receipts[7].error().code, ErrorCode::conflict);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 70);
  EXPECT_EQ(count("SELECT count(*) FROM seen_keys"), 70);
}

TEST_F(SqliteStoreTest, KeepsEqualContentOnceAndOneVersionPerChange) {
  open();
  const std::vector<std::string> contents{"one", "one", "two", "two", "one"};
  for (std::size_t i = 0; i < contents.size(); ++i) {
    PageResult result = page(begin("r" + std::to_string(i), 1).front(), 0, 0);
    result.snapshot =
        Snapshot{.content_hash = hash128(contents[i]), .size = 3, .compressed = "zstd"};
    ASSERT_TRUE(run_async(store_->commit(std::move(result))));
  }
  EXPECT_EQ(count("SELECT count(*) FROM contents"), 2);
  EXPECT_EQ(count("SELECT count(*) FROM versions"), 3);
}

TEST_F(SqliteStoreTest, CommitsEventsAndDeadLettersWithTheirCause) {
  open();
  const auto leases = begin("r1", 2);
  ASSERT_TRUE(run_async(store_->postpone({.lease = leases[0],
                                          .error = {ErrorKind::dns, "no host", ""},
                                          .due_at = at(10),
                                          .trace = {},
                                          .at = at(5)})));
  auto again = run_async(store_->lease_tasks({"r1"}, 1, at(10)));
  ASSERT_TRUE(again);
  ASSERT_TRUE(run_async(store_->dead_letter({.lease = again->leases.at(0),
                                             .job = {"shop"},
                                             .error = {ErrorKind::dns, "no host", ""},
                                             .at = at(20),
                                             .keep_dead_letter = true,
                                             .trace = {}})));
  ASSERT_TRUE(run_async(store_->dead_letter({.lease = leases[1],
                                             .job = {"shop"},
                                             .error = {ErrorKind::robots, "refused", ""},
                                             .at = at(21),
                                             .keep_dead_letter = false,
                                             .trace = {}})));
  ASSERT_TRUE(run_async(store_->end_run({"r1"}, RunState::failed, {}, at(30))));
  EXPECT_EQ(count("SELECT count(*) FROM dead_letters WHERE origin = 'page' AND attempts = 2 AND"
                  " payload = 'http://a/0' AND error_kind = 'dns' AND first_failed_at = 5 AND"
                  " last_failed_at = 20 AND task = 1 AND run = 'r1'"),
            1);
  EXPECT_EQ(count("SELECT count(*) FROM dead_letters"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM events WHERE kind = 'page.dead'"), 2);
  EXPECT_EQ(count("SELECT count(*) FROM events WHERE kind = 'run.started' AND at = 0"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM events WHERE kind = 'run.ended' AND at = 30"), 1);
  EXPECT_EQ(count("SELECT json_extract(data, '$.state') = 'failed' FROM events"
                  " WHERE kind = 'run.ended'"),
            1);
}

TEST_F(SqliteStoreTest, DeadLettersAMessage) {
  open();
  PageResult result = page(begin("r1", 1).front(), 0, 1);
  Delivery delivery;
  delivery.id = {"d1"};
  delivery.job = {"shop"};
  delivery.run = {"r1"};
  delivery.payload = "{}";
  result.deliveries = {delivery};
  ASSERT_TRUE(run_async(store_->commit(std::move(result))));
  ASSERT_TRUE(
      run_async(store_->postpone_delivery({"d1"}, {at(5), std::chrono::milliseconds(0)}, "500")));
  ASSERT_TRUE(run_async(store_->dead_letter_delivery({"d1"}, at(9), "still 500")));
  EXPECT_EQ(count("SELECT count(*) FROM dead_letters WHERE origin = 'delivery' AND delivery = 'd1'"
                  " AND attempts = 2 AND error = 'still 500' AND last_failed_at = 9"),
            1);
}

TEST_F(SqliteStoreTest, CheckpointsDuringCommits) {
  open({.checkpoint_bytes = 64 * 1024});
  const auto leases = begin("r1", 60);
  for (std::size_t i = 0; i < leases.size(); ++i)
    ASSERT_TRUE(run_async(store_->commit(page(leases[i], i * 300, i * 300 + 300))));
  auto log = file_;
  log += "-wal";
  EXPECT_LT(std::filesystem::file_size(log), 2u << 20);  // far more was written in total
  EXPECT_GT(std::filesystem::file_size(file_), 1u << 20);
}

// Each pass syncs two files, and commits wait for the same disk.
TEST_F(SqliteStoreTest, CheckpointsOnceForManyCommits) {
  testing::FaultyDisk disk;
  open({.checkpoint_bytes = 1u << 20, .vfs = disk.vfs()});
  const auto leases = begin("r1", 200);
  disk.slow_down(std::chrono::milliseconds(1));  // so that commits arrive during a checkpoint
  const auto before = disk.syncs();
  for (std::size_t i = 0; i < leases.size(); ++i)
    ASSERT_TRUE(run_async(store_->commit(page(leases[i], i * 20, i * 20 + 20))));
  EXPECT_GE(disk.syncs() - before, 200);  // one for each commit
  EXPECT_LT(disk.syncs() - before, 280);
  store_.reset();
}

TEST_F(SqliteStoreTest, LeavesOneFileWhenItIsClosed) {
  open();
  begin("r1", 3);
  store_.reset();
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    ++files;
  EXPECT_EQ(files, 1u);
}

TEST_F(SqliteStoreTest, AnswersQueuedCallsWhenItIsClosed) {
  open();
  const auto leases = begin("r1", 50);
  boost::asio::io_context loop;
  std::vector<Result<CommitReceipt>> receipts(leases.size());
  for (std::size_t i = 0; i < leases.size(); ++i)
    boost::asio::co_spawn(loop, commit_into(*store_, page(leases[i], i, i + 1), receipts[i]),
                          boost::asio::detached);
  while (loop.poll_one() != 0) continue;  // every call is queued; some are answered already
  store_.reset();
  loop.run();
  for (const auto& receipt : receipts) EXPECT_TRUE(receipt) << receipt.error().message;
  EXPECT_EQ(count("SELECT count(*) FROM items"), 50);
}

TEST_F(SqliteStoreTest, ReadsDuringWrites) {
  open();
  auto reader = SqliteReader::open(file_);
  ASSERT_TRUE(reader);
  const auto leases = begin("r1", 2);
  ASSERT_TRUE(run_async(store_->commit(page(leases[0], 0, 5))));
  int seen = 0;
  ASSERT_TRUE((*reader)->for_each_record({"shop"}, {}, [&](const Record&) {
    // A slow visit callback does not block the writer.
    if (seen++ == 0) {
      EXPECT_TRUE(run_async(store_->commit(page(leases[1], 10, 15))));
    }
    return true;
  }));
  EXPECT_EQ(seen, 5);
}

TEST_F(SqliteStoreTest, EndsARunWhoseStateIsDamaged) {
  open();
  begin("r1", 1);
  tamper("UPDATE runs SET state = 'odd'");
  open();
  auto ended = run_async(store_->end_run({"r1"}, RunState::stopped, {}, WallTime{}));
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->state, RunState::stopped);
}

TEST_F(SqliteStoreTest, SurvivesOddValuesInTheFile) {
  open();
  const auto leases = begin("r1", 2);
  PageResult result = page(leases[0], 0, 3);
  result.snapshot = Snapshot{.content_hash = {1, 2}, .size = 3, .compressed = "not zstd"};
  result.trace[Stage::fetch] = {StageStatus::success, std::chrono::microseconds(1), ""};
  ASSERT_TRUE(run_async(store_->commit(std::move(result))));
  tamper(
      "UPDATE items SET fields = x'FF00', matches = 7, typed_values = '[', key = 'x', url = 99;"
      "UPDATE page_keys SET keys = 'abc'; UPDATE pages SET body_hash = 1, etag = x'00';"
      "UPDATE traces SET trace = 'garbage'; UPDATE tasks SET state = 77, url = x'FF', attempt = "
      "'x';"
      "UPDATE runs SET state = 'odd', errors = '{', job = 12345, started_at = 'when';"
      "UPDATE contents SET size = -5");
  open();
  auto reader = SqliteReader::open(file_);
  ASSERT_TRUE(reader);
  int seen = 0;
  EXPECT_TRUE((*reader)->for_each_record({"shop"}, {}, [&](const Record& record) {
    EXPECT_EQ(record.url, "");
    return ++seen > 0;
  }));
  EXPECT_EQ(seen, 3);
  EXPECT_TRUE(testing::traces_of(**reader, {"r1"}));
  auto run = (*reader)->run({"r1"});
  ASSERT_TRUE(run && *run);
  EXPECT_EQ((*run)->state, RunState::in_progress);
  EXPECT_EQ((*reader)->newest_body({"shop"}, "http://a/0").error().code, ErrorCode::corrupt);
  EXPECT_TRUE(run_async(store_->recall_page({"shop"}, "http://a/0")));
  EXPECT_TRUE(run_async(store_->unfinished_runs()));
  EXPECT_FALSE(run_async(store_->commit(page(leases[1], 5, 6))));
}

TEST_F(SqliteStoreTest, ReportsADamagedPageAsCorrupt) {
  open();
  const auto leases = begin("r1", 20);
  for (std::size_t i = 0; i < 19; ++i)
    ASSERT_TRUE(run_async(store_->commit(page(leases[i], i * 300, i * 300 + 300))));
  store_.reset();
  const auto size = std::filesystem::file_size(file_);
  {
    std::fstream bytes(file_, std::ios::in | std::ios::out | std::ios::binary);
    for (std::uintmax_t offset = 100 * 4096; offset + 4096 <= size; offset += 4096) {
      bytes.seekp(static_cast<std::streamoff>(offset));
      bytes << std::string(4096, '\x5A');
    }
  }
  auto reader = SqliteReader::open(file_);
  ASSERT_TRUE(reader);
  auto read = (*reader)->for_each_record({"shop"}, {}, [](const Record&) { return true; });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::corrupt);
  EXPECT_THAT(read.error().message, HasSubstr("heddle doctor --repair"));
  open();
  auto written = run_async(store_->commit(page(leases[19], 90'000, 90'300)));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::corrupt);
}

}  // namespace

}  // namespace heddle::store
