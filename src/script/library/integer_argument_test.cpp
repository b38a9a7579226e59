// Numbers as Luau treats them in library functions: a fraction is cut off where an integer is
// needed, and a float without a fraction is written without a point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

struct LibraryCall {
  const char* code;  // with %s for the number
  const char* fraction;
  const char* whole;
};

// Every library function that takes an integer, at every such argument.
constexpr LibraryCall kCalls[] = {
    {"string.format('%%d|%%5d', %s, %s)", "3.9", "3"},
    {"string.format('%%i %%u %%x %%X %%o', %s, %s, %s, %s, %s)", "200.99", "200"},
    {"string.format('%%c', %s)", "65.5", "65"},
    {"string.format('%%d', '%s')", "3.5", "3"},
    {"string.format('%%d', %s)", "-3.5", "-3"},
    {"string.rep('ab', %s)", "2.7", "2"},
    {"string.sub('abcdef', %s, %s)", "2.9", "2"},
    {"string.sub('abcdef', %s)", "-2.9", "-2"},
    {"string.byte('abcdef', %s, %s)", "2.9", "2"},
    {"string.char(%s, %s)", "66.6", "66"},
    {"string.find('abcabc', 'b', %s)", "3.2", "3"},
    {"string.find('abcabc', 'b', %s, true)", "3.2", "3"},
    {"string.match('abcabc', '%%a', %s)", "3.2", "3"},
    {"string.gmatch('abcabc', '%%a', %s)()", "3.2", "3"},
    {"string.gsub('aaaa', 'a', 'b', %s)", "2.5", "2"},
    {"string.pack('<i4 I2 j', %s, %s, %s)", "3.75", "3"},
    {"string.pack('<Xi4 !8 b s1 H', %s, 'text', %s)", "3.75", "3"},
    {"string.unpack('<b', 'abc', %s)", "2.5", "2"},
    {"table.concat({1, 2, 3, 4}, ',', %s, %s)", "2.5", "2"},
    {"(function() local t = {1, 2, 3} table.insert(t, %s, 9) return table.concat(t, ',') end)()",
     "2.5", "2"},
    {"(function() local t = {1, 2, 3} return table.remove(t, %s), #t end)()", "2.5", "2"},
    {"table.concat(table.move({1, 2, 3}, %s, %s, %s), ',')", "2.5", "2"},
    {"table.unpack({1, 2, 3}, %s, %s)", "2.5", "2"},
    {"utf8.char(%s)", "228.8", "228"},
    {"utf8.codepoint('abc', %s, %s)", "2.5", "2"},
    {"utf8.len('abc', %s, %s)", "2.5", "2"},
    {"utf8.offset('abc', %s, %s)", "2.5", "2"},
    {"math.random(%s, %s)", "7.5", "7"},
    {"math.ult(%s, 3)", "2.5", "2"},
    {"math.ldexp(1, %s)", "2.5", "2"},
    {"(function() math.randomseed(%s) return math.random(1, 1) end)()", "1.5", "1"},
    {"bit32.band(%s, 255)", "6.9", "6"},
    {"bit32.bnot(%s)", "-6.9", "-6"},
    {"bit32.lshift(%s, %s)", "2.9", "2"},
    {"bit32.rshift(64, %s)", "2.9", "2"},
    {"bit32.arshift(64, %s)", "2.9", "2"},
    {"bit32.lrotate(64, %s)", "2.9", "2"},
    {"bit32.extract(255, %s, %s)", "2.9", "2"},
    {"bit32.replace(0, %s, %s, %s)", "2.9", "2"},
    {"bit.lshift(1, %s)", "2.4", "2"},
    {"bit.tohex(255, %s)", "4.9", "4"},
    {"select(%s, 'a', 'b', 'c')", "2.9", "2"},
    {"select(%s, 'a', 'b', 'c')", "-1.9", "-1"},
    {"tonumber('11', %s)", "2.9", "2"},
    {"select(2, pcall(error, 'x', %s))", "0.9", "0"},
    {"os.date('!%%Y-%%m-%%d', %s)", "86400.9", "86400"},
    {"os.time{year = 2024, month = %s, day = %s, hour = %s}", "2.9", "2"},
};

std::string with_number(const char* code, const std::string& number) {
  std::string text = std::string("return ") + code;
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at)) {
    if (text[at + 1] == '%') {
      text.erase(at++, 1);
    } else {
      text.replace(at, 2, number);
      at += number.size();
    }
  }
  return text;
}

TEST(IntegerArgument, LosesItsFraction) {
  auto lua = TestLua::sandbox();
  for (const LibraryCall& call : kCalls) {
    const std::string expected = lua.run(with_number(call.code, call.whole));
    EXPECT_THAT(expected, testing::Not(HasSubstr("error"))) << call.code;
    EXPECT_EQ(lua.run(with_number(call.code, call.fraction)), expected) << call.code;
  }
}

TEST(IntegerArgument, MayNotBeInfiniteNorNaN) {
  auto lua = TestLua::sandbox();
  for (const LibraryCall& call : kCalls) {
    if (std::string(call.code).find("'%s'") != std::string::npos) continue;
    const bool is_date = std::string(call.code).find("os.time") != std::string::npos;
    for (const char* number : {"(0/0)", "math.huge", "-math.huge"})
      EXPECT_THAT(
          lua.run(with_number(call.code, number)),
          HasSubstr(is_date ? "field 'month' is not an integer" : "an integer is needed, got"))
          << call.code << " with " << number;
  }
  EXPECT_THAT(lua.run("return ('%d'):format(0/0)"),
              HasSubstr("bad argument #1 to 'format' (an integer is needed, got NaN)"));
  EXPECT_THAT(lua.run("return ('x'):rep(1e300)"), HasSubstr("got a number beyond 64 bits"));
  EXPECT_THAT(lua.run("return ('x'):rep(math.huge)"), HasSubstr("got an infinite number"));
}

