#include "process/find_shepherd.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

std::filesystem::path write_program(const testing::TemporaryFolder& folder, const char* name) {
  auto file = folder.write(name, "");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

TEST(FindShepherd, FindsItBesideTheExecutable) {
  const testing::TemporaryFolder folder;
  const auto shepherd = write_program(folder, "bin/heddle-shepherd");

  const auto found = find_shepherd_of(folder.path() / "bin" / "heddle (deleted)");

  ASSERT_TRUE(found);
  EXPECT_EQ(*found, shepherd);
}

TEST(FindShepherd, FindsItInTheLibexecFolder) {
  const testing::TemporaryFolder folder;
  write_program(folder, "bin/heddle");
  const auto shepherd = folder.path() / "bin" / HEDDLE_LIBEXEC_FROM_BIN / "heddle-shepherd";
  std::filesystem::create_directories(shepherd.lexically_normal().parent_path());
  std::filesystem::copy_file(folder.path() / "bin" / "heddle", shepherd.lexically_normal());

  const auto found = find_shepherd_of(folder.path() / "bin" / "heddle");

  ASSERT_TRUE(found);
  EXPECT_EQ(*found, shepherd.lexically_normal());
}

TEST(FindShepherd, IgnoresFilesThatAreNotExecutable) {
  const testing::TemporaryFolder folder;
  folder.write("bin/heddle-shepherd", "");
  std::filesystem::permissions(folder.path() / "bin/heddle-shepherd",
                               std::filesystem::perms::owner_read);

  const auto found = find_shepherd_of(folder.path() / "bin" / "heddle");

  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
}

TEST(FindShepherd, SearchesBesideTheRunningExecutable) {
  EXPECT_FALSE(find_shepherd());  // the test program is in another folder
}

}  // namespace
}  // namespace heddle::process
