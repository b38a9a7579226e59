// Every cell of the stage table: the effect of a hook that returns a value, nil or false, or fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool is_done(const CycleResult& end) {
  return std::holds_alternative<PageDone>(end.outcome);
}
bool is_skipped(const CycleResult& end) {
  return is_done(end) && std::get<PageDone>(end.outcome).is_skipped;
}
class StageTable : public ::testing::Test {
 protected:
  // Loads the script with final hooks that log how the cycle ended, and runs one page.
  CycleResult run(const std::string& hooks) {
    auto loaded = world.load(hooks, R"(
      function on_success(ctx) print("on_success") end
      function on_error(err, ctx) print("on_error " .. err) end
      function on_finally(ctx) print("on_finally") end
    )");
    EXPECT_TRUE(loaded) << loaded.error().message;
    return world.cycle();
  }
  std::string log() const { return world.log.text(); }

  PipelineForTest world;
};

TEST_F(StageTable, BeforeFetchChangesTheRequest) {
  world.site.answer("/other", testing::html("<li><b>Salt</b></li>"));
  const auto end = run(R"(function before_fetch(request, ctx)
    request.url = request.url .. "other"
    request.headers["X-Tea"] = "green"
    return request
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Salt"));
  EXPECT_EQ(world.site.requests("/other").at(0).header("X-Tea"), "green");
  EXPECT_EQ(log(), "on_success\non_finally\n");
}

TEST_F(StageTable, BeforeFetchReturningNilOrFalseSkipsTheCycle) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load("function before_fetch() return " + std::string(nothing) + " end\n" +
                         "function on_success() print('fine') end"));
    const auto end = own.cycle();
    EXPECT_TRUE(is_skipped(end)) << nothing;
    EXPECT_EQ(own.site.count("/"), 0u);
    EXPECT_EQ(own.log.text(), "fine\n");
    EXPECT_EQ(end.trace[Stage::fetch].status, StageStatus::skipped);
  }
}

TEST_F(StageTable, BeforeFetchFailingLeavesTheRequestUnchanged) {
  const auto end = run(R"(function before_fetch(request)
    request.url = "http://127.0.0.1:1/"
    error("no tea")
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  EXPECT_THAT(log(), HasSubstr("warning: before_fetch: jobs/shop/hooks.lua:3: no tea"));
  EXPECT_EQ(end.trace[Stage::before_fetch].status, StageStatus::error);
}

TEST_F(StageTable, BeforeFetchReturningSomethingElseIsAnError) {
  const auto end = run("function before_fetch(request) return 7 end");
  EXPECT_TRUE(is_done(end));
  EXPECT_THAT(log(), HasSubstr("before_fetch must return a request table"));
}

TEST_F(StageTable, OverrideFetchReplacesTheFetch) {
  const auto end = run(R"(function override_fetch(request, ctx)
    return { status = 200, body = "<li><b>Made up</b></li>" }
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_EQ(world.site.count("/"), 0u);
  EXPECT_THAT(world.stored_names(), ElementsAre("Made up"));
  EXPECT_EQ(end.trace[Stage::fetch].status, StageStatus::skipped);
}

TEST_F(StageTable, OverrideFetchReturningNothingIsAFetchFailure) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load("function override_fetch() return " + std::string(nothing) + " end"));
    EXPECT_EQ(failure_text(own.cycle()), "override_fetch must return a response table");
  }
}

TEST_F(StageTable, OverrideFetchFailingIsAFetchFailure) {
  const auto end = run("function override_fetch() error('no browser') end");
  EXPECT_THAT(failure_text(end), HasSubstr("no browser"));
  EXPECT_THAT(log(), HasSubstr("on_error override_fetch: "));
  EXPECT_THAT(log(), HasSubstr("on_finally"));
}

TEST_F(StageTable, OverrideFetchMayReturnAnErrorOfItsOwn) {
  EXPECT_EQ(failure_text(run("function override_fetch() return { error = 'gone fishing' } end")),
            "gone fishing");
}

TEST_F(StageTable, AnErrorStatusFromOverrideFetchFailsLikeOneFromTheServer) {
  const auto end = run("function override_fetch() return { status = 503, body = '' } end");
  const auto& failed = std::get<PageFailure>(end.outcome);
  EXPECT_EQ(failed.error.kind, ErrorKind::http);
  EXPECT_TRUE(failed.transient);
}

TEST_F(StageTable, AfterFetchChangesTheBody) {
  const auto end = run(R"(function after_fetch(result, ctx)
    assert(result.ok and result.response.status == 200)
    assert(result.response.headers["Content-Type"] == result.response.headers["content-type"])
    result.response.body = result.response.body:gsub("Tea", "Coffee")
    return result
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Coffee", "Milk")) << log();
}

TEST_F(StageTable, AfterFetchReturningNothingSkipsTheRest) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load("function after_fetch() return " + std::string(nothing) + " end"));
    const auto end = own.cycle();
    EXPECT_TRUE(is_skipped(end));
    EXPECT_EQ(end.trace[Stage::extract].status, StageStatus::skipped);
    EXPECT_THAT(own.stored_names(), IsEmpty());
  }
}

