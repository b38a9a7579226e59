#include "ipc/pack.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace heddle::ipc {
namespace {

using Limits = std::numeric_limits<std::int64_t>;

std::string packed_number(std::uint64_t value) {
  Packer packer;
  packer.number(value);
  return packer.take();
}

std::uint64_t bits_of_random_length(std::mt19937_64& random) {
  return random() >> (random() % 64);
}

TEST(Pack, RoundTripsNumbersOfEveryLength) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t value = bits_of_random_length(random);
    const auto number = static_cast<std::int64_t>(random() % 2 == 0 ? value : ~value);
    Packer packer;
    packer.number(value);
    packer.signed_number(number);
    const std::string bytes = packer.take();
    Unpacker unpacker(bytes);
    ASSERT_EQ(unpacker.number(), value);
    ASSERT_EQ(unpacker.signed_number(), number);
    ASSERT_TRUE(unpacker.is_complete());
  }
}

TEST(Pack, RoundTripsExtremeValues) {
  Packer packer;
  for (const std::int64_t value : {Limits::min(), Limits::max(), std::int64_t{0}, std::int64_t{-1}})
    packer.signed_number(value);
  packer.number(std::numeric_limits<std::uint64_t>::max());
  const std::string bytes = packer.take();
  Unpacker unpacker(bytes);
  for (const std::int64_t value : {Limits::min(), Limits::max(), std::int64_t{0}, std::int64_t{-1}})
    EXPECT_EQ(unpacker.signed_number(), value);
  EXPECT_EQ(unpacker.number(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(unpacker.is_complete());
}

TEST(Pack, EncodesSmallNumbersOfEitherSignInOneByte) {
  EXPECT_EQ(packed_number(127).size(), 1U);
  EXPECT_EQ(packed_number(128).size(), 2U);
  EXPECT_EQ(packed_number(std::numeric_limits<std::uint64_t>::max()).size(), 10U);
  Packer packer;
  packer.signed_number(-64);
  packer.signed_number(63);
  EXPECT_EQ(packer.take().size(), 2U);
}

TEST(Pack, RoundTripsTextsOfAnyBytes) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 2'000; ++round) {
    std::string text(random() % 500, '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    Packer packer;
    packer.text(text);
    packer.flag(true);
    packer.text("");
    const std::string bytes = packer.take();
    Unpacker unpacker(bytes);
    ASSERT_EQ(unpacker.text_view(), text);
    ASSERT_TRUE(unpacker.flag());
    ASSERT_EQ(unpacker.text_view(), "");
    ASSERT_TRUE(unpacker.is_complete());
  }
}

TEST(Pack, IsEmptyAfterTake) {
  Packer packer;
  packer.text("first");
  static_cast<void>(packer.take());
  packer.number(5);
  EXPECT_EQ(packer.take(), std::string(1, '\5'));
}

TEST(Unpacker, ReturnsZeroesAfterAnError) {
  Packer packer;
  packer.number(5);
  packer.text("text");
  const std::string bytes = packer.take();
  Unpacker unpacker(bytes);
  unpacker.fail();
  EXPECT_EQ(unpacker.number(), 0U);
  EXPECT_EQ(unpacker.signed_number(), 0);
  EXPECT_EQ(unpacker.text_view(), "");
  EXPECT_FALSE(unpacker.flag());
  EXPECT_EQ(unpacker.count(), 0U);
  EXPECT_FALSE(unpacker.is_ok());
  EXPECT_FALSE(unpacker.is_complete());
}

TEST(Unpacker, RejectsATextLongerThanTheInputLeft) {
  const std::string bytes = packed_number(1'000'000'000) + "abc";
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.text_view(), "");
  EXPECT_FALSE(unpacker.is_ok());
}

TEST(Unpacker, RejectsMoreElementsThanTheInputCanHold) {
  const std::string bytes = packed_number(3) + std::string(11, 'x');
  Unpacker enough(bytes);
  EXPECT_EQ(enough.count(3), 3U);
  Unpacker short_of_one(bytes);
  EXPECT_EQ(short_of_one.count(4), 0U);
  EXPECT_FALSE(short_of_one.is_ok());
}

TEST(Unpacker, RejectsUnterminatedNumbers) {
  for (std::size_t length = 0; length < 20; ++length) {
    const std::string bytes(length, '\xFF');
    Unpacker unpacker(bytes);
    EXPECT_EQ(unpacker.number(), 0U);
    EXPECT_FALSE(unpacker.is_ok());
  }
}

TEST(Unpacker, RejectsNonCanonicalNumbers) {
  for (const char* spelling : {"\x80\x00", "\x85\x80\x00"}) {
    Unpacker unpacker(std::string_view(spelling, spelling[0] == '\x80' ? 2 : 3));
    unpacker.number();
    EXPECT_FALSE(unpacker.is_ok());
  }
  const std::string beyond_64_bits = std::string(9, '\xFF') + '\x02';
  Unpacker unpacker(beyond_64_bits);
  unpacker.number();
  EXPECT_FALSE(unpacker.is_ok());
}

TEST(Unpacker, RejectsAFlagThatIsNeitherTrueNorFalse) {
  Unpacker unpacker("\x02");
  EXPECT_FALSE(unpacker.flag());
  EXPECT_FALSE(unpacker.is_ok());
}

TEST(Unpacker, FillsRawBytesWithZeroesWhenTheyAreMissing) {
  Unpacker unpacker("abc");
  std::uint32_t value = 7;
  unpacker.raw(&value, sizeof value);
  EXPECT_EQ(value, 0U);
  EXPECT_FALSE(unpacker.is_ok());
}

TEST(Unpacker, IsNotCompleteWhileInputIsLeft) {
  Unpacker unpacker("\x01\x02");
  EXPECT_EQ(unpacker.number(), 1U);
  EXPECT_TRUE(unpacker.is_ok());
  EXPECT_FALSE(unpacker.is_complete());
}

}  // namespace
}  // namespace heddle::ipc
