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
  trace[Stage::before_fetch].status = StageStatus::success;
  trace[Stage::before_fetch].lua_mem_bytes = 5000;
  test.context->set_trace(trace);

  EXPECT_EQ(with_context(R"(
    local t = ctx.telemetry
    assert(t.job_name == "Shop" and t.start_time == 1700000000 and t.total_duration_ms >= 0)
    assert(#t.stages == 16 and t.stages[1].name == "before_fetch" and t.stages[3] == t.map.fetch)
    local fetch = t.map.fetch
    assert(fetch.status == "error" and fetch.type == "internal" and fetch.duration_ms == 1.5)
    assert(fetch.error == "timeout" and t.map.before_fetch.lua_mem_bytes == 5000)
    assert(t.map.before_fetch.type == "hook" and t.map.store.status == "inactive")
    assert(t.map.fetch.browsers == 0 and t.map.before_fetch.error == nil)
    assert(string.format("%d", fetch.duration_ms) == "1")
    assert(string.format("%d", t.total_duration_ms):find("^%d+$")))"),
            "");
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
