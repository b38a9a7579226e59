// Runs scripts that try to escape, hang or exhaust the sandbox. Each must end within its budget
// with the expected result and leave the VM usable.
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using namespace std::chrono_literals;

enum class ExpectedOutcome {
  passes,                   // completes: its own assertions hold
  fails,                    // an ordinary error
  exceeds_budget,           // CPU
  fails_or_exceeds_budget,  // depends on the speed of the machine
};

struct SandboxCase {
  const char* name;
  ExpectedOutcome expected;
  const char* text;

  friend std::ostream& operator<<(std::ostream& out, const SandboxCase& sandbox_case) {
    return out << sandbox_case.text;
  }
};

// Scripts that end by themselves get enough time for slow machines and sanitizers.
bool ends_by_itself(ExpectedOutcome expected) {
  return expected == ExpectedOutcome::passes || expected == ExpectedOutcome::fails;
}

ScriptLimits limits_for(ExpectedOutcome expected) {
  ScriptLimits limits;
  limits.cpu = ends_by_itself(expected) ? 30s : 60ms;
  limits.wall = ends_by_itself(expected) ? 120s : 10s;
  limits.memory = 24'000'000;
  return limits;
}

bool is_met(ExpectedOutcome expected, const HookResult<Nothing>& result) {
  switch (expected) {
    case ExpectedOutcome::passes:
      return !result.error;
    case ExpectedOutcome::fails:
      return result.error && !result.exceeded_budget;
    case ExpectedOutcome::exceeds_budget:
      return result.exceeded_budget;
    case ExpectedOutcome::fails_or_exceeds_budget:
      return result.error.has_value();
  }
  return false;
}

// A VM whose memory is full may report itself broken instead: it is then replaced.
bool is_usable_or_broken(TestScript& test) {
  const std::string message = test.run_text(
      "hoard = nil collectgarbage('step') local t = {} for i = 1, 1000 do t[i] = {i} end "
      "assert(#t == 1000 and ('x'):rep(3) == 'xxx')");
  return message.empty() || test.script->is_broken();
}

class Sandbox : public testing::TestWithParam<SandboxCase> {};

TEST_P(Sandbox, Contains) {
  const SandboxCase& sandbox_case = GetParam();
  TestScript test(limits_for(sandbox_case.expected));
  test.answer = [](const Want&) { return Answer(Values{ScriptValue{std::string("answer")}}); };
  test.host.modules = {{"endless", "while true do end"},
                       {"bytecode", "\x1bLua"},
                       {"self", "require('self')"},
                       {"ping", "require('pong')"},
                       {"pong", "require('ping')"}};
  const auto start = std::chrono::steady_clock::now();

  const auto result = test.run(test.script->load({"attempt.lua", sandbox_case.text}));

  EXPECT_LT(std::chrono::steady_clock::now() - start, 2 * limits_for(sandbox_case.expected).wall);
  EXPECT_TRUE(is_met(sandbox_case.expected, result)) << test.message_of(result);
  EXPECT_FALSE(test.script->is_broken());
  EXPECT_TRUE(is_usable_or_broken(test));
}

using enum ExpectedOutcome;

