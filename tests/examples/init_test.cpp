// `heddle init` writes a working project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;

TEST(NewProject, PassesItsCheckAndItsTests) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_heddle(folder.path(), {"init"}).exit_code, 0);
  const ProgramResult check = run_heddle(folder.path(), {"check"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  const ProgramResult tests = run_heddle(folder.path(), {"test"});
  EXPECT_EQ(tests.exit_code, 0) << tests.out << tests.err;
  EXPECT_THAT(tests.out, HasSubstr("2 passed, 0 failed"));
}

TEST(NewProject, IsWrittenIntoTheCurrentFolder) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const ProgramResult result = run_heddle(".", {"init"});
  std::filesystem::current_path(before);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "heddle.toml"));
}

TEST(NewProject, KeepsExistingScripts) {
  const TemporaryFolder folder;
  const auto script = folder.write("jobs/example/hooks.lua", "-- mine\n");
  const ProgramResult result = run_heddle(folder.path(), {"init"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("hooks.lua already exists; nothing was written"));
  EXPECT_EQ(read_text(script), "-- mine\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "heddle.toml"));
}

}  // namespace
}  // namespace heddle::testing
