#include "app/worker/sealed_text.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace heddle::app {
namespace {

TEST(SealedText, IsReadThroughEveryDescriptor) {
  const std::string text = "[network]\nallow = [\"127.0.0.1\"]\n" + std::string(300'000, 'x');
  const auto sealed = make_sealed_text(text);
  ASSERT_TRUE(sealed) << sealed.error().message;
  const FileDescriptor another(dup(sealed->get()));
  for (const FileDescriptor* reader : {&*sealed, &another}) {
    const auto read = read_sealed_text(*reader);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, text);
  }
}

TEST(SealedText, MayBeEmpty) {
  const auto sealed = make_sealed_text("");
  ASSERT_TRUE(sealed);
  const auto read = read_sealed_text(*sealed);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, "");
}

TEST(SealedText, CannotBeChangedThroughItsDescriptor) {
  const auto sealed = make_sealed_text("as it is");
  ASSERT_TRUE(sealed);
  EXPECT_EQ(pwrite(sealed->get(), "x", 1, 0), -1);
  EXPECT_EQ(ftruncate(sealed->get(), 0), -1);
}

TEST(SealedText, IsReplacedBehindTheSameDescriptorForLaterReaders) {
  const auto sealed = make_sealed_text("before");
  ASSERT_TRUE(sealed);
  const FileDescriptor taken_before(dup(sealed->get()));
  const int number = sealed->get();
  ASSERT_TRUE(replace_sealed_text(*sealed, "after, and longer"));
  EXPECT_EQ(sealed->get(), number);
  EXPECT_EQ(*read_sealed_text(*sealed), "after, and longer");
  EXPECT_EQ(*read_sealed_text(taken_before), "before");
  EXPECT_EQ(fcntl(number, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  EXPECT_EQ(pwrite(number, "x", 1, 0), -1);
}

TEST(SealedText, CannotBeReadFromAnInvalidDescriptor) {
  EXPECT_FALSE(read_sealed_text(FileDescriptor()));
}

}  // namespace
}  // namespace heddle::app
