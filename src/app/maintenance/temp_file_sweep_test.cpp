#include "app/maintenance/temp_file_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class TempFileSweepTest : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, bool is_old = false) {
    const fs::path file = folder_.write(name, "x");
    if (is_old) fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
    return file;
  }

  std::vector<fs::path> sweep() {
    return sweep_temp_files(folder_.path(), folder_.path() / "data");
  }

  heddle::testing::TemporaryFolder folder_;
};

TEST_F(TempFileSweepTest, RemovesUnfinishedDatabaseCopies) {
  write("data/heddle.db");
  write("data/heddle.db-wal");
  write("data/heddle.db.before-3");
  write("data/heddle.db.replaced-20260101");
  const auto part = write("data/heddle.db.before-4.part");
  const auto journal = write("data/heddle.db.before-4.part-journal");
  const auto repairing = write("data/heddle.db.repairing");
  EXPECT_THAT(sweep(), UnorderedElementsAre(part, journal, repairing));
  EXPECT_FALSE(fs::exists(part));
  EXPECT_TRUE(fs::exists(folder_.path() / "data/heddle.db.before-3"));
  EXPECT_TRUE(fs::exists(folder_.path() / "data/heddle.db-wal"));
}

TEST_F(TempFileSweepTest, KeepsCopiesWhenTheDatabaseIsMissing) {
  write("data/heddle.db.restoring");
  EXPECT_THAT(sweep(), IsEmpty());
}

TEST_F(TempFileSweepTest, RemovesOldDraftsOfScriptFiles) {
  const auto old = write("jobs/a/.heddle-0123456789abcdef.tmp", true);
  const auto deep = write("data/jobs/b/c/.heddle-00000000ffffffff.tmp", true);
  write("shared/.heddle-0123456789abcdef.tmp");  // may still be written
  write("jobs/a/.heddle-notes.tmp", true);
  write("jobs/a/heddle-0123456789abcdef.tmp", true);
  EXPECT_THAT(sweep(), UnorderedElementsAre(old, deep));
}

}  // namespace

}  // namespace heddle::app
