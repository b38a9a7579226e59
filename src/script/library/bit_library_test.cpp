#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

// Values after the Lua 5.2 manual: results are never negative.
TEST(Bit32, CombinesAnyNumberOfWords) {
  EXPECT_EQ(
      run_sandboxed("return bit32.band(), bit32.bor(), bit32.bxor(), bit32.band(0xff, 0x3c, 7), "
                    "bit32.bor(1, 2, 4), bit32.bxor(7, 1), bit32.bnot(0), bit32.bnot(-1), "
                    "bit32.btest(4, 6), bit32.btest(1, 2)"),
      "4294967295|0|0|4|7|6|4294967295|0|true|false");
}

TEST(Bit32, TakesNumbersModulo2To32) {
  EXPECT_EQ(run_sandboxed("return bit32.band(-1), bit32.band(1 << 32), bit32.band(2^32 + 5.0), "
                          "bit32.band(-2.0), bit32.band('7'), bit32.band(1.6)"),
            "4294967295|0|5|4294967294|7|1");
}

TEST(Bit32, ShiftsOutEverythingBeyond31) {
  EXPECT_EQ(run_sandboxed("return bit32.lshift(1, 31), bit32.lshift(1, 32), bit32.lshift(8, -3), "
                          "bit32.rshift(-1, 28), bit32.rshift(1, -4), bit32.rshift(1, 40), "
                          "bit32.lshift(1, math.mininteger), bit32.rshift(1, math.mininteger)"),
            "2147483648|0|1|15|16|0|0|0");
}

TEST(Bit32, FillsWithTheSignInArithmeticShifts) {
  EXPECT_EQ(run_sandboxed("return bit32.arshift(0x80000000, 4), bit32.arshift(0x80000000, 32), "
                          "bit32.arshift(0x7fffffff, 32), bit32.arshift(1, -1), "
                          "bit32.arshift(-1, math.maxinteger)"),
            "4160749568|4294967295|0|2|4294967295");
}

TEST(Bit32, Rotates) {
  EXPECT_EQ(run_sandboxed("return bit32.lrotate(0x80000001, 1), bit32.rrotate(1, 1), "
                          "bit32.lrotate(0x12345678, -4), bit32.rrotate(5, 32)"),
            "3|2147483648|2166572391|5");
}

TEST(Bit32, ExtractsAndReplacesFields) {
  EXPECT_EQ(
      run_sandboxed("return bit32.extract(0x12345678, 0, 4), bit32.extract(0x12345678, 28, 4), "
                    "bit32.extract(-1, 31), bit32.extract(-1, 0, 32), "
                    "bit32.replace(0x12345678, 5, 28, 4), bit32.replace(0, -1, 0, 32)"),
      "8|1|1|4294967295|1379161720|4294967295");
  EXPECT_THAT(run_sandboxed("bit32.extract(1, -1)"), HasSubstr("field cannot be negative"));
  EXPECT_THAT(run_sandboxed("bit32.extract(1, 0, 0)"), HasSubstr("width must be positive"));
  EXPECT_THAT(run_sandboxed("bit32.replace(1, 1, 31, 2)"),
              HasSubstr("trying to access non-existent bits"));
  EXPECT_THAT(run_sandboxed("bit32.extract(1, math.maxinteger, math.maxinteger)"),
              HasSubstr("trying to access non-existent bits"));
}

TEST(Bit32, CountsZerosAndSwapsBytes) {
  EXPECT_EQ(run_sandboxed("return bit32.countlz(1), bit32.countlz(0), bit32.countrz(8), "
                          "bit32.byteswap(0x01020304)"),
            "31|32|3|67305985");
}

TEST(Bit32, RejectsNonNumbers) {
  EXPECT_THAT(run_sandboxed("bit32.band({})"), HasSubstr("number expected"));
  EXPECT_THAT(run_sandboxed("bit32.band(0/0)"), HasSubstr("an integer is needed, got NaN"));
}

// Values after the documentation of LuaJIT's BitOp: results are signed.
TEST(Bit, GivesSignedResults) {
  EXPECT_EQ(
      run_sandboxed("return bit.tobit(0xffffffff), bit.tobit(2^32 + 1), bit.bnot(0), "
                    "bit.bor(1, 2), bit.band(0x12345678, 0xff), bit.bxor(0xa5a5f0f0, 0xaa55ff00)"),
      "-1|1|-1|3|120|267390960");
}

TEST(Bit, ShiftsByTheLowestFiveBits) {
  EXPECT_EQ(
      run_sandboxed("return bit.lshift(1, 0), bit.lshift(1, 8), bit.lshift(1, 40), "
                    "bit.rshift(256, 8), bit.rshift(-256, 8), bit.arshift(-256, 8), "
                    "bit.rol(0x12345678, 12), bit.ror(0x12345678, 12), bit.bswap(0x12345678)"),
      "1|256|256|1|16777215|-1|1164411171|1736516421|2018915346");
}

TEST(Bit, WritesHexadecimals) {
  EXPECT_EQ(run_sandboxed("return bit.tohex(1), bit.tohex(-1), bit.tohex(0xffffffff), "
                          "bit.tohex(-1, -8), bit.tohex(0x21, 4), bit.tohex(0x87654321, 4), "
                          "bit.tohex(1, math.mininteger), bit.tohex(1, 0)"),
            "00000001|ffffffff|ffffffff|FFFFFFFF|0021|4321|00000001|");
}

}  // namespace
}  // namespace heddle::script