// Functions that are absent or reveal nothing.
constexpr SandboxCase kEscapes[] = {
    {"NoIo", passes, "assert(io == nil)"},
    {"NoDebug", passes, "assert(debug == nil)"},
    {"NoPackage", passes, "assert(package == nil)"},
    {"NoDofileNorLoadfile", passes,
     "assert(dofile == nil and loadfile == nil and loadstring == nil)"},
    {"NoStringDump", passes, "assert(string.dump == nil and ('').dump == nil)"},
    {"NoOsCommands", passes,
     "for _, n in ipairs{'execute', 'exit', 'getenv', 'remove', 'rename', 'tmpname', 'setlocale'} "
     "do "
     "assert(os[n] == nil, n) end"},
    {"OnlyKnownGlobals", passes,
     "local known = {} for n in ([[_G _VERSION assert error getmetatable ipairs next pairs "
     "rawequal "
     "rawget rawlen rawset select tonumber type pcall xpcall tostring setmetatable collectgarbage "
     "load "
     "coroutine string table math utf8 os unpack bit bit32 json_encode json_decode json_array "
     "json_null JSON_EMPTY_ARRAY typeof gcinfo "
     "dump copy deep_copy html http_get http_post http_request http_multipart tls_probe store_get "
     "store_set store_delete global_store_get global_store_set global_store_delete "
     "global_store_incr json_path "
     "db_query db_exec fs_read fs_read_binary fs_append fs_overwrite sleep notify defer require "
     "engine "
     "env_get log print]]):gmatch('%S+') do known[n] = true end "
     "for n in pairs(_G) do assert(known[n], 'unknown global ' .. tostring(n)) end"},
    {"NoSetfenvNorGetfenv", passes,
     "assert(setfenv == nil and getfenv == nil and newproxy == nil)"},
    {"BytecodeByString", passes,
     "local f, m = load('\\27Lua\\x54\\0\\x19\\x93\\r\\n\\x1a\\n') assert(f == nil and "
     "m:find('binary'), m)"},
    {"BytecodeByReader", passes,
     "local n = 0 local f = load(function() n = n + 1 if n == 1 then return '\\27Lua' end end) "
     "assert(f == "
     "nil)"},
    {"BytecodeByMode", passes, "assert(load('\\27Lua', 'x', 'b') == nil)"},
    {"BytecodeModeForText", passes, "assert(load('return 1', 'x', 'b') == nil)"},
    {"BytecodeByRequire", fails, "require('bytecode')"},
    {"LoadInAnEmptyEnvironment", passes,
     "local f = load('return _ENV, string, (\\'x\\').rep', 'x', 't', {}) local e, s = f() "
     "assert(next(e) == "
     "nil and s == nil)"},
    {"LoadWithHostEnvironment", passes,
     "local f = load('x = 1 return x', 'c', 't', setmetatable({}, {__index = _G})) assert(f() == 1 "
     "and x "
     "== nil)"},
    {"LoadKeepsNoRealUpvalue", passes, "local f = load('return ...') assert(f(7) == 7)"},
    {"EnvironmentSwap", passes,
     "local _ENV = {assert = assert} assert(string == nil and pcall == nil)"},
    {"StringMetatableIsHidden", passes, "assert(not getmetatable(''))"},
    {"StringMetatableIsLocked", fails, "getmetatable('').__index = function() end"},
    {"StringMetatableCannotBeSet", fails, "setmetatable('', {})"},
    {"ContextMetatableIsHidden", passes, "assert(getmetatable(engine) == false)"},
    {"EngineIsReadOnly", fails, "engine.version = 'x'"},
    {"EngineFactsCannotBeReachedByPairs", passes,
     "local _, t = pairs(engine) t.version = 'x' assert(engine.version == '1.2.3')"},
    {"FinalizersAreRefused", fails, "setmetatable({}, {__gc = function() while true do end end})"},
    {"FinalizersAreRefusedEvenAsFalse", fails, "setmetatable({}, {__gc = false})"},
    {"FinalizersSetLaterNeverRun", passes,
     "ran = false local mt = {} do local t = setmetatable({}, mt) end mt.__gc = function() ran = "
     "true end "
     "for i = 1, 20 do collectgarbage('step') end assert(not ran)"},
    {"FinalizersCannotComeThroughACopy", fails,
     "local mt = {} setmetatable({}, mt) mt.__gc = print setmetatable({}, mt)"},
    {"ProtectedMetatableStays", fails,
     "local t = setmetatable({}, {__metatable = 1}) setmetatable(t, nil)"},
    {"CollectorCannotBeStopped", fails, "collectgarbage('stop')"},
    {"CollectorCannotBeTuned", fails, "collectgarbage('incremental', 1000, 1000)"},
    {"CollectorIsPartOfTheBudget", exceeds_budget,
     "hoard = {} for i = 1, 50000 do hoard[i] = {i} end "
     "while true do collectgarbage('collect') end"},
    {"CollectorOfASmallHeapIsPartOfTheBudget", exceeds_budget,
     "while true do pcall(collectgarbage) end"},
    {"CollectorStepsOfAnySizeArePartOfTheBudget", exceeds_budget,
     "while true do collectgarbage('step', math.maxinteger) end"},
    {"CollectorRunsWhole", passes,
     "local weak = setmetatable({}, {__mode = 'v'}) weak[1] = {} "
     "assert(collectgarbage() == 0 and weak[1] == nil)"},
    {"CollectorRunsWholeInALargeHeap", passes,
     "local hoard = {} for i = 1, 50000 do hoard[i] = {i} end "
     "local weak = setmetatable({}, {__mode = 'v'}) weak[1] = {} "
     "assert(collectgarbage('collect') == 0 and weak[1] == nil and hoard[50000][1] == 50000)"},
    {"FrozenTablesHoldAgainstRawset", fails, "rawset(table.freeze({}), 1, 1)"},
    {"FrozenTablesHoldAgainstMetatables", fails, "setmetatable(table.freeze({}), {})"},
    {"FrozenTablesDoNotShowTheirContents", passes,
     "local t = table.freeze({1, x = {}}) local f, s, k = pairs(t) assert(s == t and f(s) == 1) "
     "assert(getmetatable(t) == nil and not rawequal(t, rawget(t, 'x')))"},
    {"FrozenGlobals", fails, "table.freeze(_G)"},
    {"FrozenEngine", fails, "table.freeze(engine)"},
    {"ClearedEngine", fails, "table.clear(engine)"},
    {"HugeTableCreate", fails, "table.create(1 << 30, 1)"},
    {"NegativeTableCreate", fails, "table.create(-1)"},
    {"HugeSplit", fails, "return ('x'):rep(5e6):split('')"},
    {"ClonedEngine", fails, "table.clone(engine)"},
    {"NoAddressesInTexts", passes,
     "for _, v in ipairs{{}, print, function() end, coroutine.create(print), io} do local s = "
     "tostring(v) assert(not s:find('0x%x%x%x%x%x%x%x%x%x'), s) end"},
    {"NoAddressesFromFormat", passes,
     "local ok, s = pcall(string.format, '%p', {}) assert(not ok or not "
     "s:find('0x%x%x%x%x%x%x%x%x%x'), "
     "s) s = ('%s'):format(print) assert(not s:find('0x%x%x%x%x%x%x%x%x%x'), s)"},
    {"NoAddressesFromJsonNull", passes, "assert(not tostring(json_null):find('0x'))"},
    {"NoAddressesFromDump", passes, "assert(not dump{print, {}}:find('0x%x%x%x%x%x%x%x%x%x'))"},
    {"LyingToString", fails, "tostring(setmetatable({}, {__tostring = function() return {} end}))"},
    {"LyingName", passes, "tostring(setmetatable({}, {__name = 12}))"},
    {"EnvironmentVariablesAreHidden", passes,
     "assert(env_get('PATH') == nil and env_get('HOME') == nil and env_get('TOKEN') == 'secret')"},
    {"RequireOfAPath", fails, "require('/etc/passwd')"},
    {"RequireOfAParent", fails, "require('..secret')"},
    {"RequireOfASlash", fails, "require('a/../../b')"},
    {"RequireWithZeroByte", fails, "require('a\\0b')"},
    {"RequireOfNothing", fails, "require('')"},
    {"RequireOfALongName", fails, "require(('a'):rep(10000))"},
    {"EngineThreadIsNotResumed", passes,
     "local me, is_main = coroutine.running() assert(is_main) local ok, m = coroutine.resume(me) "
     "assert(not ok and m:find('non%-suspended'), m)"},
    {"EngineThreadIsNotClosed", fails, "coroutine.close((coroutine.running()))"},
    {"EngineThreadIsNotClosedFromACoroutine", fails,
     "local me = coroutine.running() coroutine.wrap(function() coroutine.close(me) end)()"},
    {"EngineThreadDoesNotYield", fails, "coroutine.yield(1)"},
    {"EngineThreadDoesNotYieldInPcall", passes,
     "local ok, m = pcall(coroutine.yield, 1) assert(not ok and m:find('outside a coroutine'), m) "
     "assert(not coroutine.isyieldable())"},
    {"RawsetOnBindingsHurtsOnlyItself", passes,
     "rawset(_G, 'http_get', 1) rawset(string, 'len', nil) assert(('x').len == nil)"},
    {"RebindingGlobalsDoesNotFoolTheEngine", passes,
     "local find = string.find string.find = nil next = nil pairs = nil string.find = find"},
};

