// The functions that Luau has and Lua 5.4 has not, and those of Lua that Luau scripts use
// otherwise.
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"
#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(LuauTable, FindsAValue) {
  EXPECT_EQ(run_sandboxed("local t = {'a', 'b', 'c', 'b', nil, 'x'} "
                          "return table.find(t, 'b'), table.find(t, 'b', 3), table.find(t, 'q'), "
                          "table.find({1, 2}, 2.0), table.find(t, 'x'), table.find({}, nil)"),
            "2|4|nil|2|nil|nil");
  EXPECT_EQ(run_sandboxed("local mt = {__eq = function(a, b) return a.id == b.id end} "
                          "local function make(id) return setmetatable({id = id}, mt) end "
                          "return table.find({make(1), make(2)}, make(2))"),
            "2");
  EXPECT_THAT(run_sandboxed("table.find({}, 1, 0)"), HasSubstr("index out of range"));
  EXPECT_THAT(run_sandboxed("table.find({})"), HasSubstr("value expected"));
}

TEST(LuauTable, CreatesAListOfOneValue) {
  EXPECT_EQ(run_sandboxed("local t = table.create(3, 'x') return #t, table.concat(t), "
                          "#table.create(5), next(table.create(5)), #table.create(0, 1)"),
            "3|xxx|0|nil|0");
}

TEST(LuauTable, ClearsAllElements) {
  EXPECT_EQ(run_sandboxed("local t = setmetatable({1, 2, x = 3}, {__index = {y = 4}}) "
                          "table.clear(t) return next(t), #t, t.y"),
            "nil|0|4");
}

TEST(LuauTable, ClonesShallowly) {
  EXPECT_EQ(
      run_sandboxed("local mt = {} local inner = {} local t = setmetatable({inner, x = 1}, mt)"
                    " local u = table.clone(t) return u ~= t, u[1] == inner, u.x, "
                    "getmetatable(u) == mt"),
      "true|true|1|true");
  EXPECT_EQ(run_sandboxed("return json_encode(table.clone(json_array()))"), "[]");
  EXPECT_THAT(run_sandboxed("table.clone(setmetatable({}, {__metatable = false}))"),
              HasSubstr("protected metatable"));
}

TEST(LuauString, SplitsAText) {
  EXPECT_EQ(run_sandboxed("local function all(...) return table.concat(string.split(...), '|') end "
                          "return all('a,b,,c'), all('a--b--', '--'), all('abc', ''), #all(''), "
                          "#string.split(''), #string.split('', ''), all('x.y', '.'), "
                          "('1 2'):split(' ')[2]"),
            "a|b||c|a|b||a|b|c|0|1|0|x|y|2");
}

TEST(LuauMath, ClampsRoundsAndGivesTheSign) {
  EXPECT_EQ(run_sandboxed("return math.clamp(5, 1, 3), math.clamp(-5, 1, 3), math.clamp(2, 1, 3), "
                          "math.round(2.5), math.round(-2.5), math.round(2.4), math.round(7), "
                          "math.sign(-3.5), math.sign(0), math.sign(9), math.sign(0/0)"),
            "3|1|2|3|-3|2|7|-1|0|1|0");
  EXPECT_EQ(run_sandboxed("return math.round(1e300), math.round(0.49999999999999994)"),
            "0x1.7e43c8800759cp+996|0");
  EXPECT_THAT(run_sandboxed("math.clamp(1, 3, 1)"), HasSubstr("max must be greater than"));
}

TEST(LuauBase, NamesTypesAndCountsMemory) {
  EXPECT_EQ(run_sandboxed("return typeof({}), typeof(nil), typeof(1), typeof(json_null), "
                          "typeof(html.parse('')), math.type(gcinfo()), gcinfo() > 10"),
            "table|nil|number|userdata|userdata|integer|true");
  EXPECT_THAT(run_sandboxed("typeof()"), HasSubstr("value expected"));
}

