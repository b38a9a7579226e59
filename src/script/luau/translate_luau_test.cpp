#include "script/luau/translate_luau.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/luau/luau_testing.hpp"

namespace heddle::script {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string run(std::string_view text) {
  return LuauTestState().run(text);
}

TEST(Luau, AssignsToVariablesAndFields) {
  EXPECT_EQ(run("local x = 7 x += 1 x -= 2 x *= 3 x /= 2 say(x)"), "1 9.0");
  EXPECT_EQ(run("local x = 17 x //= 2 x %= 5 x ^= 2 say(x)"), "1 9.0");
  EXPECT_EQ(run("local s = 'a' s ..= 'b' .. 'c' say(s)"), "1 abc");
  EXPECT_EQ(run("x = 2 x *= 1 + 2 say(x)"), "1 6");
  EXPECT_EQ(run("x = nil x = 1 x += nil or 2 say(x)"), "1 3");
  EXPECT_EQ(run("local t = {n = 1, [2] = 5, s = {m = 1}}\n"
                "t.n += 1 t[2] -= 1 t['n'] *= 10 t.s.m += 4\n"
                "say(t.n, t[2], t.s.m)"),
            "3 20 4 5");
}

TEST(Luau, EvaluatesTheTargetOfAnAssignmentOnce) {
  EXPECT_EQ(run("local n = 0\n"
                "local function f() n += 1 return n end\n"
                "local a = {b = {10, 20, 30}}\n"
                "a.b[f()] += 1\n"
                "say(a.b[1], a.b[2], n)"),
            "5 11 20 1");
  EXPECT_EQ(
      run("local reads = 0\n"
          "local t = setmetatable({}, {__index = function(_, k) reads += 1 return {x = 1} end})\n"
          "t.inner.x += 1\n"
          "say(reads)"),
      "4 1");
  EXPECT_EQ(run("local function key() say('key') return 'k' end\n"
                "local function value() say('value') return 1 end\n"
                "local function base() say('base') return {k = 1} end\n"
                "base()[key()] += value()"),
            "3 base\n1 key\n2 value");
}

TEST(Luau, EvaluatesTargetKeyAndValueInThisOrder) {
  EXPECT_EQ(run("local order = ''\n"
                "local function f(name, value) order ..= name return value end\n"
                "local t = {k = 1}\n"
                "f('base ', t)[f('key ', 'k')] += f('value', 5)\n"
                "say(order, t.k)"),
            "5 base key value 6");
}

TEST(Luau, KeepsNamesOfTheTargetApartFromThoseOfTheValue) {
  EXPECT_EQ(run("local b = 3\nlocal a = {b = {n = 1}}\na.b.n += b\nsay(a.b.n)"), "4 4");
  EXPECT_EQ(run("local i, t = 1, {5, 6}\nt[i] += i\nsay(t[1])"), "3 6");
  EXPECT_EQ(run("local target, key = {x = {1, 2}}, 2\ntarget.x[key] += target.x[1] + key\n"
                "say(target.x[2])"),
            "3 5");
  EXPECT_EQ(run("t = {n = 1}\nlocal old = t\nt.n += (function() t = {n = 50} return 1 end)()\n"
                "say(old.n, t.n)"),
            "4 2 50");
  EXPECT_EQ(run("local t = {}\nt[t] = 1\nt[t] += 1\nsay(t[t])"), "4 2");
  EXPECT_EQ(run("local env = {_ENV = {n = 1}}\nm = 2\nenv._ENV.n += m\nsay(env._ENV.n)"), "4 3");
}

TEST(Luau, ShowsTheNamesOfTheScriptInErrors) {
  EXPECT_EQ(run("local stats = {}\nstats.hits += 1"),
            "test.lua:2: attempt to perform arithmetic on a nil value (field 'hits')");
  EXPECT_EQ(run("\nstats.hits += 1"), "test.lua:2: attempt to index a nil value (local 'stats')");
  EXPECT_EQ(run("\n\nn += 1"),
            "test.lua:3: attempt to perform arithmetic on a nil value (global 'n')");
}

TEST(Luau, ContinuesLoops) {
  EXPECT_EQ(run("for i = 1, 5 do if i % 2 == 0 then continue end say(i) end"), "1 1\n1 3\n1 5");
  EXPECT_EQ(run("local i = 0\nwhile i < 4 do\n  i += 1\n  if i == 2 then continue end\n"
                "  local x = i * 10\n  say(x)\nend"),
            "6 10\n6 30\n6 40");
  EXPECT_EQ(run("for _, v in ipairs({1, 2, 3}) do\n  if v == 1 then continue; end\n"
                "  do say(v) return end\nend"),
            "3 2");
  EXPECT_EQ(run("local function f(list) for _, v in ipairs(list) do\n"
                "  if v < 0 then continue end\n  return v\nend end\nsay(f({-1, -2, 7, 8}))"),
            "5 7");
  EXPECT_EQ(run("for i = 1, 3 do continue end say('done')"), "1 done");
}

TEST(Luau, ContinuesTheInnermostLoop) {
  EXPECT_EQ(run("for i = 1, 3 do\n"
                "  if i == 2 then continue end\n"
                "  for j = 1, 3 do\n"
                "    if j == 2 then continue end\n"
                "    say(i, j)\n"
                "  end\n"
                "  if i == 3 then continue end\n"
                "  say('end', i)\n"
                "end"),
            "5 1 1\n5 1 3\n8 end 1\n5 3 1\n5 3 3");
  EXPECT_EQ(
      run("for i = 1, 2 do\n"
          "  local f = function() for j = 1, 2 do if j == 1 then continue end return j end end\n"
          "  if f() == i then continue end\n"
          "  say(i)\n"
          "end"),
      "4 1");
}

TEST(Luau, ContinuesRepeatLoopsWhoseConditionSeesTheirVariables) {
  EXPECT_EQ(run("local i = 0\n"
                "repeat\n"
                "  i += 1\n"
                "  local x = i\n"
                "  if x == 2 then continue end\n"
                "  local y = x * 2\n"
                "  say(y)\n"
                "until x >= 3"),
            "7 2\n7 6");
  EXPECT_EQ(run("local i = 0\nrepeat i += 1 local function last() return i == 2 end\n"
                "if i == 1 then continue end say(i) until last()"),
            "3 2");
  EXPECT_EQ(
      run("local i = 0\nrepeat\n  i += 1\n  if i < 3 then continue end\n"
          "  local done = true\nuntil done"),
      "test.lua:6: the condition of 'until' uses the variable 'done', which a 'continue' of the "
      "loop jumps over: declare it before");
  EXPECT_EQ(run("local i, t = 0, {done = 2}\nrepeat i += 1 if i == 1 then continue end\n"
                "local done = 1 until t.done == i say(i)"),
            "3 2");
}

TEST(Luau, RefusesContinueWhereItHasNoMeaning) {
  EXPECT_EQ(run("local x = 1\ncontinue"), "test.lua:2: 'continue' is not inside a loop");
  EXPECT_EQ(run("for i = 1, 2 do\n  local f = function() continue end\nend"),
            "test.lua:2: 'continue' is not inside a loop");
  EXPECT_EQ(run("for i = 1, 2 do\n  continue\n  say(i)\nend"),
            "test.lua:3: 'continue' must be the last statement of its block");
}

TEST(Luau, KeepsVariablesThatAreCalledLikeItsWords) {
  EXPECT_EQ(run("local continue, type, export = 1, 2, {n = 3}\n"
                "continue += 1 type = type + 1 export.n *= 2\n"
                "say(continue, type, export.n)"),
            "3 2 3 6");
  EXPECT_EQ(run("local x: number = 1\nlocal t = {type = 'a', continue = 'b', export = 'c'}\n"
                "say(t.type, t.continue, t.export, type(x))"),
            "3 a b c number");
  EXPECT_EQ(run("for i = 1, 3 do\n  x = i x += 0\n  if i == 2 then goto continue end\n  say(i)\n"
                "  ::continue::\nend"),
            "4 1\n4 3");
  EXPECT_EQ(
      run("local next_round, target, key = 1, 2, 'k'\nlocal t = {k = 1}\n"
          "for i = 1, 2 do if i == 1 then continue end (t)[key .. ''] += next_round + target end\n"
          "say(t.k)"),
      "4 4");
}

TEST(Luau, RemovesTypes) {
  EXPECT_EQ(
      run("type Point = {\n"
          "  x: number, -- to the right\n"
          "  y: number?,\n"
          "  read name: 'a' | \"b\",\n"
          "  [string]: {Point}\n"
          "}\n"
          "export type Named<T, U... = ...string> = T & { name: string, f: (self: T, U...) -> () "
          "}\n"
          "local p: Point, q: {number} = {x = 1}, {2}\n"
          "local function add<T>(a: T, b: number, ...: string): (number, string?)\n"
          "  return p.x + b\n"
          "end\n"
          "function show(f: (number, x: string) -> (number, ...string), g: typeof(add)?): ()\n"
          "  for i: number, v: Named<Point, (string, number)> in ipairs(q) do say(i, v) end\n"
          "end\n"
          "show()\n"
          "say(add(nil, 2))\n"
          "say(select('#', (function<T>(...: T): ...T return ... end)(1, nil)))"),
      "13 1 2\n16 3\n17 2");
}

TEST(Luau, RemovesCasts) {
  EXPECT_EQ(run("local x = (5 :: any) :: number say(x + 1 :: number)"), "1 6");
  EXPECT_EQ(run("local function two() return 1, 2 end\n"
                "say(two() :: number)\nsay(two())\nlocal t = {two() :: any}\nsay(#t)\n"
                "local function all(...) return ... :: any end\nsay(all(1, 2))"),
            "2 1\n3 1 2\n5 1\n7 1");
  EXPECT_EQ(run("local a = {}\n(a :: any).b = 1\nlocal c = a.b :: number\n(say)(c)"), "4 1");
  EXPECT_EQ(run("local y = 5 ::again:: y += 1 if y < 8 then goto again end say(y)"), "1 8");
}

TEST(Luau, KeepsStatementsApartThatLuaWouldTakeAsACall) {
  EXPECT_EQ(run("local n = 1\nlocal f = say :: any\n(f)(n)"), "3 1");
  EXPECT_EQ(run("local n = 1\nn += 1\n(say)(n)"), "3 2");
  EXPECT_EQ(run("local n = 2\nlocal m = if n == 2 then n else 3\n(say)(m)"), "3 2");
  EXPECT_EQ(run("local n = 2\nlocal m = `<{n}>`\n(say)(m)"), "3 <2>");
  EXPECT_EQ(run("local f = say\ntype T = number\n(f)(1)"), "3 1");
  EXPECT_EQ(run("local t = {n = 1}\nlocal x = 1(t).n += 1 say(t.n)"), "2 2");
}

TEST(Luau, ChoosesWithIf) {
  EXPECT_EQ(
      run("local function pick(n) return if n < 0 then 'low' elseif n == 0 then 'zero' else 'high' "
          "end say(pick(-1), pick(0), pick(1))"),
      "1 low zero high");
  EXPECT_EQ(run("local function pick(c, a, b) return if c then a else b end\n"
                "say(pick(true, nil, 1), pick(true, false, 1), pick(false, 1, nil))"),
            "2 nil false nil");
  EXPECT_EQ(run("local function two() return 1, 2 end\n"
                "say(if true then two() else two())\nsay(if false then 1 else two())\n"
                "local function f(...) return if ... then ... else nil end say(f(3, 4))"),
            "2 1\n3 1\n4 3");
  EXPECT_EQ(
      run("local function a() say('a') return nil end local function b() say('b') return 1 end\n"
          "local x = if b() then a() else b()\nsay(x)"),
      "1 b\n1 a\n3 nil");
  EXPECT_EQ(run("say(1 + if true then 2 else 3 * 100, -(if nil then 1 else 2 + 3))"), "1 3 -5");
  EXPECT_EQ(run("say(if false or nil then 'x' else if true and 1 then 'y' else 'z')"), "1 y");
  EXPECT_EQ(run("local x = if true\n then {}\n else nil\nerror('here')"), "test.lua:4: here");
}

TEST(Luau, FillsStringsWithBackticks) {
  EXPECT_EQ(run("local n, t = 2, {name = 'Kettle'}\nsay(`{n} {t.name}s cost {n * 50}% more`)"),
            "2 2 Kettles cost 100% more");
  EXPECT_EQ(run("say(`plain %d \\{x\\} \\` \" \\\\ \\65\\x42\\u{43}`)"),
            "1 plain %d {x} ` \" \\ ABC");
  EXPECT_EQ(run("say(`100% \\37 {1} \"quoted\" {'a' .. `nested {({x = 1}).x}`} }`)"),
            "1 100% % 1 \"quoted\" anested 1 }");
  EXPECT_EQ(run("local function none() end local function two() return 1, 2 end\n"
                "say(`{two()} {nil} {true}`)\nsay((`{none() or 'x'}`):upper())"),
            "2 1 nil true\n3 X");
  EXPECT_EQ(run("local s = `a\\\nb {1} c\\\n\\z   \n  d` say(#s) error('here')"),
            "4 9\ntest.lua:4: here");
  EXPECT_EQ(run("say `x`"), "test.lua:1: a call with a string in backticks needs parentheses");
  EXPECT_THAT(run("local s = `a {{1}}`"), HasSubstr("test.lua:1: a { in a string with"));
  EXPECT_THAT(run("local x: number = 1\nlocal s = `a {{1}}`"),
              HasSubstr("test.lua:2: a { in a string"));
}

TEST(Luau, ReadsNumbersWithUnderscoresAndBinaryOnes) {
  EXPECT_EQ(run("say(1_000_000, 0b1010, 0xFF_FF, 1_0.5_0, 1_0e1_0, 0B_1)"),
            "1 1000000 10 65535 10.5 100000000000.0 1");
  EXPECT_EQ(run("say(0b11..'x', 1_0 ..'x')"), "1 3x 10x");
  EXPECT_EQ(run("say(0b" + std::string(64, '1') + " == 2^64, 0xFFFF_FFFF_FFFF_FFFF == 2^64)"),
            "1 true true");
  EXPECT_EQ(run("say(9_007_199_254_740_993)"), "1 9.007199254741e+15");
  EXPECT_THAT(run("local x: any = 1\nlocal y = 0b12"),
              HasSubstr("test.lua:2: malformed number near '0b12'"));
  EXPECT_THAT(run("local y = 1_0_x"), HasSubstr("malformed number"));
}

TEST(Luau, LeavesStringsCommentsAndLongBracketsAlone) {
  EXPECT_EQ(run("-- x += 1 `{`\nlocal x = 0 --[==[ type A = b ]] `\n]==] x += 1\n"
                "local s = [[\na += 1 `{x}` 1_000\n]] .. 'b += 1 -- `{x}` 0b1' .. \"\\\" c += 1\"\n"
                "say(s:gsub('\\n', '|'))"),
            "7 a += 1 `{x}` 1_000|b += 1 -- `{x}` 0b1\" c += 1 1");
}

TEST(Luau, NamesTheLineOfAMistakeBehindTheFirstPieceOfLuau) {
  EXPECT_EQ(run("local x: number = 1\nx += 1\nlocal = 3"), "test.lua:3: <name> expected near '='");
  EXPECT_EQ(run("x += 1\nif x then\n  x = 2\n"),
            "test.lua:4: 'end' expected (to close 'if' at line 2) near <eof>");
  EXPECT_EQ(run("x += 1\nfoo(\n'a' 'b')"),
            "test.lua:3: ')' expected (to close '(' at line 2) near ''b''");
  EXPECT_EQ(run("x += 1\nlocal s = 'abc\n"), "test.lua:2: unfinished string");
  EXPECT_EQ(run("x += 1\n\nlocal c <const> = 1\nc += 1"),
            "test.lua:4: attempt to assign to const variable 'c'");
  EXPECT_THAT(run("x += 1\nbreak"), HasSubstr("test.lua:2: break outside"));
}

TEST(Luau, LeavesTheMistakesOfPlainLuaToLua) {
  EXPECT_EQ(run("local x = = 1"), "test.lua:1: unexpected symbol near '='");
  EXPECT_EQ(run("foo("), "test.lua:1: unexpected symbol near <eof>");
  EXPECT_EQ(run("local s = 'a\nb'"), "test.lua:1: unfinished string near ''a'");
  EXPECT_THAT(run("goto nowhere"), HasSubstr("test.lua:1: no visible label 'nowhere'"));
  EXPECT_THAT(run("\x1bLua"), HasSubstr("attempt to load a binary chunk"));
}

TEST(Luau, RefusesWhatHasNoMeaningInLua) {
  EXPECT_EQ(run("\n@native\nlocal function f() end"),
            "test.lua:2: Luau's attributes (@name) are not supported: leave them out");
  EXPECT_EQ(run("type function f(a) return a end"),
            "test.lua:1: Luau's type functions are not supported: leave them out");
  EXPECT_EQ(run("f() += 1"), "test.lua:1: only a variable or a field can be assigned to");
}

TEST(Luau, ReturnsValidLuaUnchanged) {
  for (const std::string_view text :
       {"", "local x <const>, y <close> = 1, nil return x",
        "goto a ::b:: do goto b end ::a:: local z = 5 ::c::", "local x = 1\n(f)()", "x = a.b\n[1]",
        "x = 1 >> 2 << 3 ~ ~4 & 5 | 6 // 7", "f{...}'a'\"b\"[[c]]",
        "x = 0x1p-4 + 3. + .5e+3 - 0xA.8P1", "x = '\\z  \n y' .. \"\\\r\n\" --[[\r\n]] y = 1",
        "return;", ";;; x = function(...) return ... end",
        "type = 1 continue = type export = {type = continue} type(export) continue'x'",
        "while a < b and c > d do if a >= b then break end x = 1 end",
        "repeat local q = 1 until q"}) {
    ASSERT_TRUE(LuauTestState().is_lua(text)) << text;
    const LuauTranslation translation = translate_luau(text);
    EXPECT_FALSE(translation.is_changed) << text;
    EXPECT_EQ(translation.text, text);
  }
}

TEST(Luau, StopsAtItsLimits) {
  const std::string deep(250, '(');
  EXPECT_THAT(run("x += 1 y = " + deep), HasSubstr("too many nested"));
  EXPECT_THAT(run("x += 1 local y: " + std::string(250, '{')), HasSubstr("too many nested"));
  EXPECT_TRUE(translate_luau(std::string(262'145, ' ')).problem.has_value());
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "t.a.b += 1\n";
  EXPECT_TRUE(LuauTestState().is_lua(translate_luau(many).text));
}

TEST(Luau, IsTranslatedOnlyWhereLuaRefusesTheText) {
  // Luau has no goto, and takes it as a name; this is Lua.
  EXPECT_EQ(run("local a = 1 goto done ::done:: say(a)"), "1 1");
  EXPECT_THAT(run("x = 1 x += 1 local goto = 1"),
              StartsWith("test.lua:1: <name> expected near 'goto'"));
}

}  // namespace
}  // namespace heddle::script
