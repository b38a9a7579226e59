#include "pages/propose/propose.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace heddle::pages {
namespace {

ProposedPage page_of(std::string body, std::string content_type = "text/html; charset=utf-8") {
  ProposedPage page{*Url::parse("https://shop.example/list")};
  page.headers = {{"content-type", std::move(content_type)}};
  page.body = std::move(body);
  return page;
}

WatchProposal propose(const ProposedPage& page) {
  html::Parser parser;
  return propose_watch(parser, page);
}

std::string shop_page(int products = 12) {
  std::string page = "<title>Lamps | Shop</title><main><h1>Lamps</h1>";
  for (int i = 10; i < 10 + products; ++i) {
    const std::string number = std::to_string(i);
    page += "<div class=product-card><h3><a href=/p/" + number + ">Desk lamp number " + number +
            "</a></h3><span class=price>€ " + number + ".50</span></div>";
  }
  return page + "</main>";
}

std::string row_text(const WatchCandidate& candidate, std::size_t row) {
  std::string text;
  for (std::size_t i = 0; i < candidate.fields.size() && row < candidate.rows.size(); ++i)
    text += candidate.fields[i].name + "=" + candidate.rows[row][i] + ";";
  return text;
}

TEST(Propose, ReadsAListOfProductsWithItsOwnRules) {
  const WatchProposal proposal = propose(page_of(shop_page()));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  EXPECT_EQ(proposal.title, "Lamps | Shop");
  EXPECT_EQ(proposal.obstacle, "");
  const WatchCandidate& best = proposal.candidates.front();
  EXPECT_EQ(best.description, "a list of 12 items");
  EXPECT_EQ(best.selector, ".product-card");
  EXPECT_EQ(best.items, 12U);
  EXPECT_EQ(best.rows.size(), 5U);
  EXPECT_EQ(row_text(best, 0),
            "title=Desk lamp number 10;link=https://shop.example/p/10;price=€ 10.50;");
  EXPECT_EQ(best.key, std::vector<std::string>{"link"});
  EXPECT_FALSE(best.reasons.empty());
}

TEST(Propose, TakesNoKeyThatSeveralItemsShare) {
  std::string page = "<main>";
  for (int i = 10; i < 20; ++i)
    page += "<li class=item><h3>Lesson number " + std::to_string(i) +
            "</h3><a href=/same>Details of it</a><p>A text about weaving on a loom.</p></li>";
  const WatchProposal proposal = propose(page_of(page));
  ASSERT_FALSE(proposal.candidates.empty());
  EXPECT_EQ(proposal.candidates.front().key, std::vector<std::string>{"title"});
}

TEST(Propose, TakesSeveralFieldsForAKeyWhenNoneIsEnough) {
  std::string page = "<main>";
  for (int i = 10; i < 20; ++i)
    page += "<li class=post><h3><a href=/u/" + std::to_string(i % 3) + ">weaver number " +
            std::to_string(i % 3) + "</a></h3><time datetime=2026-03-" + std::to_string(i) + ">" +
            std::to_string(i) + " March</time><p>A text of some length about weaving.</p></li>";
  const WatchProposal proposal = propose(page_of(page));
  ASSERT_FALSE(proposal.candidates.empty());
  EXPECT_EQ(proposal.candidates.front().key, (std::vector<std::string>{"link", "date"}));
}

TEST(Propose, CountsAThingThatStandsOnThePageTwiceOnce) {
  const WatchProposal proposal = propose(page_of(shop_page() + shop_page()));
  ASSERT_FALSE(proposal.candidates.empty());
  EXPECT_EQ(proposal.candidates.front().items, 24U);
  EXPECT_EQ(proposal.candidates.front().key, std::vector<std::string>{"link"});
}

TEST(Propose, FollowsAFeed) {
  const WatchProposal proposal = propose(page_of(
      "<?xml version='1.0'?><rss version='2.0'><channel><title>News of\n the mill</title><item>"
      "<title>First</title><link>https://a.example/1</link></item></channel></rss>",
      "application/rss+xml"));
  ASSERT_EQ(proposal.candidates.size(), 1U);
  EXPECT_EQ(proposal.title, "News of the mill");
  EXPECT_EQ(proposal.candidates.front().watch, WatchKind::feed);
  EXPECT_EQ(proposal.candidates.front().items, 1U);
  EXPECT_EQ(proposal.candidates.front().rows[0][1], "First");
}

TEST(Propose, NamesTheFeedOfAPage) {
  const WatchProposal proposal = propose(
      page_of("<link rel=alternate type=application/rss+xml href=/feed.xml>" + shop_page()));
  EXPECT_EQ(proposal.hints,
            std::vector<std::string>{"the page has a feed: https://shop.example/feed.xml"});
}

TEST(Propose, FindsAListOfJsonObjects) {
  std::string json = R"({"count": 3, "tags": ["a", "b"], "data": {"my items": [)";
  for (int i = 1; i < 4; ++i)
    json += std::string(i > 1 ? "," : "") + R"({"_id": )" + std::to_string(i) +
            R"(, "name": "Lamp )" + std::to_string(i) + R"(", "url": "https://s.example/)" +
            std::to_string(i) + R"(", "price": {"amount": 12.5, "currency": "EUR"}})";
  const WatchProposal proposal = propose(page_of(json + "]}}", "application/json"));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  const WatchCandidate& best = proposal.candidates.front();
  EXPECT_EQ(best.selector, "$.data['my items'][*]");
  EXPECT_EQ(row_text(best, 1), "title=Lamp 2;link=https://s.example/2;price=12.5;id=2;");
  EXPECT_EQ(best.key, std::vector<std::string>{"link"});
}

