// What after_fetch can do after a failed fetch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AfterFailedFetch : public ::testing::Test {
 protected:
  CycleResult run(const std::string& hooks) {
    auto loaded = world.load(hooks, "function on_error(err, ctx) print('on_error ' .. err) end");
    EXPECT_TRUE(loaded) << loaded.error().message;
    return world.cycle();
  }
  std::string log() const { return world.log.text(); }

  PipelineForTest world;
};

TEST_F(AfterFailedFetch, ContinuesWithAResponseThatAfterFetchSupplies) {
  world.site.answer("/", {.status = 404, .body = "gone"});
  const auto end = run(R"(function after_fetch(result)
    assert(not result.ok and result.error.kind == "http" and result.response.status == 404)
    assert(result.response.body == "gone")
    return { ok = true, response = { status = 200, body = "<li><b>Spare</b></li>" } }
  end)");
  EXPECT_TRUE(std::holds_alternative<PageDone>(end.outcome)) << failure_text(end) << log();
  EXPECT_THAT(world.stored_names(), ElementsAre("Spare"));
}

TEST_F(AfterFailedFetch, ContinuesWithAFlatResponse) {
  const std::string kinds[] = {"function override_fetch() return {error = 'no route'} end\n", ""};
  for (const std::string& fetch : kinds) {
    PipelineForTest own;
    own.site.answer("/", {.status = 503, .body = "down"});
    ASSERT_TRUE(own.load(fetch + R"(function after_fetch(result)
      if not result.error then return result end
      return { status = 200, body = "<li><b>Spare</b></li>", url = "https://spare.example/a/" }
    end
    function before_store(items, ctx) print(#items) return items end)"));
    const auto end = own.cycle();
    EXPECT_TRUE(std::holds_alternative<PageDone>(end.outcome)) << failure_text(end);
    EXPECT_THAT(own.stored_names(), ElementsAre("Spare"));
    EXPECT_EQ(own.artefacts.response.url, "https://spare.example/a/");
    EXPECT_EQ(own.log.text(), "1\n");
  }
}

TEST_F(AfterFailedFetch, ContinuesWithABodyThatHasNoStatus) {
  for (const char* page : {"{ body = '<li><b>Spare</b></li>' }",
                           "{ response = { body = '<li><b>Spare</b></li>' } }"}) {
    PipelineForTest own;
    ASSERT_TRUE(
        own.load("function override_fetch() return {error = 'no route'} end\n"
                 "function after_fetch() return " +
                 std::string(page) + " end"));
    const auto end = own.cycle();
    EXPECT_TRUE(std::holds_alternative<PageDone>(end.outcome)) << page << failure_text(end);
    EXPECT_THAT(own.stored_names(), ElementsAre("Spare"));
  }
}

TEST_F(AfterFailedFetch, StaysAFailureWhenAFlatResponseHasAnErrorStatusAndAnError) {
  world.site.answer("/", {.status = 404});
  const auto end = run("function after_fetch(r) return {status = 500, error = r.error} end");
  EXPECT_THAT(failure_text(end), HasSubstr("404")) << log();
}

TEST_F(AfterFailedFetch, FailsTheCycleWithoutASuppliedResponse) {
  world.site.answer("/", {.status = 404});
  const auto end = run("function after_fetch(result) return result end");
  EXPECT_EQ(std::get<PageFailure>(end.outcome).error.kind, ErrorKind::http);
  EXPECT_THAT(log(), HasSubstr("on_error"));
}

TEST_F(AfterFailedFetch, StaysAFailureWhenAfterFetchReturnsNothing) {
  for (const char* nothing : {"nil", "false"}) {
    PipelineForTest own;
    own.site.answer("/", {.status = 503});
    ASSERT_TRUE(own.load("function after_fetch() return " + std::string(nothing) +
                         " end\nfunction on_success() print('on_success') end"
                         "\nfunction on_error(err) print('on_error') end"));
    const auto end = own.cycle();
    ASSERT_TRUE(std::holds_alternative<PageFailure>(end.outcome)) << nothing;
    const auto& failed = std::get<PageFailure>(end.outcome);
    EXPECT_EQ(failed.error.kind, ErrorKind::http);
    EXPECT_TRUE(failed.transient);  // so that it is retried
    EXPECT_EQ(own.log.text(), "on_error\n");
  }
}

TEST_F(AfterFailedFetch, StaysAFailureWhenAfterFetchFails) {
  world.site.answer("/", {.status = 503});
  const auto end = run("function after_fetch() error('x') end");
  EXPECT_THAT(failure_text(end), HasSubstr("503"));
  EXPECT_THAT(log(), HasSubstr("on_error"));
}

TEST_F(AfterFailedFetch, FromAScriptStaysAFailureWhenAfterFetchReturnsNothing) {
  const auto end =
      run("function override_fetch() return { error = 'gone fishing' } end\n"
          "function after_fetch() end");
  EXPECT_EQ(failure_text(end), "gone fishing");
}

}  // namespace
}  // namespace heddle::pipeline
