#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class EndlessTable : public testing::TestWithParam<const char*> {};

TEST_P(EndlessTable, EndsWithTheBudget) {
  EXPECT_THAT(run_in_budget(GetParam(), 50ms), HasSubstr("cpu_limit")) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    TableLibrary, EndlessTable,
    testing::Values(
        "table.move({}, 1, 1 << 60, 2)",
        "table.move(setmetatable({}, {__index = type}), 1, 1 << 60, 1, "
        "setmetatable({}, {__newindex = rawequal}))",
        "table.insert(setmetatable({}, {__len = function() return 1 << 60 end, __newindex = "
        "rawequal}), 1, 1)",
        "table.remove(setmetatable({}, {__len = function() return 1 << 60 end, __newindex = "
        "rawequal}), 1)",
        "table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, 1 << 60)",
        "table.sort({3, 2, 1, 5, 4}, function() while true do end end)"));

TEST(TableLibrary, FailsToSortAnExcessiveClaimedLength) {
  EXPECT_THAT(
      run_sandboxed("table.sort(setmetatable({}, {__len = function() return 1 << 30 end}))"),
      HasSubstr("not enough memory"));
  EXPECT_THAT(
      run_sandboxed("table.sort(setmetatable({}, {__len = function() return 1 << 40 end}))"),
      HasSubstr("array too big"));
}

TEST(TableLibrary, SortsStably) {
  EXPECT_EQ(run_sandboxed("local t = {} for i = 1, 100 do t[i] = {key = i % 3, at = i} end\n"
                          "table.sort(t, function(a, b) return a.key < b.key end)\n"
                          "for i = 2, 100 do assert(t[i - 1].key < t[i].key or "
                          "(t[i - 1].key == t[i].key and t[i - 1].at < t[i].at)) end return #t"),
            "100");
}

TEST(TableLibrary, SurvivesInconsistentOrders) {
  EXPECT_EQ(run_sandboxed("local t = {} for i = 1, 1000 do t[i] = i end\n"
                          "table.sort(t, function() return true end)\n"
                          "table.sort(t, function() return math.random() < 0.5 end)\n"
                          "local sum = 0 for _, v in ipairs(t) do sum = sum + v end return sum"),
            "500500");
  EXPECT_EQ(run_sandboxed("local nan = 0/0 local t = {3, nan, 1, nan, 2, nan}\n"
                          "table.sort(t) return #t"),
            "6");
}

TEST(TableLibrary, SurvivesAnOrderThatEmptiesTheTable) {
  EXPECT_EQ(run_sandboxed("local t = {} for i = 1, 100 do t[i] = {i} end\n"
                          "table.sort(t, function(a, b) for k in pairs(t) do t[k] = nil end\n"
                          "collectgarbage('step', 1000) return a[1] > b[1] end)\n"
                          "return #t, t[1][1]"),
            "100|100");
}

TEST(TableLibrary, KeepsTheTableUnchangedWhenTheOrderFails) {
  EXPECT_EQ(run_sandboxed("local t, n = {3, 1, 2}, 0\n"
                          "pcall(table.sort, t, function() n = n + 1 if n > 1 then error('x') end "
                          "return true end)\n"
                          "return table.concat(t, ',')"),
            "3,1,2");
}

TEST(TableLibrary, SortsAMillionNumbers) {
  EXPECT_EQ(run_sandboxed("local t = {} for i = 1, 1000000 do t[i] = (i * 7919) % 1000003 end\n"
                          "table.sort(t) for i = 2, #t do assert(t[i - 1] <= t[i]) end return #t"),
            "1000000");
}

TEST(TableLibrary, ProvidesUnpackAsAGlobalToo) {
  EXPECT_EQ(run_sandboxed("return unpack == table.unpack, unpack({1, 2})"), "true|1|2");
}

}  // namespace
}  // namespace heddle::script