TEST(Propose, FindsAListInTheJsonOfAnEmptyPage) {
  std::string json;
  for (int i = 1; i < 5; ++i)
    json += std::string(i > 1 ? "," : "") + R"({"title":"Story )" + std::to_string(i) +
            R"(","slug":"story-)" + std::to_string(i) + R"("})";
  const WatchProposal proposal =
      propose(page_of("<title>App</title><div id=root></div><script id=__NEXT_DATA__ "
                      "type=application/json>{\"props\":{\"stories\":[" +
                      json + "]}}</script>"));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  EXPECT_EQ(proposal.candidates.front().json_in, "script#__NEXT_DATA__");
  EXPECT_EQ(proposal.candidates.front().selector, "$.props.stories[*]");
  EXPECT_EQ(proposal.candidates.front().items, 4U);
}

std::string product_page(std::string_view price) {
  return "<title>Wool blanket</title><body><nav><a href=/>Home</a></nav><main><h1>Wool "
         "blanket</h1>" +
         std::string(price) +
         "<p>A heavy blanket of wool, woven in the hills by people who know how.</p><form "
         "action=/cart><button>Add to cart</button></form></main>";
}

TEST(Propose, ReadsAProductFromItsMarkup) {
  const WatchProposal proposal = propose(page_of(product_page(
      "<div itemscope itemtype='https://schema.org/Product'><span itemprop=name>Wool blanket</span>"
      "<div itemprop=offers itemscope itemtype='https://schema.org/Offer'><meta itemprop=price "
      "content='89.00'><meta itemprop=priceCurrency content=EUR><link itemprop=availability "
      "href='https://schema.org/InStock'></div></div>")));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  EXPECT_EQ(row_text(proposal.candidates.front(), 0),
            "name=Wool blanket;price=89.00;currency=EUR;stock=https://schema.org/InStock;");
  EXPECT_EQ(proposal.candidates.front().selector, "");
  EXPECT_EQ(proposal.candidates.front().key, std::vector<std::string>{"name"});
}

TEST(Propose, ReadsAProductFromItsJsonLd) {
  const WatchProposal proposal = propose(page_of(product_page(
      R"(<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":)"
      R"("WebPage"},{"@type":"Product","name":"Wool blanket","offers":{"@type":"Offer","price":)"
      R"("89.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}]}</script>)")));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  EXPECT_EQ(row_text(proposal.candidates.front(), 0),
            "name=Wool blanket;price=89.00;currency=EUR;stock=https://schema.org/InStock;");
  EXPECT_EQ(proposal.candidates.front().json_in, R"(script[type="application/ld+json"])");
}

TEST(Propose, ReadsAPriceThatOnlyPeopleSee) {
  const WatchProposal proposal = propose(
      page_of(product_page("<div class=buy-box><span class=current-price>$ 89.00</span></div>")));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  EXPECT_EQ(row_text(proposal.candidates.front(), 0), "name=Wool blanket;price=$ 89.00;");
}

TEST(Propose, ReadsTitleDateAndTextOfAnArticle) {
  std::string page =
      "<title>The loom | News</title><meta property=og:type content=article><meta "
      "property=article:published_time content=2026-03-01><body><article><h1>The loom</h1>";
  for (int i = 0; i < 8; ++i)
    page +=
        "<p>A long paragraph about the history of looms in the valley, and about the people who "
        "worked on them day after day, for many years.</p>";
  const WatchProposal proposal = propose(page_of(page + "</article>"));
  ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
  const std::string row = row_text(proposal.candidates.front(), 0);
  EXPECT_TRUE(row.starts_with("title=The loom;date=2026-03-01;text=The loom A long paragraph"))
      << row;
  EXPECT_EQ(proposal.candidates.front().key, std::vector<std::string>{"title"});
}

