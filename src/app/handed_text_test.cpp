#include "app/handed_text.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace heddle::app {
namespace {

TEST(HandedText, IsReadByEverybodyAsItWasWritten) {
  const std::string text = "[network]\nallow = [\"127.0.0.1\"]\n" + std::string(300'000, 'x');
  const auto handed = make_handed_text(text);
  ASSERT_TRUE(handed) << handed.error().message;
  const FileDescriptor another(dup(handed->get()));
  for (const FileDescriptor* reader : {&*handed, &another}) {
    const auto read = read_handed_text(*reader);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, text);
  }
}

TEST(HandedText, MayBeEmpty) {
  const auto handed = make_handed_text("");
  ASSERT_TRUE(handed);
  const auto read = read_handed_text(*handed);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, "");
}

TEST(HandedText, CannotBeChangedByWhoHasIt) {
  const auto handed = make_handed_text("as it is");
  ASSERT_TRUE(handed);
  EXPECT_EQ(pwrite(handed->get(), "x", 1, 0), -1);
  EXPECT_EQ(ftruncate(handed->get(), 0), -1);
}

TEST(HandedText, IsReplacedBehindTheSameDescriptorForThoseWhoComeLater) {
  const auto handed = make_handed_text("before");
  ASSERT_TRUE(handed);
  const FileDescriptor taken_before(dup(handed->get()));
  const int number = handed->get();
  ASSERT_TRUE(replace_handed_text(*handed, "after, and longer"));
  EXPECT_EQ(handed->get(), number);
  EXPECT_EQ(*read_handed_text(*handed), "after, and longer");
  EXPECT_EQ(*read_handed_text(taken_before), "before");
  EXPECT_EQ(fcntl(number, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  EXPECT_EQ(pwrite(number, "x", 1, 0), -1);
}

TEST(HandedText, IsMissedWhereThereIsNone) {
  EXPECT_FALSE(read_handed_text(FileDescriptor()));
}

}  // namespace
}  // namespace heddle::app
