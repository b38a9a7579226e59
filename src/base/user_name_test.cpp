#include "base/user_name.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(UserName, IsTheOneOfThePasswordFile) {
  EXPECT_EQ(user_name(0), "root");
}

TEST(UserName, IsANumberForAnUnknownUser) {
  EXPECT_EQ(user_name(3'999'999'999U), "uid 3999999999");
}

}  // namespace
}  // namespace heddle
