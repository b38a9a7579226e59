#include "worker/job_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::worker {
namespace {

using pipeline::PipelineForTest;
using ::testing::HasSubstr;

class JobLoaderTest : public ::testing::Test {
 protected:
  JobLoaderTest() {
    EXPECT_TRUE(world.load());  // opens the services
    loader = std::make_unique<JobLoader>(*world.services, *world.scripts);
  }

  std::shared_ptr<pipeline::JobSession> load() {
    auto loaded = world.drive(loader->load(world.job));
    error = loaded ? "" : loaded.error().message;
    return loaded ? *loaded : nullptr;
  }

  void write_hooks(const std::string& text) {
    world.job.scripts.files = {world.folder.write("jobs/shop/hooks.lua", text)};
    world.job.revision += "+";  // as the configuration would
  }

  PipelineForTest world;
  std::unique_ptr<JobLoader> loader;
  std::string error;
};

TEST_F(JobLoaderTest, CachesAnUnchangedJob) {
  write_hooks("x = 1");
  const auto first = load();
  ASSERT_NE(first, nullptr) << error;
  EXPECT_EQ(load(), first);
}

TEST_F(JobLoaderTest, ReloadsAChangedScriptWhileTheOldSessionStaysUsable) {
  write_hooks("function on_success() end");
  const auto first = load();
  ASSERT_NE(first, nullptr) << error;
  write_hooks("function on_finally() end");
  const auto second = load();
  ASSERT_NE(second, nullptr) << error;
  EXPECT_NE(second, first);
  EXPECT_TRUE(second->script->has(script::ScriptHook::on_finally));
  EXPECT_TRUE(first->script->has(script::ScriptHook::on_success));
}

TEST_F(JobLoaderTest, ReloadsAJobWithAChangedModule) {
  world.folder.write("jobs/shop/lib/price.lua", "return { tax = 1 }");
  write_hooks("price = require('lib.price')");
  const auto first = load();
  ASSERT_NE(first, nullptr) << error;
  world.folder.write("jobs/shop/lib/price.lua", "return { tax = 2 }");
  EXPECT_NE(load(), first);
}

TEST_F(JobLoaderTest, KeepsThePreviousVersionWhenTheNewOneIsBroken) {
  write_hooks("function on_success() end");
  const auto first = load();
  ASSERT_NE(first, nullptr) << error;
  write_hooks("function on_success( end");
  EXPECT_EQ(load(), first);
  EXPECT_THAT(world.log.text(), HasSubstr("keeps its previous version: jobs/shop/hooks.lua:1:"));
}

TEST_F(JobLoaderTest, NamesAMistakeOnceUntilItChanges) {
  const auto times_named = [this] {
    const std::string text = world.log.text();
    int times = 0;
    for (auto at = text.find("keeps its previous"); at != std::string::npos;
         at = text.find("keeps its previous", at + 1))
      ++times;
    return times;
  };
  write_hooks("function on_success() end");
  ASSERT_NE(load(), nullptr) << error;
  write_hooks("function on_success( end");
  for (int i = 0; i < 3; ++i) EXPECT_NE(load(), nullptr);
  EXPECT_EQ(times_named(), 1);
  write_hooks("\nfunction on_success( end");
  EXPECT_NE(load(), nullptr);
  EXPECT_EQ(times_named(), 2);
}

TEST_F(JobLoaderTest, ReportsTheErrorOfAScriptThatNeverLoaded) {
  write_hooks("local x = \nreturn");
  EXPECT_EQ(load(), nullptr);
  EXPECT_THAT(error, HasSubstr("job 'Shop': jobs/shop/hooks.lua:2: unexpected symbol"));
}

TEST_F(JobLoaderTest, DoesNotGrowOverManyReloads) {
  write_hooks("data = string.rep('x', 100000) .. math.random()");
  for (int i = 0; i < 20; ++i) {
    world.job.revision += "+";
    ASSERT_NE(load(), nullptr) << error;
  }
  const std::size_t before = load()->script->vm().memory_bytes();
  for (int i = 0; i < 200; ++i) {
    world.job.revision = std::to_string(i);
    ASSERT_NE(load(), nullptr) << error;
  }
  EXPECT_LT(load()->script->vm().memory_bytes(), before * 2);
}

TEST_F(JobLoaderTest, EvictsTheLeastRecentlyUsedScript) {
  world.project.script.max_loaded = 2;
  write_hooks("x = 1");
  const auto load_job = [&](const char* id) {
    world.job.id = {id};
    return std::weak_ptr(load());
  };
  const auto a = load_job("a");
  const auto b = load_job("b");
  EXPECT_EQ(load_job("a").lock(), a.lock());
  const auto c = load_job("c");
  EXPECT_TRUE(b.expired());
  EXPECT_FALSE(a.expired());
  EXPECT_FALSE(c.expired());
}

TEST_F(JobLoaderTest, NeverEvictsAJobInUse) {
  world.project.script.max_loaded = 1;
  write_hooks("x = 1");
  world.job.id = {"a"};
  const auto running = load();
  world.job.id = {"b"};
  ASSERT_NE(load(), nullptr) << error;
  world.job.id = {"a"};
  EXPECT_EQ(load(), running);
}

}  // namespace
}  // namespace heddle::worker