TEST(Propose, SaysWhyAPageCannotBeWatched) {
  struct Case {
    const char* name;
    ProposedPage page;
    const char* obstacle;
  };
  ProposedPage missing = page_of("<title>Shop</title><h1>Not found</h1><p>There is no such page.");
  missing.status = 404;
  ProposedPage refused = page_of("");
  refused.status = 403;
  const Case cases[] = {
      {"login",
       page_of("<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password "
               "name=password><button>Log in</button></form>"),
       "the page asks to log in"},
      {"missing", missing, "404"},
      {"refused", refused, "the site answered 403"},
      {"pdf", page_of("%PDF-1.7", "application/pdf"), "a PDF: only pages with text"},
      {"empty", page_of(" \n"), "the page is empty"},
      {"no text", page_of("<body><img src=x>"), "the page has no text"},
      {"app", page_of("<title>App</title><div id=root></div><script src=/app.js></script>"),
       "without JavaScript"},
      {"xml", page_of("<?xml version='1.0'?><a><b/></a>", "text/xml"), "not a feed"},
      {"text", page_of("some words", "text/plain"), "plain text"},
      {"json", page_of("{\"a\": 1}", "application/json"), "without a list of objects"},
      {"broken json", page_of("{\"a\": ", "application/json"), "cannot be read: JSON"},
  };
  for (const Case& each : cases) {
    const WatchProposal proposal = propose(each.page);
    EXPECT_TRUE(proposal.candidates.empty()) << each.name;
    EXPECT_NE(proposal.obstacle.find(each.obstacle), std::string::npos)
        << each.name << ": " << proposal.obstacle;
  }
}

TEST(Propose, PutsWhatThePageIsAboutBeforeListsOnIt) {
  std::string page = product_page(
      R"(<script type="application/ld+json">{"@type":"Product","name":"Wool blanket","offers":)"
      R"({"@type":"Offer","price":"89.00","priceCurrency":"EUR"}}</script>)");
  for (int i = 10; i < 14; ++i)
    page += "<div class=related-card><h3><a href=/p/" + std::to_string(i) +
            ">Another blanket number " + std::to_string(i) + "</a></h3><span class=price>$" +
            std::to_string(i) + ".00</span></div>";
  ProposedPage shown = page_of("<meta property=og:type content=product>" + page);
  shown.url = *Url::parse("https://shop.example/product/wool-blanket");
  const WatchProposal product = propose(shown);
  ASSERT_GE(product.candidates.size(), 2U) << product.page_class;
  EXPECT_EQ(product.candidates.front().description, "one product") << product.page_class;
  const WatchProposal list = propose(page_of(shop_page()));
  ASSERT_GE(list.candidates.size(), 2U);
  EXPECT_EQ(list.candidates.back().description, "the text of the page");
}

TEST(Propose, IsTheSameEveryTime) {
  const ProposedPage page = page_of(shop_page());
  const WatchProposal one = propose(page);
  const WatchProposal two = propose(page);
  ASSERT_EQ(one.candidates.size(), two.candidates.size());
  for (std::size_t i = 0; i < one.candidates.size(); ++i) {
    EXPECT_EQ(one.candidates[i].selector, two.candidates[i].selector);
    EXPECT_EQ(one.candidates[i].rows, two.candidates[i].rows);
  }
}

TEST(Propose, KeepsValuesOnOneLineAndShort) {
  std::string page = "<title>A\x01 \n title</title><main>";
  for (int i = 10; i < 20; ++i)
    page += "<li class=item><h3><a href=/" + std::to_string(i) + ">Thing\n\x1b[31m number " +
            std::to_string(i) + std::string(3000, 'x') + "</a></h3></li>";
  const WatchProposal proposal = propose(page_of(page));
  EXPECT_EQ(proposal.title, "A title");
  for (const WatchCandidate& candidate : proposal.candidates)
    for (const auto& row : candidate.rows)
      for (const std::string& value : row) {
        EXPECT_LE(value.size(), 400U);
        EXPECT_EQ(value.find_first_of("\n\x1b"), std::string::npos);
      }
}

TEST(Propose, LeavesOutSelectorsThatAConfigurationWouldFillIn) {
  std::string json = "[";
  for (int i = 1; i < 5; ++i)
    json += std::string(i > 1 ? "," : "") + R"({"title":"T)" + std::to_string(i) +
            R"(","${env:HOME}":"x","{{name}}":"y"})";
  for (const WatchCandidate& candidate :
       propose(page_of(json + "]", "application/json")).candidates)
    for (const FieldRule& field : candidate.fields)
      EXPECT_EQ(field.selector.find_first_of("{"), std::string::npos) << field.selector;
}

TEST(Propose, StaysWithinItsLimitsOnHostilePages) {
  std::string wide = "<main>";
  for (int i = 0; i < 10'000; ++i)
    wide += "<div class='g" + std::to_string(i) + "'><p class=item><a href=/" + std::to_string(i) +
            ">Thing $" + std::to_string(i) + "</a></p></div>";
  EXPECT_LE(propose(page_of(wide)).candidates.size(), 7U);
  std::string json = "[";
  for (int i = 0; i < 10'000; ++i)
    json +=
        std::string(i > 0 ? "," : "") + "{\"m" + std::to_string(i) + "\":[{\"a\":1},{\"a\":2}]}";
  EXPECT_LE(propose(page_of(json + "]", "application/json")).candidates.size(), 5U);
  const std::string deep = std::string(400, '[') + "{}" + std::string(400, ']');
  EXPECT_TRUE(propose(page_of(deep, "application/json")).candidates.empty());
}

}  // namespace
}  // namespace heddle::pages
