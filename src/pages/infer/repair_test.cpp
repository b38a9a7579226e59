#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "pages/infer/infer.hpp"

namespace heddle::pages {
namespace {

std::string number(int i) {
  return std::to_string(i);
}

std::vector<Item> known_items(int from, int to) {
  std::vector<Item> items;
  for (int i = from; i < to; ++i) {
    Item item;
    item.fields = {{"name", "Woollen blanket " + number(i)},
                   {"link", "https://shop.example/p/" + number(i)},
                   {"price", "$" + number(i * 3)}};
    items.push_back(item);
  }
  return items;
}

// A page after the shop was rebuilt, with other lists around.
std::string rebuilt_page(int from, int to, int price) {
  std::string page =
      "<nav><ul><li><a href=/a>Woollen</a><li><a href=/b>Blankets</a><li><a "
      "href=/c>Sale</a></ul></nav><main><div class=teasers>";
  for (int i = 0; i < 20; ++i)
    page +=
        "<div class=teaser><h2><a href=/t/" + number(i) +
        ">Our magazine writes about wool and weaving, part " + number(i) +
        "</a></h2><p>It is a long text that fills much of this page and repeats often.</p></div>";
  page += "</div><section class=assortment>";
  for (int i = from; i < to; ++i)
    page += "<div class=tile><a class=tile-link href=/p/" + number(i) + "><span class=tile-name>" +
            "Woollen  blanket " + number(i) + "</span></a><em class=tile-amount>$" +
            number(i * price) + "</em></div>";
  return page + "</section></main>";
}

std::optional<InferredList> repaired(const std::string& page, const std::vector<Item>& known) {
  const auto document = *html::parse(page);
  return repair_list(PageOutline(document), *Url::parse("https://shop.example/"), known);
}

TEST(RepairList, FindsTheBlocksOfKnownItems) {
  const auto list = repaired(rebuilt_page(10, 30, 3), known_items(5, 25));
  ASSERT_TRUE(list);
  EXPECT_EQ(list->selector, ".tile");
  ASSERT_EQ(list->fields.size(), 3U);
  EXPECT_EQ(list->fields[0].name, "name");
  EXPECT_EQ(list->fields[1].name, "link");
  EXPECT_EQ(list->fields[1].attribute, "href");
  EXPECT_EQ(list->fields[2].name, "price");
  EXPECT_EQ(list->rows[0],
            (std::vector<std::string>{"Woollen blanket 10", "https://shop.example/p/10", "$30"}));
  EXPECT_GT(list->confidence, 0.5);
}

TEST(RepairList, FindsPricesThatHaveAllChanged) {
  const auto list = repaired(rebuilt_page(10, 30, 4), known_items(5, 25));
  ASSERT_TRUE(list);
  ASSERT_EQ(list->fields.size(), 3U);
  EXPECT_EQ(list->fields[2].name, "price");
  EXPECT_EQ(list->rows[0][2], "$40");
}

TEST(RepairList, KnowsItemsThatAreStoredSeveralTimes) {
  auto known = known_items(10, 20);
  for (Item item : known_items(10, 20)) {
    item.fields[2].second = "$1";
    known.push_back(item);
  }
  const auto list = repaired(rebuilt_page(10, 30, 3), known);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->selector, ".tile");
}

TEST(RepairList, FindsNothingWhenTheItemsAreGone) {
  EXPECT_FALSE(repaired(rebuilt_page(10, 30, 3), known_items(100, 120)));
  EXPECT_FALSE(repaired(rebuilt_page(10, 30, 3), {}));
  EXPECT_FALSE(repaired("", known_items(1, 5)));
}

}  // namespace
}  // namespace heddle::pages
