// Tests the libraries base, coroutine, require, engine, bindings and tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/bindings/multipart.hpp"
#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Runs a text in a new VM; returns its error, or "".
std::string run(const std::string& text) {
  TestScript test;
  return test.run_text(text);
}

TEST(BaseLibrary, CatchesErrorsLikeLua) {
  EXPECT_EQ(run(R"(
    local ok, a, b = pcall(function(...) return ... end, 1, 2)
    assert(ok and a == 1 and b == 2)
    local ok, e = pcall(error, {code = 5})
    assert(not ok and e.code == 5)
    assert(select("#", pcall(function() end)) == 1)
    local ok, m = xpcall(function(x) error(x, 0) end, function(m) return m .. "!" end, "oops")
    assert(not ok and m == "oops!")
    assert(select(2, xpcall(function(a, b) return a + b end, print, 2, 3)) == 5)
    assert(not pcall(xpcall)))"),
            "");
}

TEST(BaseLibrary, LoadsTextsAndFunctions) {
  EXPECT_EQ(run(R"(
    assert(load("return 1 + 1")() == 2)
    local parts, i = {"return ", "4", "2"}, 0
    assert(load(function() i = i + 1 return parts[i] end)() == 42)
    local f, m = load("x =", "=chunk")
    assert(f == nil and m:find("^chunk:1:"), m)
    assert(load("return x", "c", "t", {x = 9})() == 9)
    local env = {} load("y = 1", "c", "t", env)() assert(env.y == 1 and y == nil))"),
            "");
}

TEST(BaseLibrary, ConvertsValuesToText) {
  EXPECT_EQ(run(R"(
    local t = {}
    assert(tostring(t) == tostring(t) and tostring(t) ~= tostring({}))
    assert(tostring(t):find("^table: "))
    assert(tostring(1) == "1" and tostring(1.0) == "1" and tostring(nil) == "nil")
    assert(tostring(setmetatable({}, {__tostring = function() return "me" end})) == "me")
    assert(collectgarbage("count") > 10))"),
            "");
}

TEST(CoroutineLibrary, BehavesLikeStockLua) {
  EXPECT_EQ(run(R"(
    local co = coroutine.create(function(a, b)
      assert(a == 1 and b == 2)
      local c = coroutine.yield(a + b)
      assert(coroutine.isyieldable())
      return c * 2
    end)
    assert(coroutine.status(co) == "suspended")
    assert(select(2, coroutine.resume(co, 1, 2)) == 3)
    assert(select(2, coroutine.resume(co, 5)) == 10)
    assert(coroutine.status(co) == "dead")
    local ok, m = coroutine.resume(co)
    assert(not ok and m == "cannot resume dead coroutine")
    local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
    assert(gen() == 1 and gen() == 2 and gen() == 3 and gen() == nil)
    assert(not pcall(gen))
    local ok, m = pcall(coroutine.wrap(function() error("inner") end))
    assert(not ok and m:find("inner"), m)
    local ok, m = coroutine.resume(coroutine.create(function() error({code = 3}) end))
    assert(not ok and m.code == 3)
    local self
    self = coroutine.wrap(function() return pcall(self) end)
    local ok, m = self()
    assert(not ok and m:find("non%-suspended"), m))"),
            "");
}

TEST(CoroutineLibrary, ClosesPendingVariables) {
  EXPECT_EQ(run(R"(
    local closed = 0
    local mt = {__close = function() closed = closed + 1 end}
    local function body() local x <close> = setmetatable({}, mt) coroutine.yield() end
    local co = coroutine.create(body)
    coroutine.resume(co)
    assert(coroutine.close(co) == true and closed == 1 and coroutine.status(co) == "dead")
    local co = coroutine.create(function() local x <close> = setmetatable({}, mt) error("x") end)
    local ok, m = coroutine.resume(co)
    assert(not ok and closed == 2, m)
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, {__close = function() error("closing", 0) end})
      coroutine.yield()
    end)
    coroutine.resume(co)
    local ok, m = coroutine.close(co)
    assert(not ok and m == "closing", m))"),
            "");
}

// Lua does not limit the depth of nested closes, which would overflow the C stack.
TEST(CoroutineLibrary, LimitsTheDepthOfNestedCloses) {
  EXPECT_EQ(run(R"(
    local deepest = 0
    local function close_at(depth)
      local co = coroutine.create(function()
        local guard <close> = setmetatable({}, {__close = function()
          deepest = depth
          close_at(depth + 1)
        end})
        coroutine.yield()
      end)
      coroutine.resume(co)
      local ok, message = coroutine.close(co)
      if not ok then error(message, 0) end
    end
    local ok, message = pcall(close_at, 1)
    assert(not ok and message:find("8 levels deep"), message)
    assert(deepest == 8, deepest))"),
            "");
}

