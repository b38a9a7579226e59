#include "pages/propose/propose_repair.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

struct Markup {
  const char* block;
  const char* title;
  const char* price;
};

std::string shop(const Markup& markup, int from = 10, int to = 22) {
  std::string page = "<title>Shop</title><main><h1>Lamps</h1>";
  for (int i = from; i < to; ++i) {
    const std::string number = std::to_string(i);
    page += std::string("<div class='") + markup.block + "'><h3 class='" + markup.title +
            "'><a href=/p/" + number + ">Desk lamp number " + number + "</a></h3><span class='" +
            markup.price + "'>" + number + ".50 EUR</span></div>";
  }
  return page + "</main>";
}

constexpr Markup kOld{"product", "name", "price"};
constexpr Markup kNew{"tile", "headline", "amount"};

Job old_job() {
  Job job;
  job.selector = ".product";
  job.fields = {{"name", ".name", "", FieldType::text, ""},
                {"link", "a", "href", FieldType::text, ""},
                {"cost", ".price", "", FieldType::money, ""},
                {"stock", ".stock", "", FieldType::text, "", SelectorKind::css, "unknown"}};
  return job;
}

std::vector<Item> known_items() {
  std::vector<Item> items;
  for (int i = 10; i < 22; ++i) {
    const std::string number = std::to_string(i);
    items.push_back({{{"name", "Desk lamp number " + number},
                      {"link", "https://shop.example/p/" + number},
                      {"cost", number + ".00 EUR"},
                      {"stock", "unknown"}},
                     {},
                     {}});
  }
  return items;
}

RepairProposal repair(std::string body, const std::vector<Item>& known = known_items(),
                      int status = 200) {
  ProposedPage page{*Url::parse("https://shop.example/lamps"), status};
  page.body = std::move(body);
  html::Parser parser;
  return propose_repair(parser, page, old_job(), known);
}

TEST(ProposeRepair, FindsTheListThatHoldsTheStoredItems) {
  const RepairProposal proposal = repair(shop(kNew));
  ASSERT_TRUE(proposal.found) << proposal.obstacle;
  EXPECT_EQ(proposal.items_now, 0U);
  EXPECT_EQ(proposal.known, 12U);
  EXPECT_EQ(proposal.found->selector, ".tile");
  EXPECT_EQ(proposal.found->items, 12U);
  ASSERT_EQ(proposal.found->fields.size(), 4U);
  EXPECT_EQ(proposal.found->rows[0][0], "Desk lamp number 10");
  EXPECT_EQ(proposal.found->rows[0][1], "https://shop.example/p/10");
  EXPECT_EQ(proposal.found->rows[0][2], "10.50 EUR");
  EXPECT_EQ(proposal.found->fields[2].type, FieldType::money);
}

TEST(ProposeRepair, KeepsWhatAFieldSaysBesideItsSelector) {
  const RepairProposal proposal = repair(shop(kNew));
  ASSERT_TRUE(proposal.found);
  EXPECT_EQ(proposal.found->fields[3], old_job().fields[3]);
  EXPECT_EQ(proposal.lost_fields, std::vector<std::string>{"stock"});
}

TEST(ProposeRepair, SaysThatNothingIsBroken) {
  const RepairProposal proposal = repair(shop(kOld));
  EXPECT_FALSE(proposal.is_needed());
  EXPECT_EQ(proposal.items_now, 12U);
}

TEST(ProposeRepair, RepairsOneFieldWithoutTouchingTheRest) {
  const RepairProposal proposal = repair(shop({"product", "name", "amount"}));
  ASSERT_TRUE(proposal.found) << proposal.obstacle;
  EXPECT_EQ(proposal.empty_fields, std::vector<std::string>{"cost"});
  EXPECT_EQ(proposal.found->selector, ".product");
  EXPECT_EQ(proposal.found->fields[0], old_job().fields[0]);
  EXPECT_EQ(proposal.found->fields[2].selector, ".amount");
}

TEST(ProposeRepair, SaysWhyNothingIsProposed) {
  EXPECT_NE(repair(shop(kNew), {}).obstacle.find("no items of this page are stored"),
            std::string::npos);
  EXPECT_NE(repair("<h1>All is new</h1><p>Nothing of the old page is left here.")
                .obstacle.find("none of the stored items (12) was found"),
            std::string::npos);
  EXPECT_NE(
      repair("<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password "
             "name=p><button>Log in</button></form>")
          .obstacle.find("returned a login page instead of the page"),
      std::string::npos);
  EXPECT_NE(repair("<p>oops</p>", known_items(), 503).obstacle.find("503"), std::string::npos);
}

}  // namespace
}  // namespace heddle::pages