TEST_F(StageTable, AfterFetchFailingLeavesTheResultUnchanged) {
  const auto end = run("function after_fetch(r) r.response.body = ''; error('x') end");
  EXPECT_TRUE(is_done(end));
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST_F(StageTable, OverrideExtractReplacesExtraction) {
  const auto end = run(R"(function override_extract(response, ctx)
    local items = {}
    for name in response.body:gmatch("<b>(.-)</b>") do
      items[#items + 1] = { fields = { name = name:upper(), price = 3, ok = true } }
    end
    return items
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("MILK", "TEA"));
  EXPECT_EQ(*world.artefacts.items.front().find("price"), "3");
  EXPECT_EQ(*world.artefacts.items.front().find("ok"), "true");
}

TEST_F(StageTable, OverrideExtractReturningNothingMeansNoItems) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load("function override_extract() return " + std::string(nothing) + " end"));
    const auto end = own.cycle();
    EXPECT_TRUE(is_done(end)) << failure_text(end);
    EXPECT_FALSE(is_skipped(end));
    EXPECT_THAT(own.stored_names(), IsEmpty());
  }
}

TEST_F(StageTable, OverrideExtractFailingFailsTheCycle) {
  const auto end = run("function override_extract() error('odd page') end");
  EXPECT_THAT(failure_text(end), HasSubstr("odd page"));
  EXPECT_THAT(log(), HasSubstr("on_error"));
}

TEST_F(StageTable, AfterExtractChangesTheItems) {
  const auto end = run(R"(function after_extract(items, ctx)
    assert(#items == 2 and ctx.selector_matches == 2 and selector_matches == 2)
    items[#items + 1] = { fields = { name = "Jam" } }
    return items
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Jam", "Milk", "Tea")) << log();
}

TEST_F(StageTable, AfterExtractReturningNothingSkipsTheRest) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load("function after_extract() return " + std::string(nothing) +
                         " end\nfunction filter_item(i) print('filtered') return i end"));
    EXPECT_TRUE(is_skipped(own.cycle()));
    EXPECT_EQ(own.log.text(), "");
    EXPECT_THAT(own.artefacts.items, IsEmpty());
  }
}

TEST_F(StageTable, AfterExtractFailingLeavesTheItemsUnchanged) {
  EXPECT_TRUE(is_done(run("function after_extract(items) items[1] = nil; error('x') end")));
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST_F(StageTable, FilterItemKeepsChangesAndDrops) {
  const auto end = run(R"(function filter_item(item, ctx)
    if item.fields.name == "Tea" then return nil end
    item.fields.name = item.fields.name .. "!"
    return item
  end)");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk!"));
}

TEST_F(StageTable, FilterItemReturningFalseDropsAndTrueKeeps) {
  run("function filter_item(item) return item.fields.name == 'Tea' end");
  EXPECT_THAT(world.stored_names(), ElementsAre("Tea"));
}

TEST_F(StageTable, FilterItemFailingHoldsThatItemBackAndFailsThePage) {
  const auto end = run(R"(function filter_item(item)
    if item.fields.name == "Tea" then error("hot") end
    return item
  end)");
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk"));
  EXPECT_THAT(failure_text(end),
              AllOf(HasSubstr("filter_item: failed for 1 of 2 items: jobs/shop/hooks.lua:2: hot"),
                    HasSubstr("the item is not stored until the script is fixed")));
  ASSERT_TRUE(std::get<PageFailure>(end.outcome).stored);
  EXPECT_EQ(std::get<PageFailure>(end.outcome).stored->fresh, 1);
  EXPECT_THAT(
      log(), AllOf(HasSubstr("hot"), HasSubstr("on_error filter_item: "), HasSubstr("on_finally")));
}

TEST_F(StageTable, FilterItemFailingKeepsThatItemWhenTheProjectWantsIt) {
  world.project.script.on_error = FilterErrorPolicy::keep;
  const auto end =
      run("function filter_item(item) if item.fields.name == 'Tea' then error('hot') end end");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Tea"));
  EXPECT_THAT(log(), HasSubstr("hot"));
}