TEST(CoroutineLibrary, DoesNotLetOtherCallsResumeWaitingCoroutines) {
  TestScript test;
  test.load(
      "function first() shared = coroutine.create(function() sleep(1) return 7 end) "
      "local ok, v = coroutine.resume(shared) result = v end "
      "function second() status = coroutine.status(shared) ok, message = "
      "coroutine.resume(shared) closed = pcall(coroutine.close, shared) end");
  auto first = test.script->function("first");
  ASSERT_EQ(first->resume(), ResumeResult::wants);

  EXPECT_EQ(test.call("second"), "");
  first->answer(Values{});
  ASSERT_EQ(first->resume(), ResumeResult::finished);

  EXPECT_EQ(test.run_text(
                "assert(status == 'normal' and not ok and closed == false) assert(result == 7)"),
            "");
}

TEST(RequireLibrary, RunsAModuleOnce) {
  TestScript test;
  test.host.modules["lib.shop"] = "count = (count or 0) + 1 return {name = ..., n = count}";
  test.host.modules["nothing"] = "x = 1";
  EXPECT_EQ(test.run_text("local a, b = require('lib.shop'), require('lib.shop') "
                          "assert(a == b and a.n == 1 and a.name == 'lib.shop') "
                          "assert(require('nothing') == true)"),
            "");
}

TEST(RequireLibrary, AllowsModulesToWait) {
  TestScript test;
  test.host.modules["slow"] = "local v = store_get('x') return {v = v}";
  test.load("function use() local m = require('slow') print(m.v) end");
  auto one = test.script->function("use");
  auto two = test.script->function("use");
  ASSERT_EQ(one->resume(), ResumeResult::wants);
  ASSERT_EQ(two->resume(), ResumeResult::wants);
  EXPECT_TRUE(std::holds_alternative<SleepWant>(two->take_want()));
  one->answer(Values{ScriptValue{std::string("a")}});
  ASSERT_EQ(one->resume(), ResumeResult::finished);
  two->answer(Values{});
  ASSERT_EQ(two->resume(), ResumeResult::finished);

  EXPECT_THAT(test.host.lines, ElementsAre("a", "a"));
}

TEST(RequireLibrary, ReloadsAModuleAfterItsLoaderWasDropped) {
  TestScript test;
  test.host.modules["slow"] = "if not ready then sleep(1) end return 5";
  auto call = test.script->load({"a.lua", "require('slow')"});
  ASSERT_EQ(call->resume(), ResumeResult::wants);
  call.reset();

  EXPECT_EQ(test.run_text("ready = true assert(require('slow') == 5)"), "");
}

TEST(RequireLibrary, ReportsErrors) {
  TestScript test;
  test.host.modules["broken"] = "\nlocal x = = 1";
  test.host.modules["failing"] = "error('not today')";
  test.host.modules["a"] = "require('b')";
  test.host.modules["b"] = "require('a')";
  EXPECT_THAT(test.run_text("require('absent')"),
              HasSubstr("require: module \"absent\" was not found"));
  EXPECT_THAT(test.run_text("require('broken')"), StartsWith("jobs/shop/broken.lua:2:"));
  EXPECT_THAT(test.run_text("require('failing')"),
              StartsWith("jobs/shop/failing.lua:1: not today"));
  EXPECT_THAT(test.run_text("require('failing')"), HasSubstr("not today"));
  EXPECT_THAT(test.run_text("require('a')"), HasSubstr("module 'a' requires itself"));
  EXPECT_THAT(test.run_text("require('../x')"), HasSubstr("is not a module name"));
}

TEST(EngineLibrary, ShowsEngineFacts) {
  TestScript test;
  EXPECT_EQ(test.run_text("assert(engine.os == 'linux' and engine.version == '1.2.3' and "
                          "engine.lua_version == 'Lua 5.4' and engine.storage == 'sqlite' and "
                          "engine.headless == true and #engine.arch > 0) "
                          "local n = 0 for k in pairs(engine) do n = n + 1 end assert(n == 6) "
                          "log('a', 1, nil, true) print('b', 2.5)"),
            "");
  EXPECT_THAT(test.host.lines, ElementsAre("a 1 nil true", "b\t2.5"));
}

