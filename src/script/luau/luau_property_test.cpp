// Random programs: written in Luau they behave as written by hand in Lua, and plain Lua comes back
// as it is.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "script/luau/luau_testing.hpp"

namespace heddle::script {
namespace {

// The same piece of a program in both languages.
struct Both {
  std::string luau;
  std::string lua;
};

// Writes a program with a loop budget, so that it ends. Every line of one text is the same line of
// the other.
class ProgramWriter {
 public:
  explicit ProgramWriter(std::uint32_t seed) : random_(seed) {}

  Both program() {
    add("local a, b, fuel = 3, 5, 0", "local a, b, fuel = 3, 5, 0");
    both("local t, s = {n = 1, [1] = 4, [2] = 6, inner = {n = 2}}, 'x'");
    both("local function box(v, name) say('box', name) return v end");
    both("local function two() say('two') return 7, 8 end");
    both("local function none() end");
    statements(6, 0);
    both("say(a, b, s, t.n, t[1], t[2], t.inner.n)");
    return text_;
  }

 private:
  using Text = std::string_view;

  std::uint32_t pick(std::uint32_t count) { return random_() % count; }

  void add(const std::string& luau, const std::string& lua) {
    text_.luau += luau + "\n";
    text_.lua += lua + "\n";
  }
  void both(const std::string& line) { add(line, line); }

  Both number(int depth) {
    switch (pick(depth > 3 ? 6 : 14)) {
      case 0:
        return {"a", "a"};
      case 1:
        return {"1_0", "10"};
      case 2:
        return {"0b1_01", "5"};
      case 3:
        return {"t.n", "t.n"};
      case 4:
        return {"b", "b"};
      case 5:
        return {"0x1_F", "31"};
      case 6:
        return {"(two() :: number)", "(two())"};
      case 7:
        return {"(box(a, 'a') :: any)", "(box(a, 'a'))"};
      case 8: {
        const Both x = number(depth + 1);
        return {"#`<{" + x.luau + "}>`", "#('<' .. tostring((" + x.lua + ")) .. '>')"};
      }
      case 9:
      case 10: {
        const Both x = number(depth + 1);
        const Both y = number(depth + 1);
        const char* op = pick(2) == 0 ? " + " : " - ";
        return {"(" + x.luau + op + y.luau + ")", "(" + x.lua + op + y.lua + ")"};
      }
      default:
        return choice(depth + 1);
    }
  }

  // As a function in Lua.
  Both choice(int depth) {
    const Both c = condition(depth);
    const Both x = number(depth);
    const Both y = number(depth);
    Both result{"if " + c.luau + " then " + x.luau,
                "(function(...) if " + c.lua + " then return (" + x.lua + ")"};
    if (pick(3) == 0) {
      const Both d = condition(depth);
      const Both z = number(depth);
      result.luau += " elseif " + d.luau + " then " + z.luau;
      result.lua += " elseif " + d.lua + " then return (" + z.lua + ")";
    }
    return {"(" + result.luau + " else " + y.luau + ")",
            result.lua + " else return (" + y.lua + ") end end)()"};
  }

  Both condition(int depth) {
    switch (pick(5)) {
      case 0:
        return {"(none() :: any)", "(none())"};
      case 1:
        return {"box(nil, 'c') or true", "box(nil, 'c') or true"};
      default: {
        const Both x = number(depth + 1);
        const Both y = number(depth + 1);
        return {x.luau + " < " + y.luau, x.lua + " < " + y.lua};
      }
    }
  }

  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) statement(depth);
  }

  void statement(int depth) {
    switch (pick(depth > 2 ? 6 : 11)) {
      case 0:
        return assign_to_variable();
      case 1:
      case 2:
        return assign_to_element();
      case 3:
        return fill();
      case 4:
        return declare();
      case 5:
        return leave();
      case 6: {
        const Both c = condition(1);
        add("if " + c.luau + " then", "if " + c.lua + " then");
        statements(2, depth + 1);
        return both("end");
      }
      case 7:
        return function(depth);
      case 8:
        return for_loop(depth);
      case 9:
        return while_loop(depth);
      default:
        return repeat_loop(depth);
    }
  }

  void assign_to_variable() {
    const char* name = pick(2) == 0 ? "a" : "b";
    const char* op = pick(2) == 0 ? "+" : "-";
    const Both x = number(0);
    add(fmt::format("{} {}= {}", name, op, x.luau),
        fmt::format("{} = {} {} ({})", name, name, op, x.lua));
  }

  // Evaluates table, key, old value and new value in this order.
  void assign_to_element() {
    static constexpr Text kTables[] = {"t", "t.inner", "box(t, 'table')", "(t or s).inner"};
    static constexpr Text kKeys[] = {"n", "box('n', 'key')", "pick"};
    const Text table = kTables[pick(4)];
    const Text key = kKeys[pick(3)];
    const Both x = number(0);
    const bool is_field = key == "n";
    const std::string target =
        is_field ? fmt::format("{}.n", table) : fmt::format("{}[{}]", table, key);
    add(fmt::format("do local pick = 'n' {} += {} end", target, x.luau),
        fmt::format(
            "do local pick = 'n' local t_, k_ = {}, ({}) local o_ = t_[k_] t_[k_] = o_ + ({}) end",
            table, is_field ? "'n'" : std::string(key), x.lua));
  }

