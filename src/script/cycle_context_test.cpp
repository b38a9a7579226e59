// Tests ctx and the globals that mirror it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

FetchResult fetched(const std::string& body) {
  FetchResult result;
  FetchResponse response;
  response.status = 200;
  response.body = body;
  result.response = response;
  return result;
}

class CycleContextTest : public testing::Test {
 protected:
  // Runs on_success(ctx) with this body.
  std::string with_context(ScriptContext& context, const std::string& body) {
    EXPECT_EQ(test.load("function on_success(ctx) " + body + " end"), "");
    return test.message_of(test.run(test.script->on_success(context)));
  }
  std::string with_context(const std::string& body) { return with_context(*test.context, body); }

  TestScript test;
};

TEST_F(CycleContextTest, ShowsTheFactsOfTheCycle) {
  EXPECT_EQ(with_context(R"(
    assert(ctx.worker_id == 2 and math.type(ctx.worker_id) == "integer")
    assert(ctx.job.id == "shop" and ctx.job.name == "Shop" and ctx.job.vars.city == "Bern")
    assert(ctx.run_id == "run-1" and ctx.attempt == 3 and ctx.not_modified == false)
    assert(type(ctx.shared) == "table" and ctx.last_fetch == nil and ctx.nonsense == nil)
  )"),
            "");
}

TEST_F(CycleContextTest, GuardsComputedFields) {
  EXPECT_THAT(with_context("ctx.worker_id = 5"), HasSubstr("ctx.worker_id is read-only"));
  EXPECT_THAT(with_context("ctx.telemetry = {}"), HasSubstr("ctx.telemetry is read-only"));
  EXPECT_EQ(with_context("assert(getmetatable(ctx) == false)"), "");
  EXPECT_EQ(with_context(R"(
    local ok, message = pcall(rawset, ctx, "worker_id", 99)
    assert(not ok and message:find("ctx takes plain assignments only"), message)
    assert(ctx.worker_id == 2))"),
            "");
}

TEST_F(CycleContextTest, KeepsFieldsOfScriptsUntilTheCycleEnds) {
  EXPECT_EQ(with_context("ctx.mine = 7 ctx.shared.count = 8"), "");
  EXPECT_EQ(with_context("assert(ctx.mine == 7 and ctx.shared.count == 8)"), "");
}

TEST_F(CycleContextTest, ListsAllItsFields) {
  test.context->set_selector_matches(4);
  EXPECT_EQ(with_context(R"(
    ctx.mine = 1
    local seen = {}
    for k, v in pairs(ctx) do seen[k] = v end
    for _, name in ipairs{"worker_id", "telemetry", "job", "run_id", "attempt", "shared", "mine",
                          "selector_matches", "not_modified"} do
      assert(seen[name] ~= nil, name)
    end)"),
            "");
}

TEST_F(CycleContextTest, ShowsTheLastFetchInCtxAndGlobals) {
  test.context->set_last_fetch(fetched("page"));
  test.context->set_selector_matches(12);
  test.context->set_not_modified(true);

  EXPECT_EQ(with_context(R"(
    assert(ctx.last_fetch.ok and ctx.last_fetch.response.body == "page")
    assert(last_fetch == ctx.last_fetch and selector_matches == 12 and ctx.selector_matches == 12)
    assert(ctx.not_modified == true))"),
            "");
}

