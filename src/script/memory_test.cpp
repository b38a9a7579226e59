// Tests lack of memory at every point: an ordinary error or a VM that reports itself broken, never
// a crash or a leak.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/job_vm.hpp"
#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr const char* kScript = R"(
  local seen = {}
  function before_fetch(request, ctx)
    defer(function() seen.closed = true end)
    request.headers["X-Worker"] = ctx.worker_id
    local co = coroutine.wrap(function() coroutine.yield(store_get("a")) end)
    request.url = request.url .. "?" .. tostring(co())
    ctx.shared.list = {1, 2, 3}
    return request
  end
  function after_extract(items, ctx)
    for _, item in ipairs(items) do item.fields.n = #item.fields.title end
    return items
  end
  function filter_item(item, ctx)
    local ok = pcall(error, {code = 1})
    item.fields.t = item.fields.title:upper():gsub("B", "%0%0")
    return item
  end
  function on_finally(ctx)
    local t = ctx.telemetry
    json_decode(json_encode({stages = #t.stages}))
    log("done", require("m").name)
  end)";

void walk_through_cycle(TestScript& test) {
  FetchRequest request;
  request.url = "http://shop/";
  request.headers = {{"Accept", "text/html"}};
  JobScript::Items items(3);
  for (Item& item : items) item.fields = {{"title", "Blue bike"}, {"price", "12"}};
  FetchResult result;
  result.request = request;
  result.response.emplace().body = std::string(10'000, 'x');

  const auto context = test.script->begin_cycle(TestScript::facts());
  (void)test.run(test.script->before_fetch(*context, request));
  context->set_last_fetch(result);
  context->set_selector_matches(3);
  (void)test.run(test.script->items_hook(ScriptHook::after_extract, *context, items));
  (void)test.run(test.script->filter_items(*context, items));
  (void)test.run(test.script->on_finally(*context));
}

LuaAllocator& allocator_of(TestScript& test) {
  return dynamic_cast<JobVm&>(*test.script).vm().allocator();
}

std::unique_ptr<TestScript> ready_script() {
  auto test = std::make_unique<TestScript>();
  test->host.modules["m"] = "return {name = 'm'}";
  test->answer = [](const Want&) { return Answer(Values{ScriptValue{std::string("answer")}}); };
  test->load(kScript);
  return test;
}

// A cycle whose nth request for memory fails, and `times` - 1 after it. False when it made fewer
// requests.
bool fail_once_in_cycle(std::uint64_t nth, std::uint64_t times) {
  auto test = ready_script();
  LuaAllocator& allocator = allocator_of(*test);
  const std::uint64_t before = allocator.requests();
  allocator.fail_at(nth, times);
  walk_through_cycle(*test);
  const bool was_reached = allocator.requests() - before >= nth;
  allocator.never_fail();
  const bool is_usable =
      test->script->is_broken() || test->run_text("assert(#('x'):rep(10) == 10)").empty();
  EXPECT_TRUE(is_usable) << "after failure " << nth;
  return was_reached;
}

// For every n until a cycle completes without a failure.
void fail_everywhere(std::uint64_t times) {
  std::uint64_t nth = 1;
  while (fail_once_in_cycle(nth, times)) nth += nth < 400 ? 1 : 7;
  EXPECT_GT(nth, 50U);
}

TEST(ScriptMemory, SurvivesTheFailureOfAnyOneRequest) {
  fail_everywhere(1);
}

TEST(ScriptMemory, SurvivesTheFailureOfAnyOneRequestAndOfItsRepetition) {
  fail_everywhere(2);
}

TEST(ScriptMemory, SurvivesTheFailureOfAllRequestsFromAnyOneOn) {
  fail_everywhere(std::numeric_limits<std::uint64_t>::max());
}

TEST(ScriptMemory, FailsToCreateAVmInsteadOfCrashing) {
  RecordingHost host;
  JobScriptSettings settings;
  int failures = 0;
  for (std::size_t memory = 0; memory < 400'000; memory += 1'777) {
    settings.limits.memory = memory;
    auto made = JobScript::make(settings, host);
    if (made) break;
    EXPECT_THAT(made.error().message, HasSubstr("not enough memory"));
    ++failures;
  }
  EXPECT_GT(failures, 5);
}

TEST(ScriptMemory, CanBeFilledRepeatedly) {
  ScriptLimits limits;
  limits.memory = 4'000'000;
  limits.cpu = 20s;
  TestScript test(limits);
  test.load(
      "function fill() local t = {} while true do t[#t + 1] = {#t} end end "
      "function fill_with_text() local s = 'x' while true do s = s .. s end end");
  std::vector<std::string> messages;
  for (int i = 0; i < 20; ++i) {
    messages.push_back(test.call("fill"));
    messages.push_back(test.call("fill_with_text"));
  }
  EXPECT_THAT(messages, testing::Each(HasSubstr("not enough memory")));
  EXPECT_FALSE(test.script->is_broken());
  EXPECT_LE(test.script->memory_bytes(), limits.memory);
}

TEST(ScriptMemory, ReportsAFullVmAsBroken) {
  ScriptLimits limits;
  limits.memory = 4'000'000;
  limits.cpu = 20s;
  TestScript test(limits);
  test.run_text(
      "hoard = {} pcall(function() while true do hoard[#hoard + 1] = {} end end) "
      "pcall(function() while true do hoard = {hoard} end end)");
  JobScript::Items items(1000);
  for (Item& item : items) item.fields = {{"title", std::string(200, 'x')}};
  test.script->find_hooks();

  const auto result =
      test.run(test.script->items_hook(ScriptHook::after_extract, *test.context, items));

  EXPECT_TRUE(result.error);
  EXPECT_TRUE(test.script->is_broken());
}

TEST(ScriptMemory, StaysFlatOverManyCycles) {
  auto test = ready_script();
  for (int i = 0; i < 50; ++i) walk_through_cycle(*test);
  test->run_text("for i = 1, 200 do collectgarbage('step') end");
  const std::size_t before = test->script->memory_bytes();
  for (int i = 0; i < 2000; ++i) walk_through_cycle(*test);
  test->run_text("for i = 1, 200 do collectgarbage('step') end");

  EXPECT_LT(test->script->memory_bytes(), before + 100'000);
}

}  // namespace
}  // namespace heddle::script