// Endless or very long loops.
constexpr SandboxCase kHangs[] = {
    {"Loop", exceeds_budget, "while true do end"},
    {"LoopOfGoto", exceeds_budget, "::a:: goto a"},
    {"LoopOfRepeat", exceeds_budget, "repeat until false"},
    {"LoopOfFor", exceeds_budget, "for i = 1, math.maxinteger do end"},
    {"LoopInPcall", exceeds_budget, "pcall(function() while true do end end) print('survived')"},
    {"LoopAroundPcall", exceeds_budget,
     "while true do pcall(function() while true do end end) end"},
    {"LoopInNestedPcalls", exceeds_budget,
     "local function f(n) if n == 0 then while true do end end pcall(f, n - 1) while true do end "
     "end f(50)"},
    {"LoopInXpcallHandler", exceeds_budget, "xpcall(error, function() while true do end end)"},
    {"LoopInHandlerOfLoop", exceeds_budget,
     "local function spin() while true do end end while true do xpcall(spin, spin) end"},
    {"LoopInHandlerOfHandler", exceeds_budget,
     "local function h() xpcall(error, h) while true do end end xpcall(error, h)"},
    {"LoopInCoroutine", exceeds_budget, "coroutine.wrap(function() while true do end end)()"},
    {"LoopInResumedCoroutine", exceeds_budget,
     "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"},
    {"LoopOfCoroutinesInPcall", exceeds_budget,
     "while true do pcall(coroutine.wrap(function() pcall(coroutine.wrap(function() while true do "
     "end "
     "end)) end)) end"},
    {"LoopOfYields", exceeds_budget,
     "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do "
     "co() end"},
    {"LoopInCoroutineInPcallInCoroutine", exceeds_budget,
     "coroutine.wrap(function() pcall(function() coroutine.wrap(function() pcall(function() while "
     "true do "
     "end end) end)() end) while true do end end)()"},
    {"LoopInCloseHandler", exceeds_budget,
     "do local x <close> = setmetatable({}, {__close = function() while true do end end}) end"},
    {"LoopInCloseHandlerAfterTermination", exceeds_budget,
     "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true "
     "do end"},
    {"LoopInManyCloseHandlersAfterTermination", exceeds_budget,
     "local mt = {__close = function() while true do end end} local function f(n) local x <close> "
     "= "
     "setmetatable({}, mt) if n == 0 then while true do end end f(n - 1) return 1 end f(150)"},
    {"LoopInCloseHandlerOfCoroutine", exceeds_budget,
     "local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = "
     "function() "
     "while true do end end}) coroutine.yield() end) coroutine.resume(co) pcall(coroutine.close, "
     "co)"},
    {"LoopInCloseHandlerOfWrap", exceeds_budget,
     "local f = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() "
     "while "
     "true do end end}) error('x') end) pcall(f)"},
    {"LoopInIndex", exceeds_budget,
     "local t = setmetatable({}, {__index = function() while true do end end}) pcall(function() "
     "return t.x "
     "end)"},
    {"LoopInEquals", exceeds_budget,
     "local mt = {__eq = function() while true do end end} return setmetatable({}, mt) == "
     "setmetatable({}, "
     "mt)"},
    {"LoopInConcat", exceeds_budget,
     "return setmetatable({}, {__concat = function() while true do end end}) .. 'x'"},
    {"LoopInLength", exceeds_budget,
     "return #setmetatable({}, {__len = function() while true do end end})"},
    {"LoopInCall", exceeds_budget,
     "setmetatable({}, {__call = function() while true do end end})()"},
    {"LoopInToString", exceeds_budget,
     "print(setmetatable({}, {__tostring = function() while true do end end}))"},
    {"LoopInPairs", exceeds_budget,
     "for k in pairs(setmetatable({}, {__pairs = function() while true do end end})) do end"},
    {"LoopInIterator", exceeds_budget, "for x in function() return 1 end do end"},
    {"LoopInSort", exceeds_budget, "table.sort({1, 2, 3, 4}, function() while true do end end)"},
    {"LoopInSortOfManyInPcall", exceeds_budget,
     "local t = {} for i = 1, 1e5 do t[i] = i % 7 end while true do pcall(table.sort, t, "
     "function(a, b) "
     "return a < b end) end"},
    {"LoopInGsubCallback", exceeds_budget,
     "string.gsub('x', 'x', function() while true do end end)"},
    {"LoopOfGsubOnLargeText", exceeds_budget,
     "local s = ('x'):rep(1e6) while true do pcall(string.gsub, s, 'x', 'y') end"},
    {"LoopInLoadReader", exceeds_budget, "load(function() while true do end end)"},
    {"LoopInEndlessLoadReader", fails_or_exceeds_budget, "assert(load(function() return ' ' end))"},
    {"LoopOfLoads", exceeds_budget, "while true do load('local x = 1 return x') end"},
    {"LoopOfFailingLoads", exceeds_budget, "local s = ('x '):rep(50000) while true do load(s) end"},
    {"LoopOfCollections", exceeds_budget, "while true do collectgarbage('step') end"},
    {"LoopOfPrints", exceeds_budget, "while true do print('x') end"},
    {"LoopInModule", exceeds_budget, "require('endless')"},
    {"LoopInModuleInPcall", exceeds_budget, "while true do pcall(require, 'endless') end"},
    {"LoopInDefer", passes, "defer(function() while true do end end)"},
    {"LoopOfDefersInDefer", passes, "local function again() defer(again) end defer(again)"},
    {"LoopOfErrorsInHandler", fails,
     "local function h() error('again') end assert(xpcall(error, h))"},
    {"LoopOfFind", exceeds_budget,
     "local t = table.create(1000, 1) while true do pcall(table.find, t, 2) end"},
    {"LoopOfFindWithMetamethod", exceeds_budget,
     "local mt = {__eq = function() while true do end end} "
     "table.find({setmetatable({}, mt)}, setmetatable({}, mt))"},
    {"LoopOfFreezes", exceeds_budget, "while true do pcall(table.freeze, {1, 2, 3}) end"},
    {"LoopOfAsyncCalls", exceeds_budget, "while true do store_get('x') end"},
    {"EmptyRepetition", passes, "assert(string.rep('', 1 << 62) == '')"},
    {"HugeRepetition", fails, "string.rep('x', 1 << 40)"},
    {"HugeRepetitionOfSeparator", fails, "string.rep('', 1 << 40, 'x')"},
    {"OverflowingRepetition", fails, "string.rep('abc', math.maxinteger)"},
    {"EndlessMove", fails_or_exceeds_budget, "table.move({}, 1, 1 << 60, 2)"},
    {"EndlessConcat", fails_or_exceeds_budget, "table.concat({}, '', 1, math.maxinteger)"},
    {"EndlessUnpack", fails, "table.unpack({}, 1, 1e8)"},
    {"EndlessInsertByLength", fails_or_exceeds_budget,
     "table.insert(setmetatable({}, {__len = function() return math.maxinteger - 1 end}), 1, 'x')"},
    {"EndlessRemoveByLength", fails_or_exceeds_budget,
     "table.remove(setmetatable({}, {__len = function() return math.maxinteger - 1 end}), 1)"},
    {"EndlessSortByLength", fails_or_exceeds_budget,
     "table.sort(setmetatable({}, {__len = function() return (1 << 31) - 2 end, __index = "
     "function() "
     "return 1 end}))"},
    {"EndlessUnpackByLength", fails,
     "table.unpack(setmetatable({}, {__len = function() return 1 << 50 end}))"},
    {"HostilePattern", fails_or_exceeds_budget,
     "string.find(('a'):rep(200), ('.-'):rep(20) .. 'b')"},
    {"HostilePatternOfStars", fails_or_exceeds_budget,
     "string.match(('a'):rep(500), ('a*'):rep(20) .. 'b')"},
    {"HostilePatternInPcall", exceeds_budget,
     "while true do pcall(string.find, ('a'):rep(200), ('.-'):rep(20) .. 'b') end"},
    {"HostilePatternInGmatch", fails_or_exceeds_budget,
     "for x in string.gmatch(('a'):rep(200), ('.-'):rep(20) .. 'b') do end"},
    {"HostilePatternInGsub", fails_or_exceeds_budget,
     "string.gsub(('a'):rep(200), ('.-'):rep(20) .. 'b', 'x')"},
    {"DeepPattern", fails, "string.find('x', ('('):rep(1000))"},
    {"NestedBalance", fails_or_exceeds_budget,
     "local s = ('('):rep(2e5) while true do string.find(s, '%b()') end"},
    {"FrontierOnLargeText", fails_or_exceeds_budget,
     "local s = ('a'):rep(1e6) while true do string.find(s, '%f[b]') end"},
    {"SlowComparison", exceeds_budget,
     "local a, b = ('x'):rep(4e6) .. 'a', ('x'):rep(4e6) .. 'b' while true do local c = a < b, a "
     "== b end"},
    {"SlowConcat", exceeds_budget, "local a = ('x'):rep(5e6) while true do local c = a .. 'y' end"},
    {"SlowNext", exceeds_budget,
     "local t = {} for i = 1, 2e5 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end while "
     "true do "
     "next(t) end"},
};

