#include "base/files/private_files.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class PrivateFiles : public ::testing::Test {
 protected:
  PrivateFiles() { before_ = umask(0); }
  ~PrivateFiles() override { umask(before_); }

  static mode_t mode_of(const fs::path& path) {
    struct stat facts {};
    return stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
  }

  testing::TemporaryFolder folder_;
  mode_t before_ = 0;
};

TEST_F(PrivateFiles, AreMadeForTheirOwnerOnlyWhateverTheUmask) {
  const fs::path inner = folder_.path() / "a" / "b";
  ASSERT_FALSE(make_private_folders(inner));
  EXPECT_EQ(mode_of(folder_.path() / "a"), 0700u);
  EXPECT_EQ(mode_of(inner), 0700u);
  make_private_file(inner / "file");
  EXPECT_EQ(mode_of(inner / "file"), 0600u);
}

TEST_F(PrivateFiles, KeepWhatExists) {
  const fs::path file = folder_.path() / "file";
  std::ofstream(file) << "text";
  fs::permissions(file, fs::perms(0640));
  make_private_file(file);
  EXPECT_EQ(mode_of(file), 0640u);
  EXPECT_EQ(fs::file_size(file), 4u);
  fs::create_directory(folder_.path() / "open");
  ASSERT_FALSE(make_private_folders(folder_.path() / "open"));
  EXPECT_EQ(mode_of(folder_.path() / "open"), 0777u);
}

TEST_F(PrivateFiles, CannotBeMadeBelowAFile) {
  const fs::path file = folder_.path() / "file";
  std::ofstream(file) << "text";
  EXPECT_TRUE(make_private_folders(file));
  EXPECT_TRUE(make_private_folders(file / "below"));
}

TEST_F(PrivateFiles, AreReportedWhenOthersCanReachThem) {
  const fs::path data = folder_.path() / "data";
  EXPECT_FALSE(exposed_folder_warning(data));
  fs::create_directory(data);
  fs::permissions(data, fs::perms(0700));
  EXPECT_FALSE(exposed_folder_warning(data));
  fs::permissions(data, fs::perms(0755));
  const auto warning = exposed_folder_warning(data);
  ASSERT_TRUE(warning);
  EXPECT_THAT(*warning, HasSubstr("mode 0755"));
  EXPECT_THAT(*warning, HasSubstr("chmod 700 " + data.string()));
}

}  // namespace
}  // namespace heddle
