// Tests calls: results, errors, wants, slices, budgets.
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

FetchRequest shop_request() {
  FetchRequest request;
  request.url = "https://shop.example/";
  request.headers = {{"Accept", "text/html"}};
  return request;
}

Answer say(const std::string& text) {
  return Values{ScriptValue{text}};
}

// Lets time pass: the tests check whether it is charged.
void wait_until(Deadline time) {
  while (std::chrono::steady_clock::now() < time) {
  }
}

ScriptLimits quick_limits() {
  ScriptLimits limits;
  limits.cpu = 50ms;
  limits.memory = 16'000'000;
  return limits;
}

TEST(ScriptCall, ReturnsTheRequestAsTheHookChangedIt) {
  TestScript test;
  ASSERT_EQ(test.load(R"(
    function before_fetch(request, ctx)
      request.url = request.url .. "?page=" .. ctx.worker_id
      request.headers["X-Test"] = 7
      request.timeout = 1.5
      return request
    end)"),
            "");

  auto result = test.run(test.script->before_fetch(*test.context, shop_request()));

  ASSERT_TRUE(result.value) << test.message_of(result);
  EXPECT_EQ(result.value->url, "https://shop.example/?page=2");
  EXPECT_THAT(result.value->headers,
              ElementsAre(Header{"Accept", "text/html"}, Header{"X-Test", "7"}));
  EXPECT_EQ(result.value->timeout, 1500ms);
}

TEST(ScriptCall, HasNoValueWhenTheHookReturnsNil) {
  TestScript test;
  test.load("function before_fetch() end");

  const auto result = test.run(test.script->before_fetch(*test.context, shop_request()));

  EXPECT_FALSE(result.value);
  EXPECT_FALSE(result.error);
}

TEST(ScriptCall, ReportsTheExpectedReturnType) {
  TestScript test;
  test.load("function before_fetch() return 12 end");

  const auto result = test.run(test.script->before_fetch(*test.context, shop_request()));

  EXPECT_EQ(test.message_of(result), "before_fetch must return a request table (got number)");
  EXPECT_FALSE(result.value);
}

TEST(ScriptCall, ReportsFileLineAndTracebackOfAnError) {
  TestScript test;
  test.load(
      "local function helper(x)\n  return x.missing.name\nend\n"
      "function before_fetch(request)\n  local name = helper(request)\n  return name\nend");

  const auto result = test.run(test.script->before_fetch(*test.context, shop_request()));

  ASSERT_TRUE(result.error);
  EXPECT_THAT(result.error->message,
              StartsWith("hooks.lua:2: attempt to index a nil value (field 'missing')"));
  EXPECT_THAT(result.error->message, HasSubstr("hooks.lua:5: in function"));
  EXPECT_FALSE(result.exceeded_budget);
}

TEST(ScriptCall, FormatsErrorsThatAreNotStrings) {
  TestScript test;
  EXPECT_THAT(test.run_text("error({message = 'out of stock'})"), StartsWith("out of stock"));
  EXPECT_THAT(test.run_text("error()"), StartsWith("(error object is nil)"));
  EXPECT_THAT(test.run_text("error(12)"), StartsWith("12"));
  EXPECT_THAT(test.run_text("error(print)"), StartsWith("(error object is a function)"));
}

TEST(ScriptCall, ReportsFileAndLineOfASyntaxError) {
  TestScript test;
  EXPECT_THAT(test.load("local x = 1\nlocal y = = 2"), StartsWith("hooks.lua:2: "));
}

TEST(ScriptCall, FindsOnlyHooksThatAreFunctions) {
  TestScript test;
  test.load("function before_fetch() end  on_error = 12");

  EXPECT_TRUE(test.script->has(ScriptHook::before_fetch));
  EXPECT_FALSE(test.script->has(ScriptHook::on_error));
  EXPECT_FALSE(test.script->has(ScriptHook::filter_item));
}

