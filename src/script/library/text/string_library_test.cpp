#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(StringLibrary, HasNoDump) {
  EXPECT_EQ(run_sandboxed("return string.dump, ('').dump"), "nil|nil");
}

TEST(StringLibrary, HasEveryOtherFunctionOfLua) {
  auto stock = TestLua::stock();
  const std::string names = stock.run(
      "local all = {} for name in pairs(string) do if name ~= 'dump' then all[#all + 1] = name end "
      "end table.sort(all) return table.concat(all, ' ')");
  EXPECT_EQ(run_sandboxed("local all = {} for name in pairs(string) do "
                          "if name ~= 'split' then all[#all + 1] = name end end "
                          "table.sort(all) return table.concat(all, ' ')"),
            names);
}

TEST(StringLibrary, GivesUpOnAPatternThatNeverEnds) {
  const std::string code = "return string.find(('a'):rep(400), '.-.-.-.-.-b')";
  EXPECT_EQ(run_sandboxed(code), "error: test:1: pattern too complex");
}

TEST(StringLibrary, EndsPatternsWithTheBudget) {
  using namespace std::chrono_literals;
  for (const char* call :
       {"find(text, '.-.-.-.-b')", "match(text, '.*.*.*.*b')", "gsub(text, '.-.-.-.-b', '')",
        "gmatch(text, '(.-)(.-)(.-)%1b')()", "find(text, '[a-z]?[a-z]-[a-z]*[a-z]-[a-z]-b')"})
    EXPECT_THAT(run_in_budget("local text = ('a'):rep(3000) for i = 1, 100 do\n"
                              "pcall(string.find, text, '.-.-.-b') string." +
                                  std::string(call) + " end",
                              20ms),
                HasSubstr("cpu_limit"))
        << call;
}

TEST(StringLibrary, RaisesACatchableErrorWhenItGivesUp) {
  EXPECT_EQ(run_sandboxed("return pcall(string.match, ('a'):rep(400), '.-.-.-.-.-b')"),
            "false|pattern too complex");
}

TEST(StringLibrary, SearchesALargeTextWithASimplePattern) {
  EXPECT_EQ(run_sandboxed("local text = ('word '):rep(1000000)\n"
                          "local _, count = text:gsub('%w+%s', '')\n"
                          "return count, (text:find('(%d)')), text:match('%s*$')"),
            "1000000|nil| ");
}

TEST(StringLibrary, CountsTheStepsOfBackReferencesAndBalancedPairs) {
  EXPECT_THAT(run_sandboxed("return (('('):rep(200000)):find('%b()')"), HasSubstr("too complex"));
  EXPECT_THAT(run_sandboxed("return (('a'):rep(20000)):find('(.-)%1b')"), HasSubstr("too complex"));
}

TEST(StringLibrary, RepeatsAnEmptyStringImmediately) {
  EXPECT_EQ(run_sandboxed("return #string.rep('', 1 << 62), #string.rep('x', -1)"), "0|0");
}

TEST(StringLibrary, RejectsARepetitionThatIsTooLarge) {
  EXPECT_EQ(run_sandboxed("return string.rep('ab', 1 << 62)"),
            "error: test:1: resulting string too large");
  EXPECT_THAT(run_sandboxed("return string.rep('x', 1 << 40)"), HasSubstr("not enough memory"));
  EXPECT_THAT(run_sandboxed("return string.rep('', 1 << 40, ',')"), HasSubstr("not enough memory"));
}

TEST(StringLibrary, RepeatsAsLuaDoes) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const std::string text : {"", "a", "ab", "abcdefg"})
    for (const std::string separator : {"", ",", "--"})
      for (std::int64_t count = -1; count < 20; ++count)
        EXPECT_EQ(ours.call("string.rep", {{text}, {count}, {separator}}),
                  stock.call("string.rep", {{text}, {count}, {separator}}));
}

