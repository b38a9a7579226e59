#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

TEST(OsLibrary, HasOnlyTimeFunctions) {
  EXPECT_EQ(run_sandboxed("local all = {} for name in pairs(os) do all[#all + 1] = name end "
                          "table.sort(all) return table.concat(all, ' ')"),
            "clock date difftime time");
}

TEST(OsLibrary, WritesDates) {
  EXPECT_EQ(run_sandboxed("return os.date('!%Y-%m-%d %H:%M:%S', 86400), os.date('!*t', 0).year, "
                          "os.difftime(5, 3), os.clock() >= 0, os.time() > 1e9"),
            "1970-01-02 00:00:00|1970|0x1p+1|true|true");
}

TEST(OsLibrary, RejectsUnsafeDateFormats) {
  EXPECT_THAT(run_sandboxed("os.date('%')"), HasSubstr("invalid conversion"));
  EXPECT_THAT(run_sandboxed("os.date('%Ez')"), HasSubstr("invalid conversion"));
  EXPECT_THAT(run_sandboxed("os.date(('%c'):rep(1000000))"), HasSubstr("format longer than"));
  EXPECT_THAT(run_sandboxed("os.date('%Y', 1 << 62)"), HasSubstr("cannot be represented"));
}

TEST(Utf8Library, MatchesStockLua) {
  EXPECT_EQ(run_sandboxed("return utf8.char(228, 8364), utf8.len('äx'), utf8.codepoint('ä'), "
                          "utf8.offset('äx', 2), utf8.len('\\xff'), #utf8.charpattern"),
            "ä€|2|228|3|nil|14");
  EXPECT_EQ(run_sandboxed("local n = 0 for _, c in utf8.codes('äö') do n = n + c end return n"),
            "474");
}

TEST(MathLibrary, MatchesStockLua) {
  EXPECT_EQ(
      run_sandboxed("return math.floor(1.5), math.maxinteger, math.type(1.0), math.max(1, 3)"),
      "1|9223372036854775807|float|3");
}

TEST(MathLibrary, GivesEachVmItsOwnRandomNumbers) {
  auto first = TestLua::sandbox();
  auto second = TestLua::sandbox();
  EXPECT_NE(first.run("return math.random(0)"), second.run("return math.random(0)"));
  first.run("math.randomseed(42)");
  second.run("math.randomseed(42)");
  const std::string number = first.run("return math.random(0)");
  second.run("return 1");
  EXPECT_EQ(second.run("return math.random(0)"), number);
}

TEST(MathLibrary, DoesNotShowAnAddressAsASeed) {
  auto lua = TestLua::sandbox();
  EXPECT_NE(lua.run("return select(2, math.randomseed())"),
            lua.run("return select(2, math.randomseed())"));
  EXPECT_THAT(lua.run("math.randomseed({})"), HasSubstr("number expected"));
}

}  // namespace
}  // namespace heddle::script
