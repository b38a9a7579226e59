#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(Dump, ShowsOneElementPerLineInOrder) {
  EXPECT_EQ(
      run_sandboxed("return dump({3, 'x', b = {c = true}, a = 1.5, ['two words'] = json_null, "
                    "[10] = false, [0.5] = 1})"),
      R"({
  3,
  "x",
  [10] = false,
  [0.5] = 1,
  a = 1.5,
  b = {
    c = true,
  },
  ["two words"] = null,
})");
}

TEST(Dump, ShowsSimpleValuesAsTostringDoes) {
  EXPECT_EQ(run_sandboxed("return dump(nil), dump(1), dump(1.0), dump('a\\n\"\\xff\\0'), dump({}), "
                          "dump(print)"),
            R"(nil|1|1|"a\n\"\xff\x00"|{}|<function>)");
}

TEST(Dump, MarksCycles) {
  EXPECT_EQ(run_sandboxed("local t = {} t.again = t return dump(t)"), "{\n  again = <cycle>,\n}");
}

TEST(Dump, CountsKeysWithoutAnOrder) {
  EXPECT_EQ(run_sandboxed("return dump({[{}] = 1, [print] = 2, [true] = 3})"),
            "{\n  [true] = 3,\n  <2 more with keys that are neither text nor number>\n}");
}

TEST(Dump, StopsAtAMegabyte) {
  auto lua = TestLua::sandbox();
  EXPECT_THAT(lua.run("local t = {} for i = 1, 40 do t = {t, t} end local text = dump(t) "
                      "assert(#text < 1100000) return text:sub(-10)"),
              EndsWith("<cut off>"));
  EXPECT_EQ(lua.run("return #dump(('x'):rep(5000000)) < 1100000"), "true");
}

TEST(Dump, StopsAtAHundredLevels) {
  EXPECT_THAT(run_sandboxed("local t = {} for i = 1, 200 do t = {t} end return dump(t)"),
              HasSubstr("<more levels>"));
}

TEST(Dump, ShowsWhatPairsGives) {
  EXPECT_THAT(run_sandboxed("return dump(engine)"), HasSubstr("lua_version = \"Lua 5.4\",\n"));
  EXPECT_EQ(run_sandboxed("local hidden = {b = 2, 10, a = {c = 1}}\n"
                          "local proxy = setmetatable({raw = 1}, {__pairs = function()\n"
                          "  return next, hidden end})\n"
                          "return dump({proxy})"),
            R"({
  {
    10,
    a = {
      c = 1,
    },
    b = 2,
  },
})");
}

TEST(Dump, StopsAtTenThousandPairsOfAnIteratorWithoutEnd) {
  EXPECT_EQ(run_sandboxed("local endless = setmetatable({}, {__pairs = function()\n"
                          "  return function(_, n) return (n or 0) + 1, 0 end end})\n"
                          "local text = dump(endless)\n"
                          "return text:sub(-8), select(2, text:gsub('\\n', ''))"),
            "<more>\n}|10002");
}

TEST(Dump, SurvivesPairsThatChangeTheTable) {
  EXPECT_EQ(run_sandboxed("local t = {} for i = 1, 100 do t['key number ' .. i] = i end\n"
                          "t[1] = setmetatable({}, {__pairs = function()\n"
                          "  for k in pairs(t) do if k ~= 1 then t[k] = nil end end\n"
                          "  for i = 1, 20 do collectgarbage('step', 1000) end\n"
                          "  return next, {} end})\n"
                          "return (dump(t):match('key number 1.. = nil'))"),
            "key number 1\"] = nil");
}

TEST(Dump, DoesNotRecurseThroughPairsThatDump) {
  EXPECT_EQ(run_sandboxed("local function nest(n) return setmetatable({}, {__pairs = function()\n"
                          "  return next, {dump(nest(n + 1)), n} end}) end\n"
                          "local deep = nest(1) for i = 1, 90 do deep = {deep} end\n"
                          "return dump(deep):match('\"(.-)\"')"),
            "{}");
}

TEST(Dump, PropagatesErrorsOfPairs) {
  EXPECT_THAT(
      run_sandboxed("return dump(setmetatable({}, {__pairs = function() error('no') end}))"),
      HasSubstr("no"));
  EXPECT_EQ(
      run_sandboxed("local bad = setmetatable({}, {__pairs = function() error('no') end})\n"
                    "local fine = setmetatable({}, {__pairs = function() return next, {1} end})\n"
                    "return pcall(dump, bad) == false and dump(fine)"),
      "{\n  1,\n}");
}

TEST(Dump, SkipsKeysThatNoTableCanHold) {
  EXPECT_EQ(run_sandboxed("local odd = setmetatable({}, {__pairs = function()\n"
                          "  return function(_, k) if k == nil then return 0/0, 1 end\n"
                          "    if k ~= k then return 'b', 2 end end end})\n"
                          "return dump(odd)"),
            "{\n  b = 2,\n}");
}

TEST(Copy, HasTheSameElementsAndMetatable) {
  EXPECT_EQ(run_sandboxed("local inner, mt = {}, {__index = {z = 9}}\n"
                          "local t = setmetatable({1, 2, a = inner}, mt)\n"
                          "local c = copy(t) c[1] = 5\n"
                          "return c ~= t, t[1], c[2], c.a == inner, c.z, copy(7)"),
            "true|1|2|true|9|7");
}

TEST(DeepCopy, KeepsTheShapeOfTheGraph) {
  EXPECT_EQ(
      run_sandboxed("local shared = {1} local t = {shared, shared, deep = {shared}} t.self = t\n"
                    "local c = deep_copy(t) c[1][1] = 2\n"
                    "return c ~= t, c.self == c, c[1] == c[2], c.deep[1] == c[1], t[1][1]"),
      "true|true|true|true|1");
}

TEST(DeepCopy, CopiesAnyDepth) {
  EXPECT_EQ(run_sandboxed("local t = {} for i = 1, 300000 do t = {t} end local c = deep_copy(t)\n"
                          "local n = 0 while c[1] do c = c[1] n = n + 1 end return n"),
            "300000");
}

TEST(DeepCopy, KeepsListMarks) {
  EXPECT_EQ(run_sandboxed("return json_encode(deep_copy(json_decode('{\"a\":[]}')))"),
            "{\"a\":[]}");
}

TEST(DeepCopy, CopiesKeysThatAreTables) {
  EXPECT_EQ(run_sandboxed("local key = {} local c = deep_copy({key, [key] = 'v'}) "
                          "return c[c[1]], c[key]"),
            "v|nil");
}

}  // namespace
}  // namespace heddle::script
