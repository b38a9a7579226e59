// Keywords of items in jobs with scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Keywords, AreRecordedButDropNothingWhenFilterItemReplacesThem) {
  PipelineForTest world;
  world.job.keywords = {"milk"};
  ASSERT_TRUE(world.load("function filter_item(item) return item end"));
  world.cycle();
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  EXPECT_THAT(world.artefacts.items.at(0).matches, IsEmpty());
  EXPECT_THAT(world.artefacts.items.at(1).matches, ElementsAre("milk"));
}

TEST(Keywords, AreShownToFilterItem) {
  PipelineForTest world;
  world.job.keywords = {"milk", "tea"};
  ASSERT_TRUE(world.load(R"(function filter_item(item)
    print(item.fields.name, #item.matches, item.matches[1])
    return item.matches[1] == "milk"
  end)"));
  world.cycle();
  EXPECT_EQ(world.log.text(), "Tea\t1\ttea\nMilk\t1\tmilk\n");
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk"));
}

TEST(Keywords, AreMatchedAfterBeforeStore) {
  PipelineForTest world;
  world.job.keywords = {"milk", "honey"};
  ASSERT_TRUE(world.load(R"(function before_store(items)
    items[1].fields.name = "Honey"
    items[1].matches = { "made up" }
    return items
  end)"));
  world.cycle();
  EXPECT_THAT(world.artefacts.items.at(0).matches, ElementsAre("honey"));
}

}  // namespace
}  // namespace heddle::pipeline
