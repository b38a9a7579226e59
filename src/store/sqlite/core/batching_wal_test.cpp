#include "store/sqlite/core/batching_wal.hpp"

#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/faulty_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {
namespace {

using testing::FaultyDisk;

class BatchingWalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto wal = BatchingWal::over(disk_.vfs());
    ASSERT_TRUE(wal) << wal.error().message;
    wal_ = std::move(*wal);
    open_writer(8u << 20);
  }

  void open_writer(std::size_t cache_bytes) {
    writer_.reset();
    writer_ = connect(wal_->vfs(), cache_bytes);
    ASSERT_TRUE(
        writer_->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                         "PRAGMA wal_autocheckpoint=0; CREATE TABLE IF NOT EXISTS t (x)"));
  }

  std::unique_ptr<Connection> connect(const std::string& vfs, std::size_t cache_bytes = 64u << 10) {
    auto db = Connection::open(file_, {.cache_bytes = cache_bytes, .vfs = vfs});
    EXPECT_TRUE(db) << db.error().message;
    return std::move(*db);
  }

  // As many pages of the database as rows, at least.
  Status insert(int rows) {
    return writer_->execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
        std::to_string(rows) + ") INSERT INTO t SELECT randomblob(4000) FROM n");
  }

  std::int64_t count(Connection& db) { return *db.query_integer("SELECT count(*) FROM t"); }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "x.db";
  FaultyDisk disk_;
  std::unique_ptr<BatchingWal> wal_;
  std::unique_ptr<Connection> writer_;
};

TEST_F(BatchingWalTest, WritesASmallTransactionInOneCall) {
  const auto before = disk_.writes();
  ASSERT_TRUE(insert(10));
  EXPECT_EQ(disk_.writes() - before, 1);
}

TEST_F(BatchingWalTest, WritesALargeTransactionInLargeBatches) {
  const auto before = disk_.writes();
  ASSERT_TRUE(insert(1000));  // 4 MB
  EXPECT_LT(disk_.writes() - before, 100);
  EXPECT_EQ(count(*writer_), 1000);
}

TEST_F(BatchingWalTest, ShowsEveryCommitToOtherConnectionsImmediately) {
  const auto reader = connect(disk_.vfs());
  for (int i = 1; i <= 20; ++i) {
    ASSERT_TRUE(insert(i));
    EXPECT_EQ(count(*reader), i * (i + 1) / 2);
    EXPECT_EQ(*reader->query_integer("SELECT sum(length(x)) FROM t"), i * (i + 1) / 2 * 4000);
  }
}

TEST_F(BatchingWalTest, ReadsBackWhatATransactionHasSpilled) {
  open_writer(64u << 10);
  ASSERT_TRUE(writer_->execute("BEGIN"));
  ASSERT_TRUE(insert(200));  // far more than the cache holds
  EXPECT_EQ(*writer_->query_integer("SELECT sum(length(x)) FROM t"), 200 * 4000);
  ASSERT_TRUE(writer_->execute("ROLLBACK"));
  ASSERT_TRUE(insert(3));
  EXPECT_EQ(count(*writer_), 3);
  EXPECT_EQ(count(*connect(disk_.vfs())), 3);
}

TEST_F(BatchingWalTest, FailsTheCommitWhoseWriteFailsAndNotTheNext) {
  ASSERT_TRUE(insert(5));
  disk_.break_at(FaultyDisk::Fault::error_once, 1);
  EXPECT_FALSE(insert(7));
  ASSERT_TRUE(disk_.has_broken());
  ASSERT_TRUE(insert(11));
  EXPECT_EQ(count(*connect(disk_.vfs())), 16);
}

TEST_F(BatchingWalTest, RefusesAnUnknownVfs) {
  const auto none = BatchingWal::over("no such disk");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "SQLite knows no disk named no such disk");
}

}  // namespace
}  // namespace heddle::store
