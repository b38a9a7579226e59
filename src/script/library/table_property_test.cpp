// Compares the table functions with stock Lua on many random tables and arguments.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

// Runs the same random script in both, each with its own copy of the tables.
class TableProperty : public testing::Test {
 protected:
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  std::string number() {
    static const char* const kOdd[] = {"nil",
                                       "1 << 62",
                                       "math.maxinteger",
                                       "math.mininteger",
                                       "-1",
                                       "2.0",
                                       "'3'",
                                       "'x'",
                                       "math.maxinteger - 2",
                                       "0",
                                       "{}"};
    return below(8) == 0 ? kOdd[below(11)] : std::to_string(below(14) - 2);
  }

  std::string element() {
    switch (below(5)) {
      case 0:
        return "'" + std::string(1, static_cast<char>('a' + below(5))) + "'";
      case 1:
        return std::to_string(below(20)) + ".5";
      case 2:
        return below(8) == 0 ? "nil" : "'long text'";
      default:
        return std::to_string(below(20));
    }
  }

  std::string table() {
    std::string text = "{";
    for (int i = below(9); i > 0; --i) text += element() + ", ";
    return text + "}";
  }

  // `call` uses t; returns its results and t afterwards.
  void expect_same(const std::string& call) {
    const std::string code =
        "local t = " + table() +
        "\nlocal r = table.pack(pcall(function() return (function(...) return ... end)(" + call +
        ") end))\nlocal out = {}\n"
        "for i = 1, r.n do out[#out + 1] = type(r[i]) == 'table' and 'table' or tostring(r[i]) "
        "end\n"
        "for i = -3, 16 do out[#out + 1] = tostring(t[i]) end\nreturn table.concat(out, ' ')";
    EXPECT_EQ(ours_.run(code), stock_.run(code)) << code;
  }

  TestLua ours_ = TestLua::sandbox();
  TestLua stock_ = TestLua::stock();
  std::mt19937 random_{11};
};

constexpr int kCases = 5'000;

TEST_F(TableProperty, InsertsAsLuaDoes) {
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    if (below(3) == 0) {
      expect_same("table.insert(t, " + element() + ")");
    } else {
      const std::string arguments = number() + ", " + element();
      expect_same("table.insert(t, " + arguments + (below(20) == 0 ? ", 1)" : ")"));
    }
  }
}

TEST_F(TableProperty, RemovesAsLuaDoes) {
  for (int i = 0; i < kCases && !HasFailure(); ++i)
    expect_same("table.remove(t" + (below(3) == 0 ? ")" : ", " + number() + ")"));
}

TEST_F(TableProperty, MovesAsLuaDoes) {
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    // Two extreme bounds would make stock Lua move for too long.
    const std::string from = std::to_string(below(8) - 2);
    const std::string end = std::to_string(below(12) - 2);
    expect_same("table.move(t, " + from + ", " + end + ", " + number() +
                (below(2) == 0 ? ")" : ", {1, 2})"));
  }
}

TEST_F(TableProperty, JoinsAsLuaDoes) {
  for (int i = 0; i < kCases && !HasFailure(); ++i)
    expect_same("table.concat(t, " + std::string(below(3) == 0 ? "nil" : "', '") +
                (below(2) == 0 ? ")" : ", " + number() + ", " + number() + ")"));
}

TEST_F(TableProperty, UnpacksAsLuaDoes) {
  for (int i = 0; i < kCases && !HasFailure(); ++i)
    expect_same("table.unpack(t" +
                (below(2) == 0 ? ")" : ", " + number() + ", " + std::to_string(below(12)) + ")"));
}

TEST_F(TableProperty, SortsAsLuaDoes) {
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    std::string list = "{";
    const int kind = below(4);
    for (int n = below(60); n > 0; --n) {
      const int value = below(30) - 10;
      list += kind == 0   ? std::to_string(value)
              : kind == 1 ? std::to_string(value) + ".25"
              : kind == 2 ? "'" + std::string(static_cast<std::size_t>(below(3)), 'b') +
                                static_cast<char>('a' + below(20)) + "'"
                          : std::to_string(value) + (below(2) == 0 ? ".0" : "");
      list += ", ";
    }
    const std::string order = below(2) == 0 ? "" : ", function(a, b) return a > b end";
    // 1 and 1.0 are equal, and equal ones may stand in any order: compare them as one text.
    const std::string code =
        "local t = " + list + "}\ntable.sort(t" + order +
        ")\nfor i, v in ipairs(t) do t[i] = type(v) == 'number' and ('%g'):format(v) or v "
        "end\nreturn table.concat(t, ' ')";
    EXPECT_EQ(ours_.run(code), stock_.run(code)) << code;
  }
}

TEST_F(TableProperty, ReportsErrorsAsLuaDoes) {
  for (const char* call : {"table.insert()",
                           "table.insert(nil, 1)",
                           "table.insert(5, 1)",
                           "table.insert(t)",
                           "table.remove()",
                           "table.remove('x')",
                           "table.move()",
                           "table.move(t, 1, 2)",
                           "table.move(t, 1, 2, 3, 4)",
                           "table.concat()",
                           "table.concat(5)",
                           "table.concat(t, {})",
                           "table.sort()",
                           "table.sort(t, 5)",
                           "table.sort({1, 'x'})",
                           "table.sort({{}, {}})",
                           "table.unpack()",
                           "table.unpack(5)",
                           "table.unpack({}, 1, 1 << 40)",
                           "table.move(t, math.mininteger, 5, 1)",
                           "table.move(t, 1, 5, math.maxinteger)",
                           "table.insert(setmetatable({}, {__len = function() return 'x' end}), 1)",
                           "table.concat({1, {}, 3})",
                           "#table.pack(1, nil, 3)",
                           "table.pack().n"})
    expect_same(call);
}

TEST_F(TableProperty, UsesMetamethodsAsLuaDoes) {
  constexpr const char* kProxy = R"(
    local data, log = {5, 3, 4, 1}, {}
    local t = setmetatable({}, {
      __index = function(_, k) log[#log + 1] = 'get' .. k return data[k] end,
      __newindex = function(_, k, v) log[#log + 1] = 'set' .. k data[k] = v end,
      __len = function() return #data end,
    })
    table.insert(t, 9) table.insert(t, 1, 8) table.remove(t, 2) table.move(t, 1, 3, 2)
    log[#log + 1] = table.concat(t, ',') log[#log + 1] = select('#', table.unpack(t))
    return table.concat(log, ' ')
  )";
  EXPECT_EQ(ours_.run(kProxy), stock_.run(kProxy));
}

}  // namespace
}  // namespace heddle::script