  void fill() {
    const Both x = number(0);
    add(fmt::format("s ..= `{{{}}}% \\{{`\tsay(s) s = ''", x.luau),
        fmt::format("s = s .. (tostring(({})) .. '% {{')\tsay(s) s = ''", x.lua));
  }

  void declare() {
    const Both x = number(0);
    add("type T" + std::to_string(pick(9)) + " = {a: number, [string]: (T) -> ...any}", "");
    add("local c: number?, d: {T<string>} = " + x.luau + ", nil",
        "local c, d = " + x.lua + ", nil");
    both("say(c, d)");
  }

  // Only inside of loops; the Lua version has their bodies in functions.
  void leave() {
    if (loops_ == 0) return;
    const Both c = condition(1);
    const bool is_break = pick(3) == 0;
    const char* word = is_break ? "break" : "continue";
    add(fmt::format("if {} then say('{}') {} end", c.luau, word, word),
        fmt::format("if {} then say('{}') do return '{}' end end", c.lua, word, word));
  }

  void function(int depth) {
    const int outer = std::exchange(loops_, 0);
    add("local function g<T>(x: T, ...: number): (number, T?)", "local function g(x, ...)");
    statements(2, depth + 1);
    const Both x = number(1);
    add("return " + x.luau + " + select('#', ... :: any), x",
        "return " + x.lua + " + select('#', (...)), x");
    both("end");
    both("if fuel < 40 then fuel = fuel + 1 say(g(1, 2, 3)) end");
    loops_ = outer;
  }

  void body(int depth) {
    ++loops_;
    both("fuel = fuel + 1");
    statements(3, depth + 1);
    --loops_;
  }

  void for_loop(int depth) {
    add("for i: number = 1, 3 do", "for i = 1, 3 do local r_ = (function()");
    add("say('for', i) if fuel > 30 then break end",
        "say('for', i) if fuel > 30 then do return 'break' end end");
    body(depth);
    add("end", "end)() if r_ == 'break' then break end end");
  }

  void while_loop(int depth) {
    const Both c = condition(1);
    add("while fuel < 30 and (" + c.luau + ") do",
        "while fuel < 30 and (" + c.lua + ") do local r_ = (function()");
    body(depth);
    add("end", "end)() if r_ == 'break' then break end end");
  }

  // The condition uses a variable of the body.
  void repeat_loop(int depth) {
    const Both x = number(1);
    add("repeat local w: number = " + x.luau,
        "repeat local w = " + x.lua + " local r_ = (function()");
    body(depth);
    add("until w > 6 or fuel > 30",
        "end)() if r_ == 'break' then break end until w > 6 or fuel > 30");
  }

  std::mt19937 random_;
  Both text_;
  int loops_ = 0;
};

TEST(LuauProperty, TranslatedProgramsBehaveAsWrittenByHand) {
  LuauTestState state;
  int with_output = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const Both program = ProgramWriter(seed).program();
    ASSERT_FALSE(state.is_lua(program.luau));
    ASSERT_TRUE(state.is_lua(program.lua)) << "seed " << seed << "\n" << program.lua;
    const std::string expected = state.run(program.lua);
    ASSERT_EQ(state.run(program.luau), expected) << "seed " << seed << "\n"
                                                 << program.luau << "\n"
                                                 << translate_luau(program.luau).text;
    if (expected.find("error") == std::string::npos && expected.size() > 100) ++with_output;
  }
  EXPECT_GT(with_output, 100);
}

void expect_unchanged(std::string_view text) {
  const LuauTranslation translation = translate_luau(text);
  ASSERT_FALSE(translation.problem)
      << translation.problem->line << ": " << translation.problem->message << "\n"
      << text;
  ASSERT_FALSE(translation.is_changed) << text;
  ASSERT_EQ(translation.text, text);
}

TEST(LuauProperty, PlainLuaComesBackUnchanged) {
  LuauTestState state;
  std::mt19937 random(7);
  int valid = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const std::string program = ProgramWriter(seed).program().lua;
    expect_unchanged(program);
    // The same with a few tokens replaced by others of the program.
    const auto tokens = lex_luau(program).tokens;
    for (int round = 0; round < 30; ++round) {
      std::string mutated = program;
      for (std::uint32_t i = 0; i <= random() % 2; ++i) {
        const LuauToken& from = tokens[random() % (tokens.size() - 1)];
        const LuauToken& to = tokens[random() % (tokens.size() - 1)];
        mutated = program.substr(0, to.begin) + " " +
                  program.substr(from.begin, from.end - from.begin) + " " + program.substr(to.end);
      }
      if (!state.is_lua(mutated)) continue;
      ++valid;
      expect_unchanged(mutated);
    }
  }
  EXPECT_GT(valid, 200);
}

}  // namespace
}  // namespace heddle::script
