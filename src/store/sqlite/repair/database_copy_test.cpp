#include "store/sqlite/repair/database_copy.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "store/sqlite/core/faulty_disk.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

namespace {

using heddle::testing::run_async;
using testing::FaultyDisk;
using ::testing::HasSubstr;

class DatabaseCopy : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = SqliteStore::open(from_);
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }

  void put_job_names(int first, int last) {
    for (int i = first; i < last; ++i) {
      const std::string id = "job" + std::to_string(i);
      ASSERT_TRUE(run_async(store_->put_job_name({{id}, std::string(500, 'n'), "web", "r"})));
    }
  }

  static std::int64_t count_jobs(const std::filesystem::path& file) {
    auto db = Connection::open(file, {.read_only = true});
    EXPECT_TRUE(db);
    auto count = (*db)->query_integer("SELECT count(*) FROM jobs");
    EXPECT_TRUE(count) << count.error().message;
    return count ? *count : -1;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path from_ = folder_.path() / "heddle.db";
  std::filesystem::path to_ = folder_.path() / "copy.db";
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(DatabaseCopy, IncludesTheWalAndIsOneFile) {
  put_job_names(0, 50);  // all of it still in the WAL
  const auto copied = copy_database(from_, to_);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(count_jobs(to_), 50);
  EXPECT_TRUE(check_database(to_, DatabaseKind::engine));
  EXPECT_FALSE(std::filesystem::exists(to_.string() + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(to_.string() + "-shm"));
}

TEST_F(DatabaseCopy, IsConsistentUnderConcurrentWrites) {
  put_job_names(0, 100);
  std::int64_t steps = 0;
  std::int64_t last = -1;
  CopyOptions options;
  options.pages_per_step = 1;
  options.progress = [&](std::int64_t done, std::int64_t all) {
    EXPECT_GT(done, last) << "the copy was restarted";
    EXPECT_LE(done, all);
    last = done;
    // A commit between any two steps.
    put_job_names(100 + static_cast<int>(steps), 101 + static_cast<int>(steps));
    ++steps;
  };
  const auto copied = copy_database(from_, to_, options);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_GT(steps, 10);
  EXPECT_EQ(count_jobs(to_), 100);
  EXPECT_EQ(count_jobs(from_), 100 + steps);
  EXPECT_TRUE(check_database(to_, DatabaseKind::engine));
}

TEST_F(DatabaseCopy, DoesNotOverwriteAnExistingFile) {
  folder_.write("copy.db", "mine");
  const auto refused = copy_database(from_, to_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(std::filesystem::file_size(to_), 4u);
}

TEST_F(DatabaseCopy, ReportsAFullDisk) {
  put_job_names(0, 200);
  FaultyDisk disk;
  disk.break_at(FaultyDisk::Fault::full, 5);
  CopyOptions options;
  options.vfs = disk.vfs();
  const auto failed = copy_database(from_, to_, options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unavailable);
  EXPECT_THAT(failed.error().message, HasSubstr("copy.db: the disk is full"));
}

TEST_F(DatabaseCopy, ReadsFromAFolderThatCannotBeWritten) {
  put_job_names(0, 5);
  store_.reset();
  ASSERT_EQ(chmod(folder_.path().c_str(), 0500), 0);
  heddle::testing::TemporaryFolder other;
  const auto copied = copy_database(from_, other.path() / "copy.db");
  chmod(folder_.path().c_str(), 0700);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(count_jobs(other.path() / "copy.db"), 5);
}

TEST_F(DatabaseCopy, ReportsADamagedFile) {
  put_job_names(0, 500);
  store_.reset();
  const auto pages = std::filesystem::file_size(from_) / 4096;
  ASSERT_GT(pages, 30u);
  std::fstream file(from_, std::ios::binary | std::ios::in | std::ios::out);
  for (std::size_t page = pages - 10; page < pages; ++page) {
    file.seekp(static_cast<std::streamoff>(page * 4096));
    file << std::string(4096, '\xA5');
  }
  file.close();
  const auto checked = check_database(from_, DatabaseKind::engine);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::corrupt);
}

TEST_F(DatabaseCopy, RefusesANewerOrForeignFile) {
  store_.reset();
  {
    auto db = Connection::open(from_, {});
    ASSERT_TRUE((*db)->execute("PRAGMA user_version=1000"));
  }
  EXPECT_EQ(check_database(from_, DatabaseKind::engine).error().code, ErrorCode::conflict);
  {
    auto db = Connection::open(from_, {});
    ASSERT_TRUE((*db)->execute("PRAGMA application_id=7"));
  }
  EXPECT_EQ(check_database(from_, DatabaseKind::engine).error().code, ErrorCode::bad_input);
  EXPECT_EQ(check_database(folder_.path() / "no.db", DatabaseKind::engine).error().code,
            ErrorCode::not_found);
}

}  // namespace

}  // namespace heddle::store
