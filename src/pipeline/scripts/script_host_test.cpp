#include "pipeline/scripts/script_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

TEST(ScriptHost, SeesThatAModuleHasChanged) {
  PipelineForTest world;
  world.folder.write("jobs/shop/prices.lua", "return 1");
  ASSERT_TRUE(world.load("local prices = require('prices')"));
  const ScriptHost& host = world.state->script->host();
  EXPECT_TRUE(host.is_up_to_date());
  world.folder.write("jobs/shop/prices.lua", "return 2");
  EXPECT_FALSE(host.is_up_to_date());
}

TEST(ScriptHost, SeesThatAModuleHasAppeared) {
  PipelineForTest world;
  ASSERT_TRUE(world.load("local has_prices = pcall(require, 'prices')"));
  const ScriptHost& host = world.state->script->host();
  EXPECT_TRUE(host.is_up_to_date());
  world.folder.write("jobs/shop/prices.lua", "return 1");
  EXPECT_FALSE(host.is_up_to_date());
}

// The code at the top ran without it; what a later hook finds does not make up for that.
TEST(ScriptHost, GoesByWhatTheScriptSawFirst) {
  PipelineForTest world;
  ASSERT_TRUE(
      world.load("local has_prices = pcall(require, 'prices')\n"
                 "function on_success() pcall(require, 'prices') end"));
  world.folder.write("jobs/shop/prices.lua", "return 1");
  world.cycle();
  EXPECT_FALSE(world.state->script->host().is_up_to_date());
}

}  // namespace
}  // namespace heddle::pipeline
