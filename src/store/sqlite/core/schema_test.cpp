#include "store/sqlite/core/schema.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

namespace {

using ::testing::HasSubstr;

class Schema : public ::testing::Test {
 protected:
  std::unique_ptr<Connection> connect() {
    auto db = Connection::open(file_, {});
    EXPECT_TRUE(db) << db.error().message;
    return db ? std::move(*db) : nullptr;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  static constexpr Migration kOne = "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)";
  static constexpr Migration kTwo = "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1";
  static constexpr Migration kBroken = "DELETE FROM a; INSERT INTO nowhere VALUES (1)";
};

TEST_F(Schema, MigratesAnEmptyFileToTheCurrentVersion) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, migrations()));
  EXPECT_EQ(*db->query_integer("PRAGMA user_version"),
            static_cast<std::int64_t>(migrations().size()));
  EXPECT_TRUE(check_schema(*db));
  EXPECT_FALSE(std::filesystem::exists(backup_name(file_, 0)));
}

TEST_F(Schema, OfANewFileIsThereWholeOrNotAtAll) {
  auto db = connect();
  ASSERT_FALSE(migrate(*db, std::array{kOne, kBroken}));
  EXPECT_EQ(*db->query_integer("PRAGMA user_version"), 0);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM sqlite_schema"), 0);
  const auto missing = check_schema(*db);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  ASSERT_TRUE(migrate(*db, std::array{kOne, kTwo}));
  EXPECT_EQ(*db->query_integer("SELECT y FROM a"), 2);
}

TEST_F(Schema, AppliesOnlyMissingMigrationsAndKeepsABackup) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, std::array{kOne}));
  ASSERT_TRUE(migrate(*db, std::array{kOne, kTwo}));
  EXPECT_EQ(*db->query_integer("SELECT y FROM a"), 2);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM a"), 1);

  auto copy = Connection::open(folder_.path() / "heddle.db.before-2", {.read_only = true});
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(*(*copy)->query_integer("PRAGMA user_version"), 1);
  EXPECT_EQ(*(*copy)->query_integer("SELECT x FROM a"), 1);
  EXPECT_EQ(*(*copy)->query_integer("SELECT count(*) FROM pragma_table_info('a')"), 1);
}

TEST_F(Schema, RollsBackAFailedMigration) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, std::array{kOne}));
  auto failed = migrate(*db, std::array{kOne, kTwo, kBroken});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("cannot upgrade the database to schema 3"));
  EXPECT_FALSE(db->in_transaction());
  EXPECT_EQ(*db->query_integer("PRAGMA user_version"), 2);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM a"), 1);
}

TEST_F(Schema, ComputesUrlUsesForOlderFiles) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, migrations().first(4)));
  ASSERT_TRUE(db->execute(
      "INSERT INTO urls (id, hash, url) VALUES (1, 1, 'page'), (2, 2, 'led'), (3, 3, 'item'),"
      " (4, 4, 'unused'), (5, 0, '');"  // the last one reserves the numbers
      "INSERT INTO pages (job, url, final_url, item_count, http_status, first_seen, last_seen,"
      " keys_hash) VALUES (7, 1, 2, 0, 200, 0, 0, 0);"
      "INSERT INTO items (job, url, run, key, first_seen, fields)"
      " VALUES (8, 3, 1, zeroblob(16), 0, '{}'), (8, 3, 1, zeroblob(16), 0, '{}')"));
  ASSERT_TRUE(migrate(*db, migrations()));
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM url_uses"), 3);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM url_uses WHERE job = 7 AND url IN (1, 2)"), 2);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM urls"), 4);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM urls WHERE id = 4"), 0);
}

TEST_F(Schema, MarksRemovableVersionsInOlderFiles) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, migrations().first(4)));
  ASSERT_TRUE(db->execute(
      "INSERT INTO versions (id, page, run, at, content) VALUES (1, 1, 1, 0, 1), (2, 2, 1, 0, 1),"
      " (3, 1, 1, 0, 1), (4, 1, 1, 0, 1), (5, 2, 1, 0, 1), (6, 1, 1, 0, 1)"));
  ASSERT_TRUE(migrate(*db, migrations()));
  EXPECT_EQ(*db->query_integer("SELECT CAST(group_concat(id, '') AS INTEGER) FROM versions"
                               " WHERE is_between"),
            34);
}

TEST_F(Schema, FindsTheListedItemsOfOlderFiles) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, migrations().first(10)));
  ASSERT_TRUE(db->execute(
      "INSERT INTO pages (id, job, url, final_url, item_count, http_status, first_seen, last_seen,"
      " keys_hash) VALUES (1, 7, 1, 1, 0, 200, 0, 0, 0), (2, 7, 2, 2, 0, 200, 0, 0, 0),"
      " (3, 8, 3, 3, 0, 200, 0, 0, 0), (4, 8, 4, 4, 0, 200, 0, 0, 0);"
      "INSERT INTO page_keys VALUES (1, 'aaaaaaaabbbbbbbbcccccccc'), (2, 'bbbbbbbb'), (3, ''),"
      " (4, 'ddddddddeeeeeeeeffffffffgggggggghhhhhhhhdamaged')"));
  ASSERT_TRUE(migrate(*db, migrations()));
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM listings"), 9);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM listings WHERE job = 7 AND page = 1"
                               " AND prefix IN ('aaaaaaaa', 'bbbbbbbb', 'cccccccc')"),
            3);
  EXPECT_EQ(*db->query_integer("SELECT page FROM listings WHERE prefix = 'bbbbbbbb' AND page > 1"),
            2);
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM listings WHERE page = 4"
                               " AND prefix IN ('dddddddd', 'ffffffff', 'hhhhhhhh')"),
            3);
}

