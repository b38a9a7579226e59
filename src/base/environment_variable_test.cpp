#include "base/environment_variable.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(EnvironmentVariable, IsReadUnchanged) {
  ASSERT_EQ(setenv("HEDDLE_TEST_VARIABLE", " a=b ", 1), 0);
  EXPECT_EQ(environment_variable("HEDDLE_TEST_VARIABLE"), " a=b ");
}

TEST(EnvironmentVariable, DiffersFromUnsetWhenEmpty) {
  ASSERT_EQ(setenv("HEDDLE_TEST_VARIABLE", "", 1), 0);
  EXPECT_EQ(environment_variable("HEDDLE_TEST_VARIABLE"), "");
  ASSERT_EQ(unsetenv("HEDDLE_TEST_VARIABLE"), 0);
  EXPECT_EQ(environment_variable("HEDDLE_TEST_VARIABLE"), std::nullopt);
}

TEST(EnvironmentVariable, IsRemovedOnceTaken) {
  ASSERT_EQ(setenv("HEDDLE_TEST_VARIABLE", "x", 1), 0);
  EXPECT_EQ(take_environment_variable("HEDDLE_TEST_VARIABLE"), "x");
  EXPECT_EQ(take_environment_variable("HEDDLE_TEST_VARIABLE"), std::nullopt);
}

}  // namespace
}  // namespace heddle
