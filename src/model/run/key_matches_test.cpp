#include "model/run/key_matches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(KeyMatches, AreEmptyWhenEveryKeyHasMatched) {
  EXPECT_EQ(merge_key_matches(nullptr, {{"selector", true}, {"fields.name", true}}), "");
}

TEST(KeyMatches, RememberWhatHasEverMatched) {
  const std::string first =
      merge_key_matches(nullptr, {{"selector", true}, {"fields.a", true}, {"fields.b", false}});
  EXPECT_EQ(first, "+fields.a\n-fields.b\n+selector");
  const std::string second = merge_key_matches(&first, {{"selector", false}});
  EXPECT_EQ(second, first) << "no field was looked for";
  EXPECT_EQ(merge_key_matches(&second, {{"fields.a", false}, {"fields.b", true}}), "");
}

TEST(KeyMatches, StayEmptyWhenAKeyStopsMatching) {
  const std::string all;
  EXPECT_EQ(merge_key_matches(&all, {{"selector", false}}), "");
}

TEST(KeyMatches, KnowWhetherAFieldHasMatched) {
  const std::string none = "-fields.a\n+selector";
  const std::string some = "+fields.a\n-fields.b\n+selector";
  const std::string all;
  EXPECT_FALSE(has_matched_field(nullptr));
  EXPECT_FALSE(has_matched_field(&none));
  EXPECT_TRUE(has_matched_field(&some));
  EXPECT_TRUE(has_matched_field(&all));
}

TEST(KeyMatches, NameKeysThatMatchedOnNoPage) {
  EXPECT_THAT(never_matched({}), IsEmpty());
  EXPECT_THAT(never_matched({"-selector"}), ElementsAre("selector"));
  EXPECT_THAT(never_matched({"+fields.a\n-fields.b\n+selector", "-selector"}),
              ElementsAre("fields.b"));
  EXPECT_THAT(never_matched({"+fields.a\n-fields.b\n+selector", ""}), IsEmpty());
}

}  // namespace
}  // namespace heddle
