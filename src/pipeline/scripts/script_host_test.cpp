#include "pipeline/scripts/script_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

TEST(ScriptHost, DetectsAChangedModule) {
  PipelineForTest world;
  world.folder.write("jobs/shop/prices.lua", "return 1");
  ASSERT_TRUE(world.load("local prices = require('prices')"));
  const ScriptHost& host = world.session->script->host();
  EXPECT_TRUE(host.is_up_to_date());
  world.folder.write("jobs/shop/prices.lua", "return 2");
  EXPECT_FALSE(host.is_up_to_date());
}

TEST(ScriptHost, DetectsANewModule) {
  PipelineForTest world;
  ASSERT_TRUE(world.load("local has_prices = pcall(require, 'prices')"));
  const ScriptHost& host = world.session->script->host();
  EXPECT_TRUE(host.is_up_to_date());
  world.folder.write("jobs/shop/prices.lua", "return 1");
  EXPECT_FALSE(host.is_up_to_date());
}

TEST(ScriptHost, HidesTheSettingsOfSpyWebItself) {
  PipelineForTest world;
  ASSERT_TRUE(world.load(R"(print(env_get("API_KEY"), env_get("PORT"), env_get("CITY")))"));
  EXPECT_EQ(world.log.text(), "nil\tnil\tnil\n");

  PipelineForTest other;
  setenv("SPYWEB_API_KEY", "k3y", 1);  // NOLINT(concurrency-mt-unsafe): one thread
  setenv("SPYWEB_PORT", "7979", 1);    // NOLINT(concurrency-mt-unsafe): one thread
  setenv("SPYWEB_CITY", "Bern", 1);    // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_TRUE(other.load(R"(print(env_get("API_KEY"), env_get("PORT"), env_get("CITY")))"));
  for (const char* name : {"SPYWEB_API_KEY", "SPYWEB_PORT", "SPYWEB_CITY"})
    unsetenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_EQ(other.log.text(), "nil\tnil\tBern\n");
}

// The top-level code ran without the module; a later hook that finds it does not change that.
TEST(ScriptHost, ComparesWithTheFirstLoadOfAModule) {
  PipelineForTest world;
  ASSERT_TRUE(
      world.load("local has_prices = pcall(require, 'prices')\n"
                 "function on_success() pcall(require, 'prices') end"));
  world.folder.write("jobs/shop/prices.lua", "return 1");
  world.cycle();
  EXPECT_FALSE(world.session->script->host().is_up_to_date());
}

}  // namespace
}  // namespace heddle::pipeline
