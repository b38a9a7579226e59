#include "pipeline/cycle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const PageDone& done(const CycleResult& end) {
  return std::get<PageDone>(end.outcome);
}
const PageFailure& failure(const CycleResult& end) {
  return std::get<PageFailure>(end.outcome);
}

TEST(Cycle, StoresNewItemsOnce) {
  PipelineForTest world;
  ASSERT_TRUE(world.load());
  EXPECT_EQ(done(world.cycle()).items.fresh, 2);
  const auto again = world.cycle();
  EXPECT_EQ(done(again).items.fresh, 0);
  EXPECT_TRUE(done(again).is_unchanged);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST(Cycle, ReportsNothingOfTheFirstReadingOfABaselineJob) {
  PipelineForTest world;
  world.job.first_run = FirstRun::baseline;
  ASSERT_TRUE(world.load());
  EXPECT_EQ(done(world.cycle()).items.fresh, 2);
  EXPECT_THAT(world.artefacts.deliveries, IsEmpty());

  world.site.answer("/", testing::html("<ul><li><b>Tea</b></li><li><b>Rice</b></li></ul>"));
  EXPECT_EQ(done(world.cycle()).items.fresh, 1);
  EXPECT_EQ(world.artefacts.deliveries.size(), 2u) << "notification and webhook";

  world.job.selector = "ul > li";
  ASSERT_TRUE(world.load_job());
  world.site.answer("/", testing::html("<ul><li><b>Bread</b></li></ul>"));
  EXPECT_EQ(done(world.cycle()).items.fresh, 1);
  EXPECT_THAT(world.artefacts.deliveries, IsEmpty()) << "first reading with another selector";
  EXPECT_THAT(world.stored_names(), ElementsAre("Bread", "Milk", "Rice", "Tea"));
}

TEST(Cycle, ReportsTheFirstReadingUnlessTheJobSaysBaseline) {
  PipelineForTest world;
  ASSERT_TRUE(world.load());
  world.cycle();
  EXPECT_EQ(world.artefacts.deliveries.size(), 2u);
}

TEST(Cycle, SendsAConditionalRequestForAKnownPage) {
  PipelineForTest world;
  world.site.handle("/", [](const testing::SiteRequest& request) {
    if (request.header("If-None-Match") == "\"1\"") return testing::SiteResponse{.status = 304};
    return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
  });
  ASSERT_TRUE(world.load());
  EXPECT_EQ(done(world.cycle()).items.fresh, 2);
  EXPECT_TRUE(done(world.cycle()).is_unchanged);
  EXPECT_EQ(world.site.requests("/").at(1).header("If-None-Match"), "\"1\"");
}

TEST(Cycle, SendsTheBodyAgainWhenTheStoreHasPrunedIt) {
  PipelineForTest shop;
  ASSERT_TRUE(shop.load());
  const auto show = [&shop](const std::string& name) {
    shop.site.answer("/", testing::html("<ul><li><b>" + name + "</b></li></ul>"));
    return shop.cycle();
  };
  for (const char* name : {"one", "two", "three"}) done(show(name));
  auto beside = store::Connection::open(shop.project.data_dir / "heddle.db", {});
  ASSERT_TRUE(beside);
  ASSERT_TRUE(
      (*beside)->execute("DELETE FROM contents WHERE id = 2; DELETE FROM versions"
                         " WHERE content = 2"));
  done(show("two"));  // the cache claims that the store has the body
  EXPECT_EQ(*(*beside)->query_integer("SELECT count(*) FROM contents"), 3);
  EXPECT_EQ(*(*beside)->query_integer("SELECT count(*) FROM versions"), 3);
}

TEST(Cycle, FailsOnAnUnexpected304) {
  PipelineForTest world;
  world.site.answer("/", {.status = 304});
  ASSERT_TRUE(world.load());
  const auto end = world.cycle();
  EXPECT_EQ(failure(end).error.kind, ErrorKind::http);
  EXPECT_THAT(failure(end).error.message, HasSubstr("304"));
  EXPECT_FALSE(failure(end).is_internal);
}

TEST(Cycle, ReadsAPageAgainWhenAnotherCycleHadClaimedItsItem) {
  PipelineForTest world;
  ASSERT_TRUE(world.load());
  {
    // Another cycle claims "Tea" and never stores it.
    Reservations::Claim other(world.session->reservations);
    Item tea;
    tea.fields = {{"name", "Tea"}};
    ASSERT_TRUE(other.add(item_key(world.job.id, tea, world.job.hash_fields)));
    EXPECT_EQ(done(world.cycle()).items.fresh, 1);
  }
  const auto again = world.cycle();
  EXPECT_FALSE(done(again).is_unchanged);
  EXPECT_EQ(done(again).items.fresh, 1);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST(Cycle, PassesAnUnchangedPageToScripts) {
  PipelineForTest world;
  ASSERT_TRUE(world.load("function after_extract(items) print(#items) return items end"));
  world.cycle();
  EXPECT_FALSE(done(world.cycle()).is_unchanged);
  EXPECT_EQ(world.log.text(), "2\n2\n");
}

TEST(Cycle, PassesTheStoredBodyToScriptsOnA304) {
  PipelineForTest world;
  world.site.handle("/", [](const testing::SiteRequest& request) {
    if (request.header("If-None-Match") == "\"1\"") return testing::SiteResponse{.status = 304};
    return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
  });
  ASSERT_TRUE(world.load(R"(function after_fetch(result, ctx)
    print(result.response.status, ctx.not_modified, #result.response.body > 0)
    return result
  end)"));
  world.cycle();
  EXPECT_EQ(done(world.cycle()).items.seen, 2);
  EXPECT_EQ(world.log.text(), "200\tfalse\ttrue\n200\ttrue\ttrue\n");
}

TEST(Cycle, RefetchesAPageWhenNoBodyIsStoredForTheScript) {
  PipelineForTest world;
  world.job.snapshots = SnapshotPolicy::none;
  world.site.handle("/", [](const testing::SiteRequest& request) {
    if (!request.header("If-None-Match").empty()) return testing::SiteResponse{.status = 304};
    return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
  });
  ASSERT_TRUE(world.load("function after_fetch(result) return result end"));
  world.cycle();
  EXPECT_EQ(done(world.cycle()).items.seen, 2);
  EXPECT_EQ(world.site.count("/"), 3u);
}

TEST(Cycle, AbandonsItsHostRequestWhenTheRunIsStopped) {
  PipelineForTest world;
  ASSERT_TRUE(world.load());
  world.gate->slow_down(net::gate_key(*Url::parse(world.site.url())),
                        std::chrono::steady_clock::now() + std::chrono::hours(24));
  StopSignal stop(world.loop.get_executor());
  stop.request();
  CycleSpec spec;
  spec.lease = world.lease(world.site.url("/"));
  spec.stop = &stop;
  const auto end = world.drive(run_cycle(*world.services, *world.session, spec));
  EXPECT_TRUE(failure(end).was_stopped);
  EXPECT_EQ(world.site.count("/"), 0u);
}

TEST(Cycle, SlowsDownAnOverloadedHostForAsLongAsTheJobWouldWait) {
  PipelineForTest world;
  world.job.retry.base = std::chrono::milliseconds(200);
  world.job.retry.cap = std::chrono::minutes(1);
  world.site.answer("/", {.status = 503});
  ASSERT_TRUE(world.load());
  EXPECT_EQ(failure(world.cycle()).retry_after, std::chrono::milliseconds(200));
  EXPECT_EQ(world.log.text(), "");
  world.site.answer("/", {.status = 429, .headers = {{"Retry-After", "86400"}}});
  EXPECT_EQ(failure(world.cycle()).retry_after, std::chrono::minutes(1));
  const std::string host = net::gate_key(*Url::parse(world.site.url()));
  EXPECT_THAT(world.log.text(), HasSubstr("job 'Shop': " + host +
                                          " answered 429: no job sends requests to it for 1m"));
}

TEST(Cycle, ObeysRobotsAtEveryRedirect) {
  PipelineForTest world;
  world.job.robots = RobotsRule::obey;
  world.site.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /private\n"});
  world.site.answer("/", testing::redirect("/private/x"));
  world.site.answer("/private/x", testing::html(PipelineForTest::kPage));
  ASSERT_TRUE(world.load());
  const auto end = world.cycle();
  EXPECT_THAT(failure(end).error.message, HasSubstr("robots"));
  EXPECT_EQ(world.site.count("/private/x"), 0u);
}

TEST(Cycle, ComputesTypedValuesFromTheItemsAfterTheScript) {
  PipelineForTest world;
  world.job.fields = {{"name", "b", "", FieldType::text, ""},
                      {"price", "i", "", FieldType::money, ""}};
  ASSERT_TRUE(
      world.load("function filter_item(item) item.fields.price = '12,50 €' return item end"));
  world.cycle();
  EXPECT_THAT(world.artefacts.items.front().values_json, HasSubstr("12.50"));
}

TEST(Cycle, TakesTheContainerForAFieldThatMatchesIt) {
  PipelineForTest world;
  world.job.selector = "b";
  world.job.fields = {{"name", "b", "", FieldType::text, ""},
                      {"link", "+ a", "href", FieldType::text, ""}};
  ASSERT_TRUE(world.load());
  world.cycle();
  const auto& items = world.artefacts.items;
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].fields[0].second, "Tea");
  EXPECT_EQ(items[0].fields[1].second, world.site.url("/tea"));
}

TEST(Cycle, ReadsThePriceThatIsNotCrossedOut) {
  PipelineForTest world;
  world.job.fields = {{"name", "b", "", FieldType::text, ""},
                      {"price", "i", "", FieldType::money, ""},
                      {"label", "i", "", FieldType::text, ""}};
  world.site.answer("/", testing::html("<ul><li><b>Tea</b><i><s>$38</s> <u>$12</u></i></li>"
                                       "<li><b>Milk</b><i><s>$38</s></i></li></ul>"));
  ASSERT_TRUE(world.load());
  world.cycle();
  const auto& items = world.artefacts.items;
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].fields[1].second, "$12");
  EXPECT_EQ(items[0].fields[2].second, "$38 $12") << "a text field keeps all text";
  EXPECT_EQ(items[1].fields[1].second, "$38") << "all of it is crossed out";
}