TEST(StringLibrary, FormatsAsLuaDoes) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const char* code : {
           "return ('%d %5.2f %s %q %% %x'):format(3, 1.5, 'x', 'a\\n', 255)",
           "return ('%-10s|%.2s|%10s'):format('ab', 'abc', true)",
           "return ('%s %s'):format(nil, 1.5)",
           "return ('%s'):format(setmetatable({}, {__tostring = function() return 'T' end}))",
           "return ('%s'):format(setmetatable({}, {__tostring = function() return 1 end}))",
           "return ('%5s'):format(setmetatable({}, {__tostring = function() return {} end}))",
           "return ('%d'):format('x')",
           "return ('%s'):format()",
           "return ('%'):format(1)",
           "return ('%y'):format(1)",
           "return ('%123d'):format(1)",
           "return ('%s %s'):format('a')",
           "return ('%i %u'):format(1)",
           "return ('%a %g %e %c'):format(1, 2, 3, 65)",
           "return ('%q'):format({})",
           "return string.format(5)",
           "return string.format({})",
       })
    EXPECT_EQ(ours.run(code), stock.run(code)) << code;
}

TEST(StringLibrary, ShowsNoAddressInFormattedText) {
  EXPECT_EQ(run_sandboxed("local t = {} return ('%s'):format(t) == tostring(t)"), "true");
  EXPECT_EQ(run_sandboxed("return ('%s'):format(print):match('^function: %w+: 0x%x+$') or "
                          "('%s'):format(print)"),
            "function: 0x00000001");
  EXPECT_EQ(run_sandboxed("return ('%p'):format({})"),
            "error: test:1: invalid conversion '%p' to 'format'");
  EXPECT_THAT(run_sandboxed("return ('%-20p'):format({})"), HasSubstr("invalid conversion"));
}

TEST(StringLibrary, HidesItsMetatable) {
  EXPECT_EQ(run_sandboxed("return getmetatable('')"), "false");
  EXPECT_THAT(run_sandboxed("setmetatable('', {})"), HasSubstr("error"));
}

TEST(StringLibrary, AddsNumbersInStrings) {
  EXPECT_EQ(run_sandboxed("return '10' + 5, '3' * '4', ('x'):upper()"), "15|12|X");
}

TEST(StringLibrary, PacksAndUnpacks) {
  EXPECT_EQ(run_sandboxed("return string.unpack('<i4', string.pack('<i4', 77)), "
                          "string.packsize('i4i8')"),
            "77|12");
}

TEST(StringLibrary, ReportsTheNameOfTheFunctionInArgumentErrors) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const char* code :
       {"return string.find()", "return string.find('a')", "return string.find('a', {})",
        "return ('x'):gsub('x')", "return ('x'):gsub('x', true)", "return ('x'):gsub('x', 'y', {})",
        "return ('x'):gmatch()", "return ('x'):match('x', 'y')", "return ('x'):rep()",
        "return ('x'):rep('y')", "return ('x'):upper().y.z", "return ('x'):lower(1, 2)",
        "return string.upper()", "return string.reverse({})", "return string.pack('z', {})"})
    EXPECT_EQ(ours.run(code), stock.run(code)) << code;
}

TEST(StringLibrary, IteratesOverATextWithoutOtherReferences) {
  EXPECT_EQ(
      run_sandboxed("local iterate = (('ab '):rep(3)):gmatch('(%a)(%a)')\n"
                    "collectgarbage('step', 1000)\n"
                    "local out = '' for a, b in iterate do out = out .. b .. a end return out"),
      "bababa");
}

TEST(StringLibrary, SurvivesACallbackThatMatchesToo) {
  EXPECT_EQ(run_sandboxed("return (('a1b2'):gsub('%a(%d)', function(d) "
                          "return ('x'):rep(2):gsub('x', d) .. '' end))"),
            "1122");
}

}  // namespace
}  // namespace heddle::script