TEST_F(StageTable, FilterItemIsCalledAgainForWhatItHeldBackThoughThePageIsUnchanged) {
  run("function filter_item(item) if item.fields.name == 'Tea' then error('hot') end return item "
      "end");
  ASSERT_THAT(world.stored_names(), ElementsAre("Milk"));
  ASSERT_TRUE(world.change_script("function filter_item(item) return item end"));
  const auto end = world.cycle();
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_EQ(std::get<PageDone>(end.outcome).items.fresh, 1);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST_F(StageTable, FilterItemFailingForAStoredItemLeavesItOnThePage) {
  run("function filter_item(item) return item end");
  ASSERT_TRUE(world.change_script("function filter_item(item) error('hot') end"));
  EXPECT_FALSE(is_done(world.cycle()));
  ASSERT_TRUE(world.change_script("function filter_item(item) return item end"));
  const auto end = world.cycle();
  EXPECT_EQ(std::get<PageDone>(end.outcome).items.fresh, 0);
  for (const Record& record : world.stored_records()) EXPECT_EQ(record.state, "present");
}

TEST_F(StageTable, FilterItemReturningSomethingElseKeepsTheItemWithAWarning) {
  const auto end = run("function filter_item(item) return 1 end");
  EXPECT_TRUE(is_done(end)) << failure_text(end);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  EXPECT_THAT(log(), HasSubstr("must return an item table, true, false or nil (got number)"));
}

TEST_F(StageTable, FilterItemFailingIsAnErrorOfItsStage) {
  const auto end = run("function filter_item(item) error('hot') end");
  EXPECT_EQ(end.trace[Stage::filter_item].status, StageStatus::error);
  EXPECT_THAT(end.trace[Stage::filter_item].note, HasSubstr("failed for 2 of 2 items: "));
  EXPECT_THAT(end.trace[Stage::filter_item].note, HasSubstr("hot"));
}

TEST_F(StageTable, BeforeStoreChangesTheItems) {
  run("function before_store(items) items[1].fields.name = 'Green tea' return items end");
  EXPECT_THAT(world.stored_names(), ElementsAre("Green tea", "Milk"));
}

TEST_F(StageTable, BeforeStoreReturningNothingStoresNothing) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load("function before_store() return " + std::string(nothing) + " end"));
    EXPECT_TRUE(is_skipped(own.cycle()));
    EXPECT_THAT(own.stored_names(), IsEmpty());
    EXPECT_THAT(own.artefacts.items, IsEmpty());
    EXPECT_THAT(own.artefacts.deliveries, IsEmpty());
  }
}

TEST_F(StageTable, BeforeStoreFailingStoresTheItemsUnchanged) {
  run("function before_store(items) items[1].fields.name = 'x'; error('x') end");
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST_F(StageTable, BeforeNotifyChangesTheNewItems) {
  world.job.notification.body = "{name}";
  world.job.webhook.enabled = false;
  run(R"(function before_notify(items, ctx)
    print("new " .. #items)
    items[1].fields.name = "Shout"
    return items
  end)");
  ASSERT_EQ(world.artefacts.deliveries.size(), 1u);
  EXPECT_THAT(world.artefacts.deliveries[0].payload, HasSubstr("Shout"));
  EXPECT_THAT(world.stored_names(),
              ElementsAre("Milk", "Tea"));  // changed in the notification, not in the store
  world.log.lines.clear();
  world.cycle();
  EXPECT_EQ(log(), "on_success\non_finally\n");  // no new items: not called
}

TEST_F(StageTable, BeforeNotifyReturningNothingSendsNone) {
  world.job.webhook.enabled = false;
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    own.job.webhook.enabled = false;
    ASSERT_TRUE(own.load("function before_notify() return " + std::string(nothing) + " end"));
    own.cycle();
    EXPECT_THAT(own.artefacts.deliveries, IsEmpty());
    EXPECT_THAT(own.stored_names(), ElementsAre("Milk", "Tea"));
  }
}

TEST_F(StageTable, BeforeNotifyFailingSendsThemUnchanged) {
  world.job.webhook.enabled = false;
  run("function before_notify() error('x') end");
  EXPECT_EQ(world.artefacts.deliveries.size(), 1u);
}

TEST_F(StageTable, BeforeWebhookChangesThePayload) {
  world.job.notification.enabled = false;
  run(R"(function before_webhook(payload, ctx)
    assert(payload.job_name == "Shop" and payload.item_count == 2)
    assert(payload.items[1].name == "Tea" and #payload.items[1].keywords == 0)
    payload.extra = { n = 1, list = json_array({}) }
    return payload
  end)");
  ASSERT_EQ(world.artefacts.deliveries.size(), 1u) << log();
  const std::string& payload = world.artefacts.deliveries[0].payload;
  EXPECT_THAT(payload, HasSubstr(R"("extra":{"list":[],"n":1})"));
  EXPECT_THAT(payload, HasSubstr(R"("keywords":[])"));
}

TEST_F(StageTable, BeforeWebhookReturningNothingSendsNone) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    own.job.notification.enabled = false;
    ASSERT_TRUE(own.load("function before_webhook() return " + std::string(nothing) + " end"));
    own.cycle();
    EXPECT_THAT(own.artefacts.deliveries, IsEmpty());
  }
}