// Each select is short, but together they block the loop.
TEST(Cycle, FailsWhenTheSelectsOfAPageExceedTheirSharedBudget) {
  PipelineForTest world;
  std::string page;
  for (int i = 0; i < 500; ++i) page += "<div>";
  for (int i = 0; i < 50'000; ++i) page += "<i>x</i>";
  world.site.answer("/", testing::html(page));
  world.job.selector = "div";
  world.job.fields = {{"name", "[title]", "", FieldType::text, ""}};
  ASSERT_TRUE(world.load());
  const auto end = world.cycle();
  ASSERT_FALSE(std::holds_alternative<PageDone>(end.outcome));
  EXPECT_EQ(failure(end).error.kind, ErrorKind::too_complex);
  EXPECT_THAT(failure(end).error.message, HasSubstr("steps"));
}

// Also those behind which nothing but storing follows.
TEST(Cycle, EndsWhenAScriptExceedsItsTimeInAnyHook) {
  for (const std::string hook : {"after_extract", "filter_item", "before_store", "before_notify"}) {
    PipelineForTest world;
    world.project.script.cpu_limit = std::chrono::milliseconds(50);
    ASSERT_TRUE(world.load("function " + hook + R"((value)
        defer(function() print("cleaned up") end)
        while true do pcall(function() while true do end end) end
      end
      function on_error(err) print("on_error") end
    )"));
    const auto end = world.cycle();
    EXPECT_EQ(failure(end).error.kind, ErrorKind::script) << hook;
    EXPECT_THAT(world.log.text(), HasSubstr("cleaned up\n")) << hook;
    EXPECT_THAT(world.log.text(), HasSubstr("on_error\n")) << hook;
    EXPECT_THAT(world.stored_names(), IsEmpty()) << hook;
    EXPECT_FALSE(world.session->script->vm().is_broken()) << hook;
  }
}

TEST(Cycle, RetriesOnlyStatusesOfServersThatMayRecover) {
  for (const auto& [status, is_transient] :
       {std::pair{404, false}, {499, false}, {429, true}, {500, true}, {503, true}}) {
    PipelineForTest world;
    ASSERT_TRUE(world.load("function override_fetch(request) return {status = " +
                           std::to_string(status) + ", body = ''} end"));
    const auto end = world.cycle();
    EXPECT_EQ(failure(end).error.kind, ErrorKind::http) << status;
    EXPECT_EQ(failure(end).transient, is_transient) << status;
  }
}

TEST(Cycle, FailsWhenAPageWithoutAStoredBodyIsNeverSent) {
  PipelineForTest world;
  world.job.snapshots = SnapshotPolicy::none;
  bool is_first = true;
  world.site.handle("/", [&](const testing::SiteRequest&) {
    if (!std::exchange(is_first, false)) return testing::SiteResponse{.status = 304};
    return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
  });
  ASSERT_TRUE(world.load("function after_fetch(result) return result end"));
  EXPECT_EQ(done(world.cycle()).items.seen, 2);
  const auto end = world.cycle();
  EXPECT_THAT(failure(end).error.message, HasSubstr("304 (not modified)"));
}

}  // namespace
}  // namespace heddle::pipeline
