// What the final hooks of a cycle see of its page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

constexpr const char* kReadsLastFetch = R"(function on_success(ctx)
  local fetch = ctx.last_fetch
  assert(last_fetch == fetch and selector_matches == ctx.selector_matches)
  print(fetch.ok, fetch.response.status, #fetch.response.body > 0, fetch.request.method,
        ctx.selector_matches, ctx.not_modified)
end)";

testing::SiteResponse with_etag(const testing::SiteRequest& request) {
  if (request.header("If-None-Match") == "\"1\"") return testing::SiteResponse{.status = 304};
  return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
}

TEST(LastFetch, IsAvailableToAScriptThatReadsNoPages) {
  PipelineForTest world;
  ASSERT_TRUE(world.load(kReadsLastFetch));
  world.cycle();
  EXPECT_EQ(world.log.text(), "true\t200\ttrue\tGET\t2\tfalse\n");
}

// Its text does not contain "last_fetch", so the page is created on access.
TEST(LastFetch, IsAvailableToAScriptThatAccessesItIndirectly) {
  PipelineForTest world;
  ASSERT_TRUE(world.load(
      "function on_success(ctx) print(#ctx[table.concat{'last', '_', 'fetch'}].response.body > 0) "
      "end"));
  world.cycle();
  EXPECT_TRUE(std::get<PageDone>(world.cycle().outcome).is_unchanged);
  EXPECT_EQ(world.log.text(), "true\ntrue\n");
}

TEST(LastFetch, HasThePageWhenItsBodyIsUnchanged) {
  PipelineForTest world;
  ASSERT_TRUE(world.load(kReadsLastFetch));
  world.cycle();
  world.log.lines.clear();
  EXPECT_TRUE(std::get<PageDone>(world.cycle().outcome).is_unchanged);
  EXPECT_EQ(world.log.text(), "true\t200\ttrue\tGET\t2\tfalse\n");
}

TEST(LastFetch, HasTheStoredBodyOnA304) {
  PipelineForTest world;
  world.site.handle("/", with_etag);
  ASSERT_TRUE(world.load(kReadsLastFetch));
  world.cycle();
  world.log.lines.clear();
  EXPECT_TRUE(std::get<PageDone>(world.cycle().outcome).is_unchanged);
  EXPECT_EQ(world.log.text(), "true\t200\ttrue\tGET\t2\ttrue\n");
  EXPECT_EQ(world.site.count("/"), 2u);
}

TEST(LastFetch, HasNoBodyOnA304WhenNoneIsStored) {
  PipelineForTest world;
  world.job.snapshots = SnapshotPolicy::none;
  world.site.handle("/", with_etag);
  ASSERT_TRUE(world.load(kReadsLastFetch));
  world.cycle();
  world.log.lines.clear();
  world.cycle();
  EXPECT_EQ(world.log.text(), "true\t200\tfalse\tGET\t2\ttrue\n");
}

// Of a successful fetch a script may change only the body.
TEST(LastFetch, HasTheOriginalResponseWhateverAfterFetchChanged) {
  PipelineForTest world;
  world.job.fields.push_back({"link", "a", "href", FieldType::text, ""});
  ASSERT_TRUE(world.load(R"(function after_fetch(result)
    result.response.status = 404
    result.response.url = "http://elsewhere.example/"
    result.response.headers = { ["content-type"] = "text/plain" }
    return result
  end)"));
  ASSERT_TRUE(std::holds_alternative<PageDone>(world.cycle().outcome)) << world.log.text();
  EXPECT_EQ(world.artefacts.response.status, 200);
  EXPECT_EQ(world.artefacts.response.url, world.site.url("/"));
  EXPECT_EQ(*world.artefacts.items.at(0).find("link"), world.site.url("/tea"));
  EXPECT_NE(*find_header(world.artefacts.response.headers, "content-type"), "text/plain");
}

}  // namespace
}  // namespace heddle::pipeline