TEST_F(StageTable, BeforeWebhookFailingSendsItUnchanged) {
  world.job.notification.enabled = false;
  run("function before_webhook(p) p.items = nil; error('x') end");
  ASSERT_EQ(world.artefacts.deliveries.size(), 1u);
  EXPECT_THAT(world.artefacts.deliveries[0].payload, HasSubstr("Tea"));
}

// Items extracted by a script are not those of the page without it.
TEST_F(StageTable, AnUnchangedPageIsReadAgainAfterItsScriptIsRemoved) {
  for (const char* hook :
       {"function filter_item(item) return nil end", "function before_store(items) return {} end",
        "function after_extract(items) return {} end"})
    for (const char* next : {"", "function on_success() end"}) {
      PipelineForTest own;
      own.site.handle("/", [](const testing::SiteRequest& request) {
        if (request.header("If-None-Match") == "\"1\"") return testing::SiteResponse{.status = 304};
        return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
      });
      ASSERT_TRUE(own.load(hook));
      own.cycle();
      EXPECT_THAT(own.stored_names(), IsEmpty());
      ASSERT_TRUE(own.change_script(next));
      own.cycle();
      EXPECT_THAT(own.stored_names(), ElementsAre("Milk", "Tea")) << hook << next;
      EXPECT_TRUE(std::get<PageDone>(own.cycle().outcome).is_unchanged);
    }
}

TEST_F(StageTable, LifecycleHooksThatFailAreOnlyLogged) {
  ASSERT_TRUE(world.load("", R"(
    function on_success(ctx) error("a") end
    function on_finally(ctx) error("b") end
  )"));
  EXPECT_TRUE(is_done(world.cycle()));
  EXPECT_THAT(log(), HasSubstr("on_success: jobs/shop/defer.lua:2: a"));
  EXPECT_THAT(log(), HasSubstr("on_finally: jobs/shop/defer.lua:3: b"));
}

constexpr const char* kAllHooks = R"(
  local function tell(name) print(name) end
  function before_fetch(r, ctx) tell("before_fetch") return r end
  function after_fetch(r, ctx) tell("after_fetch") return r end
  function after_extract(i, ctx) tell("after_extract") return i end
  function filter_item(i, ctx) tell("filter_item") return i end
  function before_store(i, ctx) tell("before_store") return i end
  function before_notify(i, ctx) tell("before_notify") return i end
  function before_webhook(p, ctx) tell("before_webhook") return p end
  function on_success(ctx) tell("on_success") end
  function on_error(err, ctx) tell("on_error") end
  function on_finally(ctx) tell("on_finally") end
  function on_finished() tell("on_finished") end
)";

TEST_F(StageTable, HooksRunInTheirOrderInASuccessfulCycle) {
  ASSERT_TRUE(world.load(kAllHooks));
  EXPECT_TRUE(is_done(world.cycle()));
  world.drive([](LoadedScript& script) -> Async<bool> {
    co_await script.finish_run();
    co_return true;
  }(*world.session->script));
  EXPECT_EQ(log(),
            "before_fetch\nafter_fetch\nafter_extract\nfilter_item\nfilter_item\nbefore_store\n"
            "before_notify\nbefore_webhook\non_success\non_finally\non_finished\n");
}

TEST_F(StageTable, HooksRunInTheirOrderWithBothOverrides) {
  ASSERT_TRUE(world.load(std::string(kAllHooks) + R"(
    function override_fetch(r) tell = print tell("override_fetch") return {status=200, body="x"} end
    function override_extract(r) print("override_extract") return {} end
  )"));
  EXPECT_TRUE(is_done(world.cycle()));
  EXPECT_EQ(log(),
            "before_fetch\noverride_fetch\nafter_fetch\noverride_extract\nafter_extract\n"
            "before_store\non_success\non_finally\n");
}

TEST_F(StageTable, HooksRunInTheirOrderWhenTheFetchFails) {
  world.site.answer("/", {.status = 500});
  ASSERT_TRUE(world.load(kAllHooks));
  EXPECT_FALSE(is_done(world.cycle()));
  EXPECT_EQ(log(), "before_fetch\nafter_fetch\non_error\non_finally\n");
}

TEST_F(StageTable, LifecycleHooksRunAfterASkip) {
  ASSERT_TRUE(world.load(std::string(kAllHooks) + "\nfunction before_store() return nil end"));
  EXPECT_TRUE(is_skipped(world.cycle()));
  EXPECT_EQ(log(),
            "before_fetch\nafter_fetch\nafter_extract\nfilter_item\nfilter_item\n"
            "on_success\non_finally\n");
}

}  // namespace
}  // namespace heddle::pipeline
