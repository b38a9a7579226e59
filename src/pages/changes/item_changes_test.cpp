#include "pages/changes/item_changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Job shop() {
  Job job;
  job.key = {"link"};
  job.fields = {
      {"title", "h2", "", FieldType::text, ""},       {"price", ".price", "", FieldType::money, ""},
      {"stock", ".stock", "", FieldType::number, ""}, {"from", ".from", "", FieldType::date, ""},
      {"image", "img", "src", FieldType::text, ""},   {"link", "a", "href", FieldType::text, ""}};
  return job;
}

Item item(std::vector<Field> fields) {
  return {std::move(fields), {}, ""};
}

std::vector<std::string> changed(const Job& job, const Item& before, const Item& after) {
  std::vector<std::string> names;
  for (const FieldChange& change : compare_items(job, before, after)) names.push_back(change.field);
  return names;
}

TEST(ItemChanges, NameTheFieldWithBothValues) {
  const auto changes = compare_items(shop(), item({{"price", "10 EUR"}, {"link", "/1"}}),
                                     item({{"price", "8 EUR"}, {"link", "/1"}}));
  EXPECT_THAT(changes,
              ElementsAre(FieldChange{"/1", "price", "10 EUR", "8 EUR", Significance::high}));
}

TEST(ItemChanges, AreAsSignificantAsTheirKindWhateverTheSize) {
  const Item before = item({{"title", "a"}, {"price", "1 EUR"}, {"image", "/a"}});
  const Item after = item({{"title", "b"}, {"price", "1.01 EUR"}, {"image", "/b"}});
  std::vector<Significance> seen;
  for (const FieldChange& change : compare_items(shop(), before, after))
    seen.push_back(change.significance);
  EXPECT_THAT(seen, ElementsAre(Significance::medium, Significance::high, Significance::low));
}

TEST(ItemChanges, CompareTypedValuesAsValues) {
  const Job job = shop();
  const auto same = [&job](const char* field, const char* before, const char* after) {
    return changed(job, item({{field, before}}), item({{field, after}})).empty();
  };
  EXPECT_TRUE(same("price", "1.299,00 €", "€1,299.00"));
  EXPECT_TRUE(same("price", "1299 €", "1.299,00 €"));
  EXPECT_FALSE(same("price", "1290 €", "129 €"));
  EXPECT_TRUE(same("stock", "1,200 pieces", "1200 left"));
  EXPECT_TRUE(same("from", "12 March 2026", "2026-03-12"));
  EXPECT_FALSE(same("price", "10 EUR", "10 USD"));
  EXPECT_FALSE(same("stock", "3 left", "2 left"));
  EXPECT_FALSE(same("from", "12 March 2026", "2026-03-13"));
  EXPECT_FALSE(same("price", "ask us", "10 EUR"));
  EXPECT_FALSE(same("price", "ask us", "sold out"));
}

TEST(ItemChanges, IgnoreWhiteSpaceAndVolatileParts) {
  const Job job = shop();
  EXPECT_THAT(changed(job, item({{"title", "Red  lamp\n"}}), item({{"title", " Red lamp"}})),
              IsEmpty());
  EXPECT_THAT(
      changed(job, item({{"title", "Lamp, 3 comments"}}), item({{"title", "Lamp, 17 comments"}})),
      IsEmpty());
  EXPECT_THAT(changed(job, item({{"title", "Lamp"}}), item({{"title", "lamp"}})),
              ElementsAre("title"));
}

TEST(ItemChanges, ShowFieldsThatAppearAndVanish) {
  const Job job = shop();
  EXPECT_THAT(changed(job, item({{"title", "a"}}), item({{"title", "a"}, {"badge", "-20 %"}})),
              ElementsAre("badge"));
  EXPECT_THAT(changed(job, item({{"title", "a"}, {"badge", "-20 %"}}), item({{"title", "a"}})),
              ElementsAre("badge"));
  EXPECT_THAT(changed(job, item({{"title", "a"}, {"badge", ""}}), item({{"title", "a"}})),
              IsEmpty());
}

TEST(ItemChanges, CompareOnlyTheHashFieldsOfTheJob) {
  Job job = shop();
  job.hash_fields = {"price"};
  EXPECT_THAT(changed(job, item({{"title", "a"}, {"price", "1 EUR"}}),
                      item({{"title", "b"}, {"price", "2 EUR"}})),
              ElementsAre("price"));
}

TEST(ItemChanges, NameAnItemByItsKey) {
  Job job = shop();
  job.key = {"link", "title"};
  EXPECT_EQ(key_text(job, item({{"title", "Lamp"}, {"link", "/1"}})), "/1 | Lamp");
  EXPECT_EQ(key_text(job, item({{"title", "Lamp"}})), "Lamp");
}

}  // namespace
}  // namespace heddle::pages
