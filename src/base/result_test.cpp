#include "base/result.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace heddle {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{ErrorCode::bad_input, "odd"};
  return number / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_TRUE(half(4));
  EXPECT_EQ(*half(4), 2);
  ASSERT_FALSE(half(3));
  EXPECT_EQ(half(3).error().code, ErrorCode::bad_input);
}

TEST(Result, ThrowsWhenTheWrongSideIsRead) {
  EXPECT_THROW(static_cast<void>(*half(3)), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(half(4).error()), std::bad_variant_access);
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, HoldsABugErrorByDefault) {
  const Result<int> unset;
  EXPECT_EQ(unset.error().code, ErrorCode::bug);
}

TEST(Error, NamesTheFailedAction) {
  const Error error = Error{ErrorCode::timeout, "too slow"}.during("fetch").during("run");
  EXPECT_EQ(error.message, "run: fetch: too slow");
  EXPECT_EQ(error.code, ErrorCode::timeout);
}

}  // namespace
}  // namespace heddle