TEST_F(Schema, CountsThePagesOfUnfinishedRunsOfOlderFiles) {
  auto db = connect();
  ASSERT_TRUE(migrate(*db, migrations().first(10)));
  ASSERT_TRUE(db->execute(
      "INSERT INTO runs (number, id, job, state, trigger_kind, attempt, revision, started_at,"
      " ended_at, open_tasks, pages_total, pages_done) VALUES"
      " (1, 'r1', 1, 'completed', 'manual', 1, 'r', 0, 1, 0, 9, 9),"
      " (2, 'r2', 1, 'in_progress', 'manual', 1, 'r', 0, NULL, 1, 5, 0);"
      "INSERT INTO tasks (run, number, state, token, attempt, url, items_seen, items_new, bytes)"
      " VALUES (2, 1, 3, 1, 1, 'a', 4, 2, 100), (2, 2, 3, 1, 1, 'b', 3, 0, 50),"
      " (2, 3, 4, 1, 1, 'c', NULL, NULL, NULL), (2, 4, 5, 1, 1, 'd', NULL, NULL, NULL),"
      " (2, 5, 0, 1, 1, 'e', NULL, NULL, NULL)"));
  ASSERT_TRUE(migrate(*db, migrations()));
  EXPECT_EQ(*db->query_integer("SELECT pages_done FROM runs WHERE number = 1"), 9);
  EXPECT_EQ(*db->query_integer("SELECT pages_done * 1000 + pages_skipped * 100 + pages_failed * 10"
                               " FROM runs WHERE number = 2"),
            2110);
  EXPECT_EQ(*db->query_integer("SELECT items_seen * 10000 + items_new * 1000 + bytes FROM runs"
                               " WHERE number = 2"),
            72150);
}

TEST_F(Schema, RefusesAFileOfANewerProgram) {
  {
    auto db = connect();
    ASSERT_TRUE(migrate(*db, migrations()));
    ASSERT_TRUE(db->execute("PRAGMA user_version=999"));
  }
  auto store = SqliteStore::open(file_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::conflict);
  EXPECT_THAT(store.error().message, HasSubstr("newer Heddle"));
  EXPECT_THAT(store.error().message, HasSubstr(file_.string()));
  auto reader = SqliteReader::open(file_);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::conflict);
}

TEST_F(Schema, RefusesTheDatabaseOfAnotherProgram) {
  {
    auto db = connect();
    ASSERT_TRUE(db->execute("CREATE TABLE theirs (x)"));
  }
  auto store = SqliteStore::open(file_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::bad_input);
  auto db = connect();
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_F(Schema, ExplainsHowToUpgradeAnOlderFile) {
  {
    auto db = connect();
    ASSERT_TRUE(db->execute("PRAGMA application_id=" + std::to_string(kApplicationId) +
                            "; CREATE TABLE a (x)"));
  }
  auto reader = SqliteReader::open(file_);
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().message, HasSubstr("heddle run JOB"));
}

TEST_F(Schema, ReadsAMissingFileAsNotFound) {
  auto reader = SqliteReader::open(file_);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(Schema, ReportsGarbageAsCorrupt) {
  folder_.write("heddle.db", std::string(20'000, 'x'));
  auto store = SqliteStore::open(file_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::corrupt);
  EXPECT_THAT(store.error().message, HasSubstr("restore a backup"));
  EXPECT_EQ(SqliteReader::open(file_).error().code, ErrorCode::corrupt);
}

// Drops root's privileges in its scope: root may write anywhere.
class AsUnprivilegedUser {
 public:
  AsUnprivilegedUser() {
    if (geteuid() == 0) is_changed_ = seteuid(65534) == 0;
  }
  ~AsUnprivilegedUser() {
    if (is_changed_ && seteuid(0) != 0) std::abort();
  }
  AsUnprivilegedUser(const AsUnprivilegedUser&) = delete;
  AsUnprivilegedUser& operator=(const AsUnprivilegedUser&) = delete;

 private:
  bool is_changed_ = false;
};

TEST_F(Schema, ExplainsAFolderThatCannotBeWritten) {
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  const AsUnprivilegedUser user;
  auto store = SqliteStore::open(file_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::unavailable);
  EXPECT_THAT(store.error().message, HasSubstr(file_.string()));
  EXPECT_THAT(store.error().message, HasSubstr("permission denied"));
}

TEST_F(Schema, IsReadableInAFolderThatCannotBeWritten) {
  ASSERT_TRUE(SqliteStore::open(file_));  // and closed again
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))  // WAL included
    std::filesystem::permissions(entry.path(), std::filesystem::perms(0444));
  const AsUnprivilegedUser user;
  auto reader = SqliteReader::open(file_);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_TRUE((*reader)->jobs());
}

}  // namespace

}  // namespace heddle::store
