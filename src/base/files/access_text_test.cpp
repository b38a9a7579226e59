#include "base/files/access_text.hpp"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/user_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/unprivileged_scope.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;

TEST(AccessText, NamesOwnerModeAndUser) {
  const heddle::testing::TemporaryFolder folder;
  const auto file = folder.write("secret", "x");
  chmod(file.c_str(), 0);
  const std::string me = user_name(geteuid());
  EXPECT_EQ(access_text(file, EACCES),
            "permission denied (owner " + me + ", mode 0000; you are user " + me + ")");
}

TEST(AccessText, NamesTheFolderThatRefuses) {
  const heddle::testing::TemporaryFolder folder;
  folder.write("closed/file", "x");
  const auto closed = folder.path() / "closed";
  chmod(closed.c_str(), 0);
  {
    const heddle::testing::UnprivilegedScope scope;
    EXPECT_THAT(access_text(closed / "file", EACCES),
                HasSubstr("permission denied by " + closed.string() + " (owner "));
  }
  chmod(closed.c_str(), 0700);
}

TEST(AccessText, IsTheTextOfAnyOtherError) {
  EXPECT_EQ(access_text("x", ENOSPC), "No space left on device");
}

}  // namespace
}  // namespace heddle