// Recursion and memory.
constexpr SandboxCase kExhaustions[] = {
    {"DeepRecursion", fails, "local function f() return 1 + f() end f()"},
    {"DeepRecursionInPcall", passes, "local function f() return 1 + f() end assert(not pcall(f))"},
    {"EndlessTailCalls", exceeds_budget, "local function f() return f() end f()"},
    {"RecursionThroughPcall", fails_or_exceeds_budget,
     "local function f() return pcall(f) end assert(f() == 'x')"},
    {"RecursionThroughXpcallHandler", fails_or_exceeds_budget,
     "local function h(m) return xpcall(error, h, m) end assert(xpcall(error, h) == 'x')"},
    {"RecursionThroughMetamethods", fails,
     "local t = {} setmetatable(t, {__index = function(s, k) return s[k .. 'x'] end}) return t.a"},
    {"RecursionThroughIndexChain", fails,
     "local t = {} for i = 1, 3000 do t = setmetatable({}, {__index = t}) end return t.x.y"},
    {"RecursionThroughIndexLoop", fails, "local t = {} setmetatable(t, {__index = t}) return t.x"},
    {"RecursionThroughNewindexLoop", fails,
     "local t = {} setmetatable(t, {__newindex = t}) t.x = 1"},
    {"RecursionThroughToString", fails,
     "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) "
     "end "
     "tostring(t)"},
    {"RecursionThroughConcat", fails,
     "local mt = {} mt.__concat = function(a, b) return a .. b end local t = setmetatable({}, mt) "
     "return t "
     ".. t"},
    {"RecursionThroughCall", fails_or_exceeds_budget,
     "local t = setmetatable({}, {}) getmetatable(t).__call = t t()"},
    {"RecursionThroughCoroutines", fails_or_exceeds_budget,
     "local function f() return coroutine.wrap(f)() end f()"},
    {"RecursionThroughResume", fails_or_exceeds_budget,
     "local function f() local ok, m = coroutine.resume(coroutine.create(f)) error(m) end f()"},
    {"RecursionThroughCoroutineInPcall", fails_or_exceeds_budget,
     "local function f() return pcall(coroutine.wrap(function() f() error('x') end)) end f() while "
     "true do "
     "f() end"},
    {"RecursionThroughClose", fails_or_exceeds_budget,
     "local function f() local co = coroutine.create(function() local x <close> = setmetatable({}, "
     "{__close = function() f() end}) coroutine.yield() end) coroutine.resume(co) "
     "coroutine.close(co) end "
     "f() error('end')"},
    {"RecursionThroughCloseOfWrap", fails_or_exceeds_budget,
     "local function f() pcall(coroutine.wrap(function() local x <close> = setmetatable({}, "
     "{__close = "
     "function() f() end}) error('x') end)) end f() error('end')"},
    {"RecursionThroughLongCloseChain", fails_or_exceeds_budget,
     "local co for i = 1, 2000 do local inner = co co = coroutine.create(function() local x "
     "<close> = "
     "setmetatable({}, {__close = function() if inner then coroutine.close(inner) end end}) "
     "coroutine.yield() end) coroutine.resume(co) end assert(coroutine.close(co)) error('end')"},
    {"RecursionThroughSort", fails_or_exceeds_budget,
     "local function f() table.sort({2, 1}, f) return true end f() error('end')"},
    {"RecursionThroughGsub", fails_or_exceeds_budget,
     "local function f() return (('x'):gsub('x', f)) end f() error('end')"},
    {"RecursionThroughLoad", fails_or_exceeds_budget,
     "local s = 'return load(...)(...)' load(s)(s)"},
    {"RecursionThroughLoadReader", passes,
     "local depth = 0 local function f() depth = depth + 1 return load(f) end f() "
     "assert(depth > 10)"},
    {"RecursionThroughRequire", fails, "require('self')"},
    {"RecursionThroughModules", fails, "require('ping')"},
    {"DeepParentheses", fails, "assert(load(('('):rep(5000) .. '1' .. (')'):rep(5000)))"},
    {"DeepTables", fails, "assert(load('return ' .. ('{'):rep(5000) .. ('}'):rep(5000)))"},
    {"DeepFunctions", fails, "assert(load(('function f() '):rep(2000) .. ('end '):rep(2000)))"},
    {"DeepBlocks", fails, "assert(load(('do '):rep(50000) .. ('end '):rep(50000)))"},
    {"DeepConcat", fails, "assert(load('return ' .. ('\\'x\\'..'):rep(20000) .. '\\'x\\''))"},
    {"DeepUnary", fails, "assert(load('return ' .. ('- '):rep(20000) .. '1'))"},
    {"ManyLocals", fails, "assert(load(('local x '):rep(300)))"},
    {"ManyLabels", fails_or_exceeds_budget,
     "local t = {} for i = 1, 15000 do t[i] = 'goto a' .. i .. ' ' end for i = 1, 5000 do t[#t + "
     "1] = "
     "'::b' .. i .. '::' end assert(load(table.concat(t)))"},
    {"LargeChunk", fails, "load((' '):rep(1e6))"},
    {"HugeTable", fails, "local t = {} for i = 1, 1e9 do t[i] = i end"},
    {"HugeTableInPcall", passes,
     "local function fill() local t = {} for i = 1, 1e9 do t[i] = i end end local ok, m = "
     "pcall(fill) assert(not ok and m:find('not enough memory'), m)"},
    {"HugeStringByDoubling", fails, "local s = 'x' while true do s = s .. s end"},
    {"HugeStringByConcat", fails, "local s = ('x'):rep(9e6) return table.concat({s, s, s, s})"},
    {"HugeFormat", fails, "return ('%99999d'):format(1)"},
    {"HugeGsub", fails, "return (('x'):rep(1e6):gsub('x', ('y'):rep(1000)))"},
    {"HugeUpper", fails_or_exceeds_budget,
     "local t = {} local s = ('x'):rep(1e6) while true do t[#t + 1] = s .. #t end"},
    {"HugeJson", fails, "local s = ('\\\"'):rep(9e6) return json_encode({s, s})"},
    {"HugeVarargs", fails,
     "local function f(...) return select('#', ...) end return f(table.unpack({}, 1, 1e6))"},
    {"HugeSelect", passes, "assert(select('#', table.unpack({}, 1, 5000)) == 5000)"},
    {"ManyCoroutines", fails_or_exceeds_budget,
     "hoard = {} while true do local co = coroutine.wrap(function() coroutine.yield() end) co() "
     "hoard[#hoard + 1] = co end"},
    {"ManyClosures", fails_or_exceeds_budget,
     "hoard = {} while true do hoard[#hoard + 1] = function() return hoard end end"},
    {"MemoryErrorsForEver", exceeds_budget,
     "hoard = {} pcall(function() while true do hoard[#hoard + 1] = {} end end) while true do "
     "pcall(string.rep, 'x', 2e7) end"},
    {"MemoryErrorInHandler", fails_or_exceeds_budget,
     "xpcall(function() return ('x'):rep(1e9) end, function() return ('x'):rep(1e9) end) "
     "error('end')"},
    {"MemoryErrorInCloseHandler", fails,
     "local x <close> = setmetatable({}, {__close = function() return ('x'):rep(1e9) end}) "
     "error('x')"},
    {"ManyDefers", fails, "for i = 1, 1e6 do defer(function() end) end"},
    {"DefersThatFillMemory", passes,
     "for i = 1, 5 do defer(function() local t = {} while true do t[#t + 1] = {} end end) end"},
    {"WeakTables", fails_or_exceeds_budget,
     "local t = setmetatable({}, {__mode = 'k'}) for i = 1, 1e9 do t[{}] = i end error('end')"},
    {"LargeErrorObject", fails, "error(('x'):rep(5e6))"},
    {"ErrorObjectWithMetamethods", fails,
     "error(setmetatable({}, {__tostring = function() while true do end end, __index = function() "
     "while "
     "true do end end}))"},
    {"ErrorLevelTooHigh", fails, "error('x', 1 << 40)"},
    {"HugeSleep", fails, "sleep(1e300)"},
    {"SleepOfNaN", fails, "sleep(0/0)"},
    {"HugePort", fails, "tls_probe('x', 1e18)"},
    {"ParametersInACircle", fails, "local t = {} t[1] = t db_query('x', t)"},
    {"HeadersOfFunctions", fails, "http_get('http://x/', {a = print})"},
};

std::string name_of(const testing::TestParamInfo<SandboxCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Escape, Sandbox, testing::ValuesIn(kEscapes), name_of);
INSTANTIATE_TEST_SUITE_P(Hang, Sandbox, testing::ValuesIn(kHangs), name_of);
INSTANTIATE_TEST_SUITE_P(Exhaustion, Sandbox, testing::ValuesIn(kExhaustions), name_of);

}  // namespace

}  // namespace heddle::script
