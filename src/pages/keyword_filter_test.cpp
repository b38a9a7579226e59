#include "pages/keyword_filter.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

using Words = std::vector<std::string>;

Item item(std::vector<Field> fields) {
  Item made;
  made.fields = std::move(fields);
  return made;
}

TEST(KeywordFilter, KeepsItemsWithAnyKeywordAndDropsOthers) {
  KeywordFilter filter({"lamp", "desk"}, {});
  Item lamp = item({{"title", "Red lamp"}});
  Item chair = item({{"title", "Chair"}});

  EXPECT_TRUE(filter.keep(lamp));
  EXPECT_EQ(lamp.matches, Words{"lamp"});
  EXPECT_FALSE(filter.keep(chair));
  EXPECT_TRUE(chair.matches.empty());
}

TEST(KeywordFilter, ListsMatchesOnceInTheOrderOfTheKeywords) {
  KeywordFilter filter({"b", "A", "x"}, {});
  Item both = item({{"one", "a b"}, {"two", "B"}});

  EXPECT_TRUE(filter.keep(both));
  EXPECT_EQ(both.matches, (Words{"b", "A"}));
}

TEST(KeywordFilter, IgnoresCaseInAnyScript) {
  KeywordFilter filter({"ÜBER", "скидка", "Ψ"}, {});
  Item found = item({{"t", "Über СКИДКА ψ"}});

  EXPECT_TRUE(filter.keep(found));
  EXPECT_EQ(found.matches, (Words{"ÜBER", "скидка", "Ψ"}));
}

TEST(KeywordFilter, SearchesOnlyTheGivenFields) {
  KeywordFilter filter({"lamp"}, {"title", "absent"});
  Item elsewhere = item({{"text", "lamp"}, {"title", "chair"}});
  Item titled = item({{"title", "LAMP"}});

  EXPECT_FALSE(filter.keep(elsewhere));
  EXPECT_TRUE(filter.keep(titled));
}

TEST(KeywordFilter, DoesNotMatchAcrossFields) {
  KeywordFilter filter({"ab"}, {});
  Item split = item({{"x", "a"}, {"y", "b"}});
  EXPECT_FALSE(filter.keep(split));
}

TEST(KeywordFilter, KeepsEverythingWithoutKeywords) {
  KeywordFilter filter({""}, {});
  Item any = item({{"x", "a"}});
  any.matches = {"stale"};

  EXPECT_TRUE(filter.keep(any));
  EXPECT_TRUE(any.matches.empty());
}

TEST(KeywordFilter, FindsKeywordsBesideInvalidUtf8) {
  KeywordFilter filter({"lamp"}, {});
  Item broken = item({{"x", "\xFFLAMP\xC3"}});
  EXPECT_TRUE(filter.keep(broken));
}

}  // namespace
}  // namespace heddle::pages