TEST(LuauJson, WritesEmptyTablesAsLists) {
  EXPECT_EQ(run_sandboxed("return json_encode({}), json_encode({}, true), json_encode({a = {}}, "
                          "true), json_encode({1, {}}, true), json_encode({a = 1}, true), "
                          "json_encode({}, false)"),
            R"({}|[]|{"a":[]}|[1,[]]|{"a":1}|{})");
  EXPECT_EQ(
      run_sandboxed("return json_encode(JSON_EMPTY_ARRAY), json_encode({a = "
                    "JSON_EMPTY_ARRAY}), #JSON_EMPTY_ARRAY, table.isfrozen(JSON_EMPTY_ARRAY)"),
      R"([]|{"a":[]}|0|true)");
}

TEST(LuauOs, MeasuresWaitingWithItsClock) {
  TestScript test;
  test.answer = [](const Want& want) {
    std::this_thread::sleep_for(std::get<SleepWant>(want).duration);
    return Answer(Values{});
  };
  EXPECT_EQ(test.run_text("local start = os.clock() sleep(20) local took = os.clock() - start "
                          "assert(took >= 0.02 and start >= 0, took)"),
            "");
}

TEST(CollectGarbage, AnswersAsLuaDoes) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const char* code :
       {"return collectgarbage()", "return collectgarbage('collect')",
        "return math.type(collectgarbage('count'))", "return type(collectgarbage('step'))",
        "return type(collectgarbage('step', 100))", "return collectgarbage('step', 1 << 20)",
        "local t = setmetatable({}, {__mode = 'k'}) t[{}] = 1 collectgarbage() return next(t)"})
    EXPECT_EQ(ours.run(code), stock.run(code)) << code;
}

TEST(CollectGarbage, ReportsTheOptionsThatAreAvailable) {
  EXPECT_THAT(run_sandboxed("collectgarbage('stop')"),
              HasSubstr(R"(only "collect", "count" and "step" are available (got "stop"))"));
}

// Other jobs must not wait for the collection of a large heap.
TEST(CollectGarbage, EndsTheSliceOfALargeHeap) {
  ScriptLimits limits;
  limits.slice = std::chrono::milliseconds(1);
  TestScript test(limits);
  ASSERT_EQ(test.run_text("hoard = {} for i = 1, 300000 do hoard[i] = {i} end"), "");
  test.slices = 0;
  EXPECT_EQ(test.run_text("assert(collectgarbage() == 0) "
                          "local co = coroutine.wrap(function() return collectgarbage() end) "
                          "assert(co() == 0)"),
            "");
  EXPECT_GE(test.slices, 4);
}

TEST(Load, ReturnsTheErrorOfItsFunction) {
  auto ours = TestLua::sandbox();
  auto stock = TestLua::stock();
  for (const char* code :
       {"return load(function() error('broken') end)", "return load(function() error({}) end)",
        "return load(function() return {} end)", "return load(function() return true end)",
        "local n = 0 return load(function() n = n + 1 return ({'return ', 4, 2})[n] end)()",
        "return load(function() end)()", "return load(function() return '' end)()",
        "local done return load(function() if not done then done = true return 'x =' end end)",
        "local done return load(function() if not done then done = true return 'return ...' end "
        "end, 'name', 't', {})(7)"})
    EXPECT_EQ(ours.run(code), stock.run(code)) << code;
}

TEST(RequireLibrary, FindsStandardLibrariesAfterFiles) {
  TestScript test;
  test.host.modules["math"] = "return 'a file'";
  EXPECT_EQ(test.run_text("for _, name in ipairs{'string', 'table', 'utf8', 'coroutine', 'os', "
                          "'bit32', 'bit', 'html', '_G'} do "
                          "assert(require(name) == _G[name], name) "
                          "assert(require(name) == _G[name], name) end "
                          "assert(require 'math' == 'a file')"),
            "");
  for (const char* name : {"io", "debug", "package", "engine", "tostring"})
    EXPECT_THAT(test.run_text(std::string("require '") + name + "'"), HasSubstr("was not found"));
}

}  // namespace
}  // namespace heddle::script