TEST(Bindings, ReportInvalidArguments) {
  EXPECT_THAT(run("http_get()"), HasSubstr("http_get: url must be a string (got nothing)"));
  EXPECT_THAT(run("http_get('')"), HasSubstr("http_get: url is empty"));
  EXPECT_THAT(run("http_get('u', 5)"), HasSubstr("http_get: headers must be a table (got number)"));
  EXPECT_THAT(run("http_post('u', {})"),
              HasSubstr("http_post: body must be a string (json_encode makes one) (got table)"));
  EXPECT_THAT(run("http_request{method = 'PUT'}"),
              HasSubstr("http_request: options.url is missing"));
  EXPECT_THAT(run("http_request{url = 'u', timeout = 0}"), HasSubstr("timeout must be seconds"));
  EXPECT_THAT(run("http_multipart('u', {a = print})"),
              HasSubstr("http_multipart: fields.a must be a string or a table with content"));
  EXPECT_THAT(run("tls_probe('h', 70000)"), HasSubstr("tls_probe: port must be from 1 to 65535"));
  EXPECT_THAT(run("store_set('k')"), HasSubstr("store_set: value must be a string (got nothing)"));
  EXPECT_THAT(run("store_get(5)"), HasSubstr("store_get: key must be a string (got number)"));
  EXPECT_THAT(run("global_store_incr('k', 'x')"), HasSubstr("default must be a number"));
  EXPECT_THAT(run("db_query('q', {{}})"), HasSubstr("db_query: params.1 must be nil, a boolean"));
  EXPECT_THAT(run("sleep(-1)"), HasSubstr("sleep: ms must be from 0"));
  EXPECT_THAT(run("fs_append('a.txt')"), HasSubstr("fs_append: content must be a string"));
  EXPECT_THAT(run("defer(5)"), HasSubstr("defer: callback must be a function (got number)"));
  EXPECT_THAT(run("env_get()"), HasSubstr("env_get: key must be a string"));
}

// The first want of a script.
template <class T>
T want_of(const std::string& text) {
  TestScript test;
  auto call = test.script->load({"hooks.lua", text});
  EXPECT_EQ(call->resume(), ResumeResult::wants);
  return std::get<T>(call->take_want());
}

TEST(Bindings, RequestWhatTheScriptSpecified) {
  const auto post = want_of<HttpWant>("http_post('http://x/', 'a\\0b', {A = 'b'})").request;
  EXPECT_EQ(post.method, "POST");
  EXPECT_EQ(post.body, std::string("a\0b", 3));
  EXPECT_THAT(post.headers, ElementsAre(Header{"A", "b"}));

  const auto own = want_of<HttpWant>(
      "http_request{method = 'PUT', url = 'u', proxy = 'http://p', "
      "timeout = 2, max_body_size = 1, body = 5}");
  EXPECT_TRUE(own.has_own_proxy);
  EXPECT_EQ(own.request.timeout, 2s);
  EXPECT_EQ(own.request.max_body_bytes, 1'048'576U);
  EXPECT_EQ(own.request.body, "5");
  EXPECT_EQ(want_of<HttpWant>("http_request{method = 'put', url = 'u'}").request.method, "PUT");
  EXPECT_EQ(want_of<HttpWant>("http_request{method = 'purge', url = 'u'}").request.method, "purge");

  const auto incr = want_of<KeyValueWant>("global_store_incr('k', 10, 2.5)");
  EXPECT_TRUE(incr.is_global);
  EXPECT_EQ(incr.action, KeyValueWant::Action::increment);
  EXPECT_EQ(incr.initial, ScriptValue{std::int64_t{10}});
  EXPECT_EQ(incr.delta, ScriptValue{2.5});

  const auto sql = want_of<SqlWant>("db_exec('q', {1, nil, 'x'})");
  EXPECT_FALSE(sql.is_query);
  ASSERT_EQ(sql.params.size(), 3U);
  EXPECT_EQ(sql.params[1], ScriptValue{});
  EXPECT_EQ(want_of<SqlWant>("db_query('q', {name = 'x'})").named_params.front().first, "name");

  EXPECT_EQ(want_of<SleepWant>("sleep(1.2)").duration, 2ms);
  EXPECT_EQ(want_of<FileWant>("fs_overwrite('a.json', 12)").content, "12");
  EXPECT_EQ(want_of<NotifyWant>("notify('t', 'b', 100)").timeout, 100ms);
  EXPECT_EQ(want_of<TlsWant>("tls_probe('h')").port, 443);
}

TEST(Bindings, BuildMultipartBodies) {
  const auto request =
      want_of<HttpWant>(
          "http_multipart('u', {b = {filename = 'x\".txt', content = 'data', "
          "content_type = 'text/plain'}, a = 1}, {['content-type'] = 'x', Z = 'z'})")
          .request;
  ASSERT_EQ(request.headers.size(), 2U);
  const std::string boundary =
      request.headers[1].second.substr(std::string("multipart/form-data; boundary=").size());
  EXPECT_EQ(request.body,
            "--" + boundary + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--" +
                boundary +
                "\r\nContent-Disposition: form-data; name=\"b\"; "
                "filename=\"x%22.txt\"\r\nContent-Type: text/plain\r\n\r\ndata\r\n--" +
                boundary + "--\r\n");
}

