#include "process/find_program.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

TEST(FindProgram, FindsTheFirstExecutableFile) {
  const testing::TemporaryFolder folder;
  folder.write("plain/tool", "");
  const auto tool = folder.write("bin/tool", "#!/bin/sh\n");
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  std::filesystem::create_directories(folder.path() / "folder" / "tool");
  const std::string root = folder.path().string();

  EXPECT_EQ(find_program("tool", root + "/folder:" + root + "/plain::" + root + "/bin"), tool);
}

TEST(FindProgram, FindsNothingWithoutAPath) {
  EXPECT_EQ(find_program("sh", ""), std::nullopt);
  EXPECT_EQ(find_program("no-such-program", "/usr/bin:/bin"), std::nullopt);
}

}  // namespace
}  // namespace heddle::process
