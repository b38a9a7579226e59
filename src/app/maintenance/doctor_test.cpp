// Findings for folders and files without access permissions.
#include "app/maintenance/doctor.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/unprivileged_scope.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;
using cli::Finding;
using cli::FindingLevel;
using ::testing::HasSubstr;

class ExamineProject : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.root = folder_.path();
    project_.data_dir = folder_.path() / "data";
    fs::create_directories(project_.data_dir);
    ASSERT_TRUE(store::SqliteStore::open(project_.data_dir / "heddle.db"));
  }
  void TearDown() override {
    for (const fs::path& path : locked_) chmod(path.c_str(), 0700);
  }

  void lock(const fs::path& path, mode_t mode) {
    locked_.push_back(path);
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }

  // The first finding that contains the text.
  Finding finding_with(const std::string& text) {
    const heddle::testing::UnprivilegedScope rights;
    const auto findings = examine_project(project_);
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.what.find(text) != std::string::npos;
    });
    EXPECT_NE(found, findings.end()) << "nothing is said of: " << text;
    return found == findings.end() ? Finding{} : *found;
  }

  heddle::testing::TemporaryFolder folder_;
  Project project_;
  std::vector<fs::path> locked_;
};

TEST_F(ExamineProject, ReportsNothingBrokenWhenAllFilesAreReadable) {
  const heddle::testing::UnprivilegedScope rights;
  for (const Finding& finding : examine_project(project_))
    EXPECT_NE(finding.level, FindingLevel::broken) << finding.what;
}

TEST_F(ExamineProject, NamesAnUnreadableFile) {
  const fs::path file = folder_.write("data/jobs/shop/notes.txt", "x");
  lock(file, 0);
  const Finding finding = finding_with("notes.txt cannot be read");
  EXPECT_EQ(finding.level, FindingLevel::warning);
  EXPECT_THAT(finding.advice, HasSubstr("user who runs heddle"));
}

TEST_F(ExamineProject, NamesAnUnreadableSubfolder) {
  folder_.write("data/jobs/shop/notes.txt", "x");
  lock(project_.data_dir / "jobs", 0);
  EXPECT_EQ(finding_with("data/jobs cannot be read").level, FindingLevel::warning);
}

TEST_F(ExamineProject, ReportsAnUnreadableDatabase) {
  lock(project_.data_dir / "heddle.db", 0);
  const Finding finding = finding_with("heddle.db");
  EXPECT_EQ(finding.level, FindingLevel::broken);
  EXPECT_EQ(finding.damaged_file, "") << "there is nothing to repair";
}

TEST_F(ExamineProject, ReportsAnUnreadableDataFolder) {
  lock(project_.data_dir, 0300);
  const Finding finding = finding_with("data cannot be read: permission denied");
  EXPECT_EQ(finding.level, FindingLevel::broken);
  EXPECT_THAT(finding.advice, HasSubstr("chown"));
}

TEST_F(ExamineProject, ReportsAReadOnlyDataFolder) {
  lock(project_.data_dir, 0500);
  const Finding finding = finding_with("data cannot be written: permission denied");
  EXPECT_EQ(finding.level, FindingLevel::broken);
  EXPECT_THAT(finding.advice, HasSubstr("nothing can be stored"));
}

}  // namespace

}  // namespace heddle::app