TEST(MultipartBody, ChoosesABoundaryThatOccursInNoPart) {
  const MultipartBody first = make_multipart({{"a", "x"}});
  const std::string boundary = first.content_type.substr(first.content_type.find("heddle-"));
  const MultipartBody second = make_multipart({{"a", "x"}, {"b", boundary}});
  EXPECT_EQ(second.content_type.find(boundary), std::string::npos);
}

class TestLibrary : public testing::Test {
 protected:
  std::string run(const std::string& text) { return test.run_text(text); }
  TestScript test{{}, true};
};

TEST_F(TestLibrary, ComparesDeeplyAndShowsTheDifference) {
  EXPECT_EQ(run("heddle.assert_eq({a = {1, 2, {b = 'x'}}}, {a = {1, 2, {b = 'x'}}}) "
                "local t = {} t.t = t local u = {} u.t = u heddle.assert_eq(t, u) "
                "spyweb.assert_eq(1, 1.0) heddle.assert_ne({1}, {2})"),
            "");
  EXPECT_THAT(run("\nheddle.assert_eq({a = {1, '2'}}, {a = {1, 2}})"),
              StartsWith("hooks.lua:2: assert_eq: a[2]: \"2\" (string) is not 2 (number)"));
  EXPECT_THAT(run("heddle.assert_eq({}, {x = 1}, 'items')"),
              HasSubstr("assert_eq: items: x: nil (nil) is not 1 (number)"));
  EXPECT_THAT(run("heddle.assert_eq('a', 'b')"), HasSubstr("\"a\" is not \"b\""));
  EXPECT_THAT(run("heddle.assert_ne({1}, {1})"), HasSubstr("assert_ne: both are table"));
}

TEST_F(TestLibrary, MatchesTextsAndErrors) {
  EXPECT_EQ(run("heddle.assert_match('price 12', '%d+') "
                "local e = heddle.assert_error(function() error('bad thing', 0) end, 'bad') "
                "heddle.assert_eq(e, 'bad thing')"),
            "");
  EXPECT_THAT(run("heddle.assert_match('abc', '%d')"),
              HasSubstr("assert_match: \"abc\" does not match \"%d\""));
  EXPECT_THAT(run("heddle.assert_error(function() end)"), HasSubstr("raised no error"));
  EXPECT_THAT(run("heddle.assert_error(function() error('x') end, 'y')"),
              HasSubstr("does not match \"y\""));
}

TEST_F(TestLibrary, ReportsThePositionOfEveryFailure) {
  for (const char* code : {"heddle.assert_match('abc', '[')", "error()", "error({code = 5})",
                           "error('x', 0)", "error(7)", "local x = nil + 1"})
    EXPECT_THAT(run(std::string("\n") + code), StartsWith("hooks.lua:2: ")) << code;
  EXPECT_THAT(run("\nerror('x')"), StartsWith("hooks.lua:2: x"));
}

TEST_F(TestLibrary, RejectsACycleWithoutOptions) {
  for (const char* call : {"heddle.run_cycle()", "heddle.run_cycle('x')", "heddle.run_cycle(nil)"})
    EXPECT_THAT(run(call), HasSubstr("heddle.run_cycle: options must be a table")) << call;
}

TEST_F(TestLibrary, RunsCyclesThroughTheEngine) {
  test.answer = [](const Want& want) {
    const auto& options = std::get<Map>(std::get<CycleWant>(want).options.data);
    return Answer(Values{ScriptValue{Map{{"asked", options.front().second}}}});
  };
  EXPECT_EQ(run("local r = heddle.run_cycle{body = '<p>'} assert(r.asked == '<p>')"), "");
}

TEST(TestLibraryGlobal, IsAbsentOutsideOfTests) {
  EXPECT_EQ(run("assert(heddle == nil and spyweb == nil)"), "");
}

TEST(LuauSyntax, WorksInFilesAndInLoad) {
  EXPECT_EQ(run("local x: number = 1\nx += 1\nassert(x == 2)"), "");
  EXPECT_EQ(run("local f = assert(load('local x = ... x -= 1 return x')) assert(f(3) == 2)"), "");
  EXPECT_THAT(run("local x = 1\nx += 1\nerror('here')"), HasSubstr("hooks.lua:3: here"));
  EXPECT_EQ(run("local f, m = load('x += 1 continue') assert(m:find('not inside a loop'), m)"), "");
}

TEST(LuauSyntax, DoesNotMakeTablesIterators) {
  EXPECT_THAT(run("\nfor k, v in {1} do end"),
              HasSubstr("hooks.lua:2: attempt to call a table value (for iterator 'for iterator'): "
                        "write pairs(…) or ipairs(…) around it"));
}

}  // namespace
}  // namespace heddle::script