TEST(IntegerArgument, StillNeedsANumber) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const char* code :
       {"return string.rep('x', {})", "return string.rep('x')", "return ('x'):sub('y')",
        "return string.char('a')", "return select({}, 1)", "return table.concat({}, '', 'x')",
        "return utf8.char('x')", "return string.format('%d', {})", "return string.pack('i', {})",
        "return string.byte('a', {})", "return math.random({})", "return tonumber('1', 'x')",
        "return select(0, 1)", "return os.date('%Y', {})", "return string.sub()"})
    EXPECT_EQ(ours.run(code), stock.run(code)) << code;
}

TEST(IntegerArgument, LeavesFloatsOfOtherFormatsAlone) {
  EXPECT_EQ(run_sandboxed("return string.unpack('<d', string.pack('<d', 2.5)), "
                          "('%.1f %g'):format(2.5, 2.5)"),
            "0x1.4p+1|2.5 2.5");
}

TEST(IntegerArgument, FormatsADurationOfTelemetry) {
  EXPECT_EQ(run_sandboxed("return string.format('%d ms', 12.345)"), "12 ms");
}

TEST(StringLibrary, CutsTextsAsLuaDoes) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  const std::vector<std::int64_t> positions{-9, -4, -3, -1, 0, 1, 2, 3, 4, 9, INT64_MIN, INT64_MAX};
  for (const char* function : {"string.sub", "string.byte"})
    for (const std::string text : {"", "a", "abc"})
      for (const std::int64_t first : positions) {
        EXPECT_EQ(ours.call(function, {{text}, {first}}), stock.call(function, {{text}, {first}}));
        for (const std::int64_t last : positions)
          EXPECT_EQ(ours.call(function, {{text}, {first}, {last}}),
                    stock.call(function, {{text}, {first}, {last}}))
              << function << " " << text << " " << first << " " << last;
      }
}

TEST(StringLibrary, FormatsAnyValueWithAStar) {
  EXPECT_EQ(run_sandboxed("return ('%* and %*, 100%%*, %d'):format(10 / 2, true, 3)"),
            "5 and true, 100%*, 3");
  EXPECT_THAT(run_sandboxed("return ('%5*'):format(1)"), HasSubstr("invalid conversion"));
}

TEST(OsLibrary, NormalisesTheDateOfTime) {
  EXPECT_EQ(run_sandboxed("local d = {year = 2024, month = 14, day = 1, hour = 12} "
                          "local t = os.time(d) return d.year, d.month, d.yday, type(d.isdst), "
                          "t == os.time{year = 2025, month = 2, day = 1, hour = 12}"),
            "2025|2|32|boolean|true");
  EXPECT_THAT(run_sandboxed("return os.time{year = 2024}"), HasSubstr("field 'month' missing"));
  EXPECT_THAT(run_sandboxed("return os.time{year = 'x', month = 1, day = 1}"),
              HasSubstr("field 'year' is not an integer"));
  EXPECT_THAT(run_sandboxed("return os.time(5)"), HasSubstr("table expected"));
}

TEST(OsLibrary, SubtractsTimesWithFractions) {
  EXPECT_EQ(run_sandboxed("return os.difftime(5.5, 3), os.difftime(2)"), "0x1.4p+1|0x1p+1");
}

TEST(MathLibrary, HasNoErrorForTheRestOfADivisionByZero) {
  EXPECT_EQ(run_sandboxed("local r = math.fmod(5, 0) return r ~= r, math.fmod(7, 4)"), "true|3");
}

// --- numbers as text

TEST(NumberText, HasNoPointWithoutAFraction) {
  EXPECT_EQ(
      run_sandboxed("return tostring(10 / 2), tostring(-4.0), tostring(0.0), tostring(-0.0), "
                    "tostring(2^53), tostring(1e15), tostring(2^60), tostring(-1e20)"),
      "5|-4|0|-0|9007199254740992|1000000000000000|1152921504606847000|-100000000000000000000");
}

TEST(NumberText, KeepsFractionsAndExponents) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const char* number : {"0.1", "1/3", "1e21", "1e300", "-2.5", "math.huge", "-math.huge", "7",
                             "math.mininteger", "1e-7", "123456.789"})
    EXPECT_EQ(ours.run(std::string("return tostring(") + number + ")"),
              stock.run(std::string("return tostring(") + number + ")"))
        << number;
}

TEST(NumberText, IsTheSameWhereverALibraryWritesANumber) {
  EXPECT_EQ(run_sandboxed("return ('%s'):format(10 / 2), table.concat({4 / 2, 1.5, 3}, ' '), "
                          "('x'):gsub('x', 6 / 2), (('x'):gsub('x', function() return 8 / 2 end)), "
                          "string.len(10 / 2), string.rep(6 / 2, 2), string.upper(10 / 2), "
                          "string.find(155.0, 5.0), dump({10 / 2})"),
            "5|2 1.5 3|3|4|1|33|5|2|{\n  5,\n}");
}

}  // namespace
}  // namespace heddle::script