TEST(ScriptCall, CallsTheHooksOfTheLastLookup) {
  TestScript test;
  ASSERT_EQ(test.load("function after_extract(items) return {} end "
                      "function filter_item() end"),
            "");
  ASSERT_EQ(test.load("function after_extract(items) items[1].fields.name = 'new' return items end "
                      "filter_item = nil function before_store() end"),
            "");
  EXPECT_FALSE(test.script->has(ScriptHook::filter_item));
  EXPECT_TRUE(test.script->has(ScriptHook::before_store));
  Item item;
  item.fields.emplace_back("name", "old");
  const auto result =
      test.run(test.script->items_hook(ScriptHook::after_extract, *test.context, {item}));
  ASSERT_TRUE(result.value.has_value());
  EXPECT_EQ(*result.value->at(0).find("name"), "new");
}

TEST(ScriptCall, WaitsForTheAnswerToAWant) {
  TestScript test;
  test.answer = [](const Want& want) { return say(std::get<KeyValueWant>(want).key + "!"); };

  EXPECT_EQ(test.run_text("assert(store_get('a') == 'a!')  assert(store_get('b') == 'b!')"), "");
}

TEST(ScriptCall, AllowsCallsToWaitAtTheSameTime) {
  TestScript test;
  test.load(
      "function one() seen = store_get('one') end  function two() seen = store_get('two') end "
      "function check(v) end");
  auto one = test.script->function("one");
  auto two = test.script->function("two");
  ASSERT_EQ(one->resume(), ResumeResult::wants);
  ASSERT_EQ(two->resume(), ResumeResult::wants);

  two->answer(say("2"));
  EXPECT_EQ(two->resume(), ResumeResult::finished);
  EXPECT_EQ(test.run_text("assert(seen == '2')"), "");
  one->answer(say("1"));
  EXPECT_EQ(one->resume(), ResumeResult::finished);
  EXPECT_EQ(test.run_text("assert(seen == '1')"), "");
}