TEST_F(CycleContextTest, ShowsTheTrace) {
  CycleTrace trace;
  trace[Stage::fetch].status = StageStatus::error;
  trace[Stage::fetch].duration = std::chrono::microseconds(1500);
  trace[Stage::fetch].note = "timeout";
  trace[Stage::fetch].offset = std::chrono::microseconds(250);
  trace[Stage::before_fetch].status = StageStatus::success;
  trace[Stage::before_fetch].lua_mem_bytes = 5000;
  test.context->set_trace(trace);

  EXPECT_EQ(with_context(R"(
    local t = ctx.telemetry
    assert(t.job_name == "Shop" and t.start_time == 1700000000 and t.total_duration_ms >= 0)
    assert(#t.stages == 19 and t.stages[1].name == "before_fetch" and t.stages[3] == t.map.fetch)
    local fetch = t.map.fetch
    assert(fetch.status == "error" and fetch.type == "internal" and fetch.duration_ms == 1.5)
    assert(fetch.error == "timeout" and t.map.before_fetch.lua_mem_bytes == 5000)
    assert(t.map.before_fetch.type == "hook" and t.map.store.status == "inactive")
    assert(fetch.offset_ms == 0.25 and t.map.store.offset_ms == nil)
    assert(t.map.fetch.browsers == 0 and t.map.before_fetch.error == nil)
    assert(string.format("%d", fetch.duration_ms) == "1")
    assert(string.format("%d", t.total_duration_ms):find("^%d+$")))"),
            "");
}

TEST_F(CycleContextTest, ListsTheNamesOfSpyWebsStagesInTheirOrder) {
  CycleTrace trace;
  trace[EngineStage::filter].status = StageStatus::success;
  trace[EngineStage::notify].status = StageStatus::skipped;
  trace[EngineStage::webhook].status = StageStatus::error;
  trace[EngineStage::webhook].note = "why";
  test.context->set_trace(trace);

  EXPECT_EQ(with_context(R"(
    local names = {before_fetch = 1, override_fetch = 1, fetch = 1, after_fetch = 1,
                   override_extract = 1, extract = 1, after_extract = 1, filter = 1,
                   before_store = 1, before_notify = 1, notify = 1, before_webhook = 1, webhook = 1}
    local found = {}
    for _, stage in ipairs(ctx.telemetry.stages) do
      if names[stage.name] then found[#found + 1] = stage.name end
    end
    assert(table.concat(found, " ") == "before_fetch override_fetch fetch after_fetch " ..
           "override_extract extract after_extract filter before_store before_notify notify " ..
           "before_webhook webhook", table.concat(found, " "))
    local map = ctx.telemetry.map
    assert(map.filter.status == "success" and map.filter.type == "internal")
    assert(map.notify.status == "skipped" and map.notify.type == "internal")
    assert(map.webhook.error == "why" and map.store.type == "internal"))"),
            "");
}

// One telemetry table per cycle in the global of SpyWeb 1.3.
class TelemetryGlobal : public testing::Test {
 protected:
  void begin(const std::string& script) {
    ASSERT_EQ(test.load(script), "");
    context = test.script->begin_cycle(TestScript::facts());
    context->set_trace(trace);
  }
  std::string on_success() { return test.message_of(test.run(test.script->on_success(*context))); }

  TestScript test;
  CycleTrace trace;
  std::unique_ptr<ScriptContext> context;
};

TEST_F(TelemetryGlobal, ShowsTheTraceAsItIsWhenAHookBegins) {
  begin(R"(
    assert(spyweb_telemetry == nil)
    function on_success()
      calls = (calls or 0) + 1
      assert(spyweb_telemetry.job_name == "Shop" and spyweb_telemetry.total_duration_ms >= 0)
      assert(spyweb_telemetry.map.fetch.status == (calls == 1 and "inactive" or "success"))
      assert(kept == nil or kept == spyweb_telemetry and kept.mine == 1)
      kept = spyweb_telemetry
      kept.mine = 1
    end)");
  EXPECT_EQ(on_success(), "");
  trace[Stage::fetch].status = StageStatus::success;
  EXPECT_EQ(on_success(), "");
}

TEST_F(TelemetryGlobal, OutlivesTheCycleUntilTheNextOne) {
  begin("function on_success() kept = spyweb_telemetry end");
  EXPECT_EQ(on_success(), "");
  context.reset();
  EXPECT_EQ(test.run_text("assert(kept ~= nil and spyweb_telemetry == kept and "
                          "kept.map.fetch.status == 'inactive')"),
            "");

  context = test.script->begin_cycle(TestScript::facts());
  EXPECT_EQ(test.load("function on_success() assert(spyweb_telemetry ~= kept) end"), "");
  EXPECT_EQ(on_success(), "");
}

TEST_F(TelemetryGlobal, BelongsToTheRunningCycle) {
  begin(
      "function on_success() local before = spyweb_telemetry sleep(1) "
      "print(before == spyweb_telemetry, before ~= last) last = before end");
  auto other = test.script->begin_cycle(TestScript::facts());
  auto one = test.script->on_success(*context);
  auto two = test.script->on_success(*other);
  ASSERT_EQ(one->resume(), ResumeResult::wants);
  ASSERT_EQ(two->resume(), ResumeResult::wants);
  for (auto* call : {one.get(), two.get()}) {
    call->answer(Values{});
    ASSERT_EQ(call->resume(), ResumeResult::finished);
  }
  EXPECT_THAT(test.host.lines, testing::ElementsAre("true\ttrue", "true\ttrue"));
}

TEST_F(TelemetryGlobal, RunsNoCodeOfTheScriptWhenItIsUpdated) {
  begin(
      "function on_success() assert(next(spyweb_telemetry) ~= nil) "
      "for k in pairs(spyweb_telemetry) do spyweb_telemetry[k] = nil end "
      "setmetatable(spyweb_telemetry, {__newindex = function() while true do end end}) end");
  EXPECT_EQ(on_success(), "");
  EXPECT_EQ(on_success(), "");
}

TEST_F(TelemetryGlobal, IsAbsentForScriptsThatDoNotMentionIt) {
  begin("function on_success() assert(_G['spyweb_' .. 'telemetry'] == nil) end");
  EXPECT_EQ(on_success(), "");
}

TEST_F(CycleContextTest, SwitchesTheGlobalsWithTheRunningCycle) {
  auto other = test.script->begin_cycle(TestScript::facts());
  test.context->set_last_fetch(fetched("one"));
  other->set_last_fetch(fetched("two"));
  test.load(
      "function on_success(ctx) local before = last_fetch.response.body sleep(1) "
      "print(before, last_fetch.response.body) end");
  auto one = test.script->on_success(*test.context);
  auto two = test.script->on_success(*other);

  ASSERT_EQ(one->resume(), ResumeResult::wants);
  ASSERT_EQ(two->resume(), ResumeResult::wants);
  one->answer(Values{});
  two->answer(Values{});
  ASSERT_EQ(one->resume(), ResumeResult::finished);
  ASSERT_EQ(two->resume(), ResumeResult::finished);

  EXPECT_THAT(test.host.lines, testing::ElementsAre("one\tone", "two\ttwo"));
}

TEST_F(CycleContextTest, ClearsEverythingWhenTheCycleEnds) {
  test.context->set_last_fetch(fetched("page"));
  EXPECT_EQ(with_context("kept = ctx kept_shared = ctx.shared ctx.mine = {} "
                         "assert(last_fetch ~= nil)"),
            "");
  test.context.reset();

  EXPECT_EQ(test.run_text("assert(last_fetch == nil and selector_matches == nil) "
                          "assert(kept.last_fetch == nil and kept.mine == nil and kept.job == nil) "
                          "assert(kept.worker_id == nil and kept.telemetry == nil) "
                          "for k in pairs(kept) do error(k) end"),
            "");
}

TEST_F(CycleContextTest, DoesNotAffectCallsThatOutliveIt) {
  test.load(
      "function on_success(ctx) defer(function() print('done', ctx.run_id) end) sleep(1) end");
  auto call = test.script->on_success(*test.context);
  ASSERT_EQ(call->resume(), ResumeResult::wants);
  test.context.reset();
  call.reset();

  EXPECT_THAT(test.host.lines, testing::ElementsAre("done\tnil"));
}

TEST_F(CycleContextTest, PassesTheSameLastFetchTableToAfterFetch) {
  test.load(
      "function after_fetch(result, ctx) assert(result == ctx.last_fetch and result == "
      "last_fetch) return result end");
  EXPECT_EQ(test.message_of(test.run(test.script->after_fetch(*test.context, fetched("x")))), "");
}

}  // namespace
}  // namespace heddle::script
