#include "model/run/item.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const JobId kShop{"shop"};

Item item(std::vector<Field> fields) {
  Item made;
  made.fields = std::move(fields);
  return made;
}

TEST(Item, FindsFieldsByName) {
  const Item lamp = item({{"title", "Lamp"}, {"price", ""}});
  EXPECT_EQ(*lamp.find("title"), "Lamp");
  EXPECT_EQ(*lamp.find("price"), "");
  EXPECT_EQ(lamp.find("Title"), nullptr);
}

TEST(ItemKey, IsTheSameForTheSameFieldsInAnyOrder) {
  EXPECT_EQ(item_key(kShop, item({{"a", "1"}, {"b", "2"}}), {}),
            item_key(kShop, item({{"b", "2"}, {"a", "1"}}), {}));
}

TEST(ItemKey, DiffersWhenAnyFieldDoes) {
  const Hash128 key = item_key(kShop, item({{"a", "1"}, {"b", "2"}}), {});
  EXPECT_NE(key, item_key(kShop, item({{"a", "1"}, {"b", "3"}}), {}));
  EXPECT_NE(key, item_key(kShop, item({{"a", "1"}}), {}));
  EXPECT_NE(key, item_key(kShop, item({{"a", "1"}, {"c", "2"}}), {}));
}

TEST(ItemKey, DependsOnWhichFieldHoldsTheText) {
  EXPECT_NE(item_key(kShop, item({{"title", "x"}, {"link", ""}}), {}),
            item_key(kShop, item({{"title", ""}, {"link", "x"}}), {}));
  EXPECT_NE(item_key(kShop, item({{"a", "bc"}}), {}), item_key(kShop, item({{"ab", "c"}}), {}));
}

TEST(ItemKey, UsesOnlyTheHashFields) {
  const std::vector<std::string> by_link{"link"};
  EXPECT_EQ(item_key(kShop, item({{"link", "x"}, {"price", "1"}}), by_link),
            item_key(kShop, item({{"price", "2"}, {"link", "x"}}), by_link));
  EXPECT_NE(item_key(kShop, item({{"link", "x"}}), by_link),
            item_key(kShop, item({{"link", "y"}}), by_link));
}

TEST(ItemKey, UsesAllFieldsWhenNoHashFieldHasAText) {
  const std::vector<std::string> by_link{"link", "id"};
  EXPECT_NE(item_key(kShop, item({{"link", ""}, {"price", "1"}}), by_link),
            item_key(kShop, item({{"link", ""}, {"price", "2"}}), by_link));
  EXPECT_NE(item_key(kShop, item({{"price", "1"}}), by_link),
            item_key(kShop, item({{"price", "2"}}), by_link));
  EXPECT_EQ(item_key(kShop, item({{"link", "x"}, {"id", ""}, {"price", "1"}}), by_link),
            item_key(kShop, item({{"link", "x"}, {"id", ""}, {"price", "2"}}), by_link));
}

TEST(ItemKey, IsNeverSharedByTwoJobs) {
  const Item same = item({{"a", "1"}});
  EXPECT_NE(item_key(kShop, same, {}), item_key({"other"}, same, {}));
}

TEST(ItemKey, IgnoresMatchesAndTypedValues) {
  Item plain = item({{"a", "1"}});
  Item marked = plain;
  marked.matches = {"x"};
  marked.values_json = "{}";
  EXPECT_EQ(item_key(kShop, plain, {}), item_key(kShop, marked, {}));
}

}  // namespace
}  // namespace heddle