TEST(ScriptCall, WaitsInsideCoroutinesOfTheScript) {
  TestScript test;
  test.answer = [](const Want& want) { return say(std::get<KeyValueWant>(want).key); };

  EXPECT_EQ(test.run_text(R"(
    local seen = {}
    local function worker()
      for i = 1, 3 do
        seen[#seen + 1] = store_get("key" .. i)
        coroutine.yield(i)
      end
      return "done"
    end
    local inner = coroutine.wrap(worker)
    local outer = coroutine.create(function()
      for i = 1, 3 do assert(inner() == i) end
      return inner()
    end)
    local ok, result = coroutine.resume(outer)
    assert(ok and result == "done", result)
    assert(coroutine.status(outer) == "dead")
    assert(table.concat(seen, " ") == "key1 key2 key3"))"),
            "");
}

TEST(ScriptCall, WaitsInsidePcallAndMetamethods) {
  TestScript test;
  test.answer = [](const Want&) { return say("x"); };

  EXPECT_EQ(test.run_text(R"(
    local ok, v = pcall(function() return store_get("a") end)
    assert(ok and v == "x")
    local t = setmetatable({}, {__index = function(_, k) return store_get(k) end})
    assert(t.anything == "x")
    local ok2, message = xpcall(function() store_get("a") error("late") end, function(m) return "H:" .. m end)
    assert(not ok2 and message:find("^H:.*late"), message))"),
            "");
}

TEST(ScriptCall, RaisesARejectedWantInTheScript) {
  TestScript test;
  test.answer = [](const Want&) { return Answer(Raise{"no such table: x"}); };

  EXPECT_THAT(test.run_text("\ndb_query('select * from x')"),
              StartsWith("hooks.lua:2: db_query: no such table: x"));
}

TEST(ScriptCall, FailsToWaitWhereItCannotYield) {
  TestScript test;
  EXPECT_THAT(test.run_text("table.sort({3, 2, 1}, function(a, b) http_get('http://x/') end)"),
              HasSubstr("http_get: async call inside a callback of a C function"));
  EXPECT_THAT(test.run_text("(('x'):gsub('x', function() sleep(1) end))"),
              HasSubstr("hooks.lua:1:"));
  EXPECT_THAT(
      test.run_text("table.sort({2, 1}, function() coroutine.wrap(function() sleep(1) end)() end)"),
      HasSubstr("sleep: async call inside a callback of a C function"));
}

TEST(ScriptCall, YieldsAfterEachSlice) {
  ScriptLimits limits;
  limits.slice = 1ms;
  TestScript test(limits);

  // A slice is CPU time: on a busy machine little of it passes in any span of a clock.
  EXPECT_EQ(test.run_text("for i = 1, 20000000 do end"), "");
  EXPECT_GE(test.slices, 3);

  test.slices = 0;
  EXPECT_EQ(test.run_text(R"(
    local function spin() for i = 1, 20000000 do end return 5 end
    local outer = coroutine.wrap(function() return coroutine.wrap(spin)() end)
    assert(outer() == 5))"),
            "");
  EXPECT_GE(test.slices, 3);
}

TEST(ScriptCall, IsTerminatedWhenItExceedsTheCpuLimit) {
  TestScript test(quick_limits());
  test.load("function before_fetch()\n  while true do end\nend");

  const auto result = test.run(test.script->before_fetch(*test.context, shop_request()));

  EXPECT_TRUE(result.exceeded_budget);
  EXPECT_THAT(
      test.message_of(result),
      StartsWith("hooks.lua:2: the script computed for longer than 50ms (script.cpu_limit)"));
  EXPECT_EQ(test.run_text("local x = 1"), "");
}

TEST(ScriptCall, IsTerminatedAgainOnReusedThreads) {
  TestScript test(quick_limits());
  test.load(
      "function spin() while true do end end "
      "local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = spin}) "
      "while true do end end) "
      "function spin_in_coroutine() coroutine.resume(co) end "
      "function close_coroutine() coroutine.close(co) end");
  EXPECT_THAT(test.call("spin"), HasSubstr("cpu_limit"));
  EXPECT_THAT(test.call("spin"), HasSubstr("cpu_limit"));
  EXPECT_THAT(test.call("spin_in_coroutine"), HasSubstr("cpu_limit"));
  EXPECT_EQ(test.call("close_coroutine"), "");
  EXPECT_THAT(test.call("spin"), HasSubstr("cpu_limit"));
}

TEST(ScriptCall, DoesNotChargeWaiting) {
  TestScript test(quick_limits());
  test.answer = [](const Want&) {
    wait_until(std::chrono::steady_clock::now() + 20ms);
    return Answer(Values{});
  };
  EXPECT_EQ(test.run_text("for i = 1, 6 do sleep(1) end"), "");
}

TEST(ScriptCall, IsTerminatedWhenItWaitsPastTheWallLimit) {
  ScriptLimits limits = quick_limits();
  limits.wall = 10ms;
  TestScript test(limits);
  auto call = test.script->load({"hooks.lua", "while true do pcall(sleep, 1) end"});
  ResumeResult state = call->resume();
  if (state == ResumeResult::wants) {  // on a busy machine the time may already be used up
    wait_until(call->deadline());
    call->answer(Values{});
    state = call->resume();
  }
  EXPECT_EQ(state, ResumeResult::finished);
  const auto result = call->take();
  EXPECT_TRUE(result.exceeded_budget);
  EXPECT_THAT(test.message_of(result), HasSubstr("took longer than 10ms (script.wall_limit)"));
}

TEST(ScriptCall, RunsDefersLastFirstAndContinuesAfterErrors) {
  TestScript test;
  test.load(R"(
    function before_fetch(request)
      defer(function() print("first") end)
      defer(function() error("broken") end)
      defer(function() http_post("http://x/", "") end)
      defer(function() print("last") end)
      print("body")
      error("oops")
    end)");

  const auto result = test.run(test.script->before_fetch(*test.context, shop_request()));

  EXPECT_THAT(test.message_of(result), HasSubstr("oops"));
  EXPECT_THAT(test.host.lines, ElementsAre("body", "last", "first"));
  ASSERT_EQ(test.host.warnings.size(), 2U);
  EXPECT_THAT(test.host.warnings[0], StartsWith("before_fetch: defer: hooks.lua:5: "
                                                "http_post: async call inside defer()"));
  EXPECT_THAT(test.host.warnings[1], StartsWith("before_fetch: defer: hooks.lua:4: broken"));
}

TEST(ScriptCall, RunsDefersAfterATermination) {
  TestScript test(quick_limits());
  EXPECT_THAT(test.run_text("defer(function() print('closed') end) while true do end"),
              HasSubstr("cpu_limit"));
  EXPECT_THAT(test.host.lines, ElementsAre("closed"));
}

TEST(ScriptCall, TerminatesDefersToo) {
  TestScript test(quick_limits());
  EXPECT_EQ(
      test.run_text("defer(function() print('rest') end) defer(function() while true do end end)"),
      "");
  EXPECT_THAT(test.host.lines, ElementsAre("rest"));
  EXPECT_THAT(test.host.warnings, ElementsAre(HasSubstr("cpu_limit")));
}

TEST(ScriptCall, YieldsBetweenItsDefers) {
  TestScript test(quick_limits());
  EXPECT_EQ(test.run_text("for i = 1, 5 do defer(function() while true do end end) end "
                          "defer(function() print('last') end)"),
            "");
  EXPECT_GE(test.slices, 4);
  EXPECT_THAT(test.host.lines, ElementsAre("last"));
  EXPECT_EQ(test.host.warnings.size(), 5u);
}

// As on a busy machine, where a thread waits for its turn.
TEST(ScriptCall, ChargesItsDefersForCpuTimeOnly) {
  TestScript test(quick_limits());
  test.host.before_print = [] { std::this_thread::sleep_for(2 * quick_limits().cpu); };
  EXPECT_EQ(test.run_text("defer(function() print('slow') for i = 1, 10000 do end end)"), "");
  EXPECT_THAT(test.host.lines, ElementsAre("slow"));
  EXPECT_THAT(test.host.warnings, IsEmpty());
}

TEST(ScriptCall, RunsDefersWhenDestroyedUnfinished) {
  TestScript test;
  auto call =
      test.script->load({"hooks.lua",
                         "defer(function() print('closed') end) local x <close> = setmetatable({}, "
                         "{__close = function() print('scope') end}) sleep(1000)"});
  ASSERT_EQ(call->resume(), ResumeResult::wants);
  call.reset();

  EXPECT_THAT(test.host.lines, ElementsAre("scope", "closed"));
}

TEST(ScriptCall, PassesResponsesToTheScript) {
  TestScript test;
  test.answer = [](const Want& want) -> Answer {
    const auto& request = std::get<HttpWant>(want).request;
    if (request.url == "http://down/") {
      FetchError error;
      error.kind = FetchErrorKind::dns;
      error.message = "no such host";
      return FetchAnswer(error);
    }
    FetchResponse response;
    response.status = 200;
    response.url = request.url;
    response.headers = {{"content-type", "text/plain"}, {"x-a", "1"}, {"x-a", "2"}};
    response.body = std::string("a\0b", 3);
    response.time = 1500us;
    return FetchAnswer(response);
  };
  EXPECT_EQ(test.run_text(R"(
    local r = http_get("http://up/", {Accept = "x"})
    assert(r.status == 200 and r.body == "a\0b" and r.size == 3 and r.url == "http://up/")
    assert(r.headers["Content-Type"] == "text/plain" and r.headers["content-type"] == "text/plain")
    assert(r.headers["x-a"] == "1, 2" and r.headers.nothing == nil and r.time_ms == 1)
    local none, err = http_get("http://down/")
    assert(none == nil and err.kind == "dns" and err.error == "no such host"))"),
            "");
}

}  // namespace
}  // namespace heddle::script
