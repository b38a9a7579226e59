// What ctx.telemetry shows of the engine's own stages, under the names that SpyWeb gives them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::HasSubstr;

class Telemetry : public ::testing::Test {
 protected:
  // Prints the status of the three stages after the cycle.
  std::string run(const std::string& hooks) {
    auto loaded = world.load(hooks, R"(function on_finally(ctx)
      local map = ctx.telemetry.map
      print(map.filter.status .. " " .. map.notify.status .. " " .. map.webhook.status)
    end)");
    EXPECT_TRUE(loaded) << loaded.error().message;
    world.cycle();
    return world.log.text();
  }

  PipelineForTest world;
};

TEST_F(Telemetry, HasSuccessForStagesThatHadNothingToDo) {
  EXPECT_EQ(run(""), "success success success\n");
}

TEST_F(Telemetry, HasNoMessagesWithoutNewItems) {
  run("");
  EXPECT_EQ(run("function after_extract(items) return items end"),
            "success success success\nsuccess inactive inactive\n");
}

TEST_F(Telemetry, CountsAFilterThatRaisesAsAnError) {
  EXPECT_THAT(run("function filter_item() error('no tea') end"),
              HasSubstr("error inactive inactive\n"));
}

TEST_F(Telemetry, SkipsMessagesThatAHookHoldsBack) {
  EXPECT_EQ(run("function before_notify() return nil end"), "success skipped success\n");
  PipelineForTest other;
  ASSERT_TRUE(
      other.load("function before_webhook() return nil end "
                 "function on_finally(ctx) print(ctx.telemetry.map.webhook.status) end"));
  other.cycle();
  EXPECT_EQ(other.log.text(), "skipped\n");
}

TEST_F(Telemetry, SkipsAllThatFollowsAHookThatEndsTheCycle) {
  EXPECT_EQ(run("function after_extract() return nil end"), "skipped skipped skipped\n");
}

TEST_F(Telemetry, HasOffsetsInTheOrderOfTheStagesThatRan) {
  auto loaded = world.load(R"(
    function before_fetch(request) return request end
    function on_finally(ctx)
      local last, ran = -1, {}
      for _, stage in ipairs(ctx.telemetry.stages) do
        if stage.offset_ms then
          assert(stage.offset_ms >= last, stage.name)
          assert(stage.offset_ms + stage.duration_ms <= ctx.telemetry.total_duration_ms + 1)
          last = stage.offset_ms
          ran[#ran + 1] = stage.name
        end
      end
      print(table.concat(ran, " "))
    end)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  world.cycle();
  EXPECT_EQ(world.log.text(),
            "before_fetch fetch extract filter dedup notify webhook store on_finally\n");
}

}  // namespace
}  // namespace heddle::pipeline
