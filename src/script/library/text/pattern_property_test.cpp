// Compares the pattern functions with stock Lua on many random patterns and texts.
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  std::string pick(const std::vector<std::string_view>& pieces, int most) {
    std::string text;
    for (int i = below(most + 1); i > 0; --i)
      text += pieces[static_cast<std::size_t>(below(static_cast<int>(pieces.size())))];
    return text;
  }

  std::string text() {
    return pick({"a",
                 "a",
                 "b",
                 "ab",
                 "A",
                 "1",
                 "2",
                 " ",
                 "(",
                 ")",
                 "[",
                 "]",
                 "-",
                 "%",
                 "_",
                 ".",
                 std::string_view("\0", 1),
                 "\xff",
                 "\n",
                 "z",
                 "^",
                 "$"},
                14);
  }

  // Mostly well formed; includes every kind of error.
  std::string pattern() {
    static const std::vector<std::string_view> kPieces{
        "a",    "a",    "b",     ".",     "%a",     "%d",      "%s",          "%w",
        "%A",   "%x",   "%p",    "%u",    "%l",     "%c",      "%g",          "%z",
        "[ab]", "[^a]", "[a-z]", "[%w_]", "[]]",    "[^]]",    "[a-]",        "[%a-z]",
        "[%]]", "%b()", "%bab",  "%f[a]", "%f[%w]", "%f[^%w]", "(",           ")",
        "()",   "(a)",  "(.-)",  "(%w*)", "%1",     "%2",      "%0",          "*",
        "+",    "-",    "?",     "*",     "+",      "-",       "?",           "^",
        "$",    "%%",   "%",     "[",     "[^",     "%f",      "%b",          "%bx",
        "%(",   "%)",   "%.",    " ",     "1",      "[%z]",    "[\x80-\xff]", "(a*(.)%w(%s*))",
        "((a)", "%f[",  "[%",    "%]",    "[a%]",
    };
    std::string pattern = below(8) == 0 ? "^" : "";
    pattern += pick(kPieces, 6);
    if (below(8) == 0) pattern += "$";
    return pattern;
  }

  ScriptValue start() {
    return below(3) == 0 ? ScriptValue{} : ScriptValue{static_cast<std::int64_t>(below(24) - 12)};
  }

 private:
  std::mt19937 random_;
};

class PatternProperty : public testing::Test {
 protected:
  void expect_same(const std::string& function, const std::vector<ScriptValue>& arguments) {
    EXPECT_EQ(ours_.call(function, arguments), stock_.call(function, arguments))
        << function << "(" << std::get<std::string>(arguments[0].data) << ", "
        << std::get<std::string>(arguments[1].data) << ")";
  }

  TestLua ours_ = TestLua::sandbox();
  TestLua stock_ = TestLua::stock();
  Generator random_{7};
};

constexpr int kPatternCases = 20'000;

TEST_F(PatternProperty, FindsWhatLuaFinds) {
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i)
    expect_same("string.find", {{random_.text()}, {random_.pattern()}, random_.start()});
}

TEST_F(PatternProperty, FindsPlainTextWhereLuaDoes) {
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i)
    expect_same("string.find", {{random_.text() + random_.text()},
                                {random_.text().substr(0, static_cast<std::size_t>(i % 4))},
                                random_.start(),
                                {true}});
}

TEST_F(PatternProperty, CapturesWhatLuaCaptures) {
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i)
    expect_same("string.match", {{random_.text()}, {random_.pattern()}, random_.start()});
}

TEST_F(PatternProperty, IteratesOverTheMatchesThatLuaFinds) {
  constexpr const char* kCollect = R"((function(text, pattern, start)
    local all = {}
    for a, b, c in string.gmatch(text, pattern, start) do
      all[#all + 1] = tostring(a) .. "," .. tostring(b) .. "," .. tostring(c)
    end
    return table.concat(all, ";")
  end))";
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i)
    expect_same(kCollect, {{random_.text()}, {random_.pattern()}, random_.start()});
}

TEST_F(PatternProperty, ReplacesByTextAsLuaDoes) {
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i) {
    const ScriptValue replacement{random_.pick({"x", "%0", "%1", "%2", "%%", "<", ">", "%"}, 3)};
    expect_same("string.gsub",
                {{random_.text()}, {random_.pattern()}, replacement, random_.start()});
  }
}

TEST_F(PatternProperty, ReplacesByTableAsLuaDoes) {
  const ScriptValue table{Map{{"a", {std::string("A")}},
                              {"b", {false}},
                              {"1", {std::int64_t{5}}},
                              {"ab", {1.5}},
                              {" ", {Map{}}}}};
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i)
    expect_same("string.gsub", {{random_.text()}, {random_.pattern()}, table});
}

TEST_F(PatternProperty, ReplacesByFunctionAsLuaDoes) {
  constexpr const char* kReplace = R"((function(text, pattern)
    return string.gsub(text, pattern, function(a, b)
      if a == "a" then return nil end
      if a == "b" then return false end
      return "<" .. tostring(a) .. "," .. tostring(b) .. ">"
    end)
  end))";
  for (int i = 0; i < kPatternCases && !HasFailure(); ++i)
    expect_same(kReplace, {{random_.text()}, {random_.pattern()}});
}

TEST_F(PatternProperty, NestsAsDeeplyAsLuaDoes) {
  for (const char* piece : {"a?", "a*", "a-", "(a?)", "()a?", "b?a?"}) {
    std::string pattern;
    for (int count = 1; count <= 230; ++count) {
      pattern += piece;
      expect_same("string.find", {{std::string(240, 'a')}, {pattern}});
      expect_same("string.match", {{std::string("a")}, {pattern}});
    }
  }
}

}  // namespace
}  // namespace heddle::script
