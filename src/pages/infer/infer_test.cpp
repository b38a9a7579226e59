#include "pages/infer/infer.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "pages/infer/name_words.hpp"

namespace heddle::pages {
namespace {

std::vector<InferredList> lists_of(std::string_view page, const InferLimits& limits = {}) {
  const auto document = *html::parse(page);
  return infer_lists(PageOutline(document), *Url::parse("https://shop.example/list"), limits);
}

InferredList best_list(std::string_view page) {
  auto lists = lists_of(page);
  return lists.empty() ? InferredList{} : lists.front();
}

const InferredField* field(const InferredList& list, std::string_view name) {
  for (const InferredField& each : list.fields)
    if (each.name == name) return &each;
  return nullptr;
}

std::string selector(const InferredList& list, std::string_view name) {
  const InferredField* found = field(list, name);
  if (found == nullptr) return "none";
  return found->attribute.empty() ? found->selector : found->selector + "@" + found->attribute;
}

std::string value(const InferredList& list, std::size_t row, std::string_view name) {
  for (std::size_t i = 0; i < list.fields.size() && row < list.rows.size(); ++i)
    if (list.fields[i].name == name) return list.rows[row][i];
  return "none";
}

std::string number(int i) {
  return std::to_string(i);
}

constexpr std::string_view kAround =
    "<header><nav class=menu><ul><li><a href=/a>Lamps</a><li><a href=/b>Chairs</a><li><a "
    "href=/c>Tables</a><li><a href=/d>Sofas</a><li><a href=/e>Beds</a></ul></nav></header>"
    "<div class=cookie-banner><ul><li><a href=/1>Necessary cookies</a><li><a href=/2>Statistics "
    "cookies</a><li><a href=/3>Marketing cookies</a></ul></div>";
constexpr std::string_view kBelow =
    "<footer><ul><li><a href=/imprint>Imprint of the shop</a><li><a href=/terms>Terms and "
    "conditions</a><li><a href=/privacy>Privacy and data</a><li><a href=/jobs>Jobs and "
    "careers</a></ul></footer>";

struct ShopText {
  const char* language;
  const char* name;
  const char* price;  // before the number
  const char* currency;
};

TEST(Infer, FindsProductsInManyLanguages) {
  const ShopText texts[] = {
      {"en", "Desk lamp number ", "$", ""},
      {"de", "Schreibtischlampe Nr. ", "", " €"},
      {"fr", "Lampe de bureau n° ", "", " €"},
      {"es", "Lámpara de mesa n.º ", "", " €"},
      {"pt", "Luminária de mesa n.º ", "R$ ", ""},
      {"it", "Lampada da tavolo n. ", "€ ", ""},
      {"nl", "Bureaulamp nummer ", "€ ", ""},
      {"pl", "Lampka biurkowa nr ", "", " zł"},
      {"cs", "Stolní lampa č. ", "", " Kč"},
      {"sv", "Skrivbordslampa nr ", "", " kr"},
      {"ru", "Настольная лампа № ", "", " ₽"},
      {"tr", "Masa lambası no ", "₺", ""},
      {"ja", "デスクランプ", "¥", ""},
      {"zh", "书桌台灯款式", "¥", ""},
      {"ko", "책상 램프 번호 ", "₩", ""},
      {"ar", "مصباح مكتب رقم ", "$", ""},
      {"el", "Φωτιστικό γραφείου αρ. ", "", " €"},
  };
  for (const auto& [language, name, price, currency] : texts) {
    std::string page = std::string(kAround) + "<main><h1>" + name + "</h1><div class=grid>";
    for (int i = 10; i < 22; ++i)
      page += "<div class='product-card" + std::string(i % 3 == 0 ? " sale" : "") +
              "'><a href=/p/" + number(i) + "><img src=/i/" + number(i) + ".jpg alt=''></a>" +
              (i % 3 == 0 ? "<span class=badge>%</span>" : "") + "<h3><a href=/p/" + number(i) +
              ">" + name + number(i) + "</a></h3><span class=price>" + price + number(i) + ".50" +
              currency + "</span></div>";
    const auto list = best_list(page + "</div></main>" + std::string(kBelow));
    EXPECT_EQ(list.selector, ".product-card") << language;
    EXPECT_EQ(list.blocks, 12U) << language;
    EXPECT_GT(list.confidence, 0.7) << language;
    EXPECT_EQ(selector(list, "title"), "h3") << language;
    EXPECT_EQ(selector(list, "link"), "a@href") << language;
    EXPECT_EQ(selector(list, "price"), ".price") << language;
    EXPECT_EQ(selector(list, "image"), "img@src") << language;
    EXPECT_EQ(value(list, 0, "title"), name + number(10)) << language;
    EXPECT_EQ(value(list, 1, "link"), "https://shop.example/p/11") << language;
    EXPECT_EQ(value(list, 1, "image"), "https://shop.example/i/11.jpg") << language;
  }
}

std::string news_page(std::string_view open, std::string_view close) {
  std::string page = std::string(kAround) + "<main><h1>News</h1>";
  for (int i = 10; i < 30; ++i)
    page += std::string(open) + "<h2><a href=/n/" + number(i) + ">The weaving society reports " +
            number(i) + "</a></h2><time datetime=2026-03-" + number(i) + ">" + number(i) +
            " March 2026</time><p class=summary>The members met on a rainy evening and spoke about "
            "looms for the " +
            number(i) + "th time.</p>" + std::string(close);
  return page + "</main>" + std::string(kBelow);
}

TEST(Infer, FindsNewsWithDatesAndSummaries) {
  const auto list = best_list(news_page("<article class='entry post-17'>", "</article>"));
  EXPECT_EQ(list.selector, ".entry");
  EXPECT_EQ(selector(list, "title"), "h2");
  EXPECT_EQ(selector(list, "date"), "time@datetime");
  EXPECT_EQ(selector(list, "description"), ".summary");
  EXPECT_EQ(value(list, 0, "date"), "2026-03-10");
  EXPECT_EQ(list.rows.size(), 5U);
  EXPECT_FALSE(list.signals.empty());
}

TEST(Infer, AvoidsGeneratedNames) {
  const auto list = best_list(news_page("<div class='css-1q2w3e sc-bdVaJa'>", "</div>"));
  EXPECT_EQ(list.selector, "main > div");
  EXPECT_EQ(list.blocks, 20U);
  const auto module = best_list(news_page("<div class='NewsItem_root__3xK9d'>", "</div>"));
  EXPECT_EQ(module.selector, "[class*=\"NewsItem_root__\"]");
}

TEST(Infer, PrefersAttributesForPrograms) {
  const auto list =
      best_list(news_page("<div class='mt-4 flex p-2' data-testid=news-entry>", "</div>"));
  EXPECT_EQ(list.selector, "[data-testid=\"news-entry\"]");
}

TEST(Infer, FindsRowsOfTables) {
  std::string page = "<main><table id=jobs><tr><th>Place<th>Work<th>Since</tr>";
  for (int i = 10; i < 20; ++i)
    page += "<tr><td>Town " + number(i) + "</td><td><a href=/j/" + number(i) +
            ">Weaver for heavy cloth " + number(i) + "</a></td><td>" + number(i) +
            ".03.2026</td></tr>";
  const auto list = best_list(page + "</table></main>");
  EXPECT_EQ(selector(list, "title"), "a");
  EXPECT_EQ(value(list, 0, "title"), "Weaver for heavy cloth 10");
  EXPECT_EQ(value(list, 0, "link"), "https://shop.example/j/10");
  EXPECT_EQ(value(list, 0, "date"), "10.03.2026");
}

TEST(Infer, FindsBlocksThatAreLinks) {
  std::string page = "<main><div class=list>";
  for (int i = 10; i < 20; ++i)
    page += "<a class=tile href=/t/" + number(i) + "><img data-src=/i/" + number(i) +
            ".jpg src='data:image/gif;base64,x'><span class=name>Woven scarf " + number(i) +
            "</span><b>" + number(i) + ",90 €</b></a>";
  const auto list = best_list(page + "</div></main>");
  EXPECT_EQ(list.selector, ".tile");
  EXPECT_EQ(selector(list, "link"), "@href");
  EXPECT_EQ(selector(list, "title"), ".name");
  EXPECT_EQ(selector(list, "image"), "img@data-src");
  EXPECT_EQ(value(list, 0, "price"), "10,90 €");
}

TEST(Infer, FindsBlocksThatAreSpreadOverRows) {
  std::string page = "<main>";
  for (int row = 0; row < 4; ++row) {
    page += "<div class=row>";
    for (int i = 0; i < 3; ++i)
      page += "<div class='col-md-4'><h4><a href=/w/" + number(row * 3 + i) + ">Lesson number " +
              number(row * 3 + i) + " for beginners</a></h4><p>From $" + number(20 + i) +
              "</p></div>";
    page += "</div>";
  }
  EXPECT_EQ(best_list(page + "</main>").blocks, 12U);
}

TEST(Infer, LeavesOutAdvertisementsBetweenBlocks) {
  std::string page = "<main><div class=results>";
  for (int i = 10; i < 22; ++i) {
    page += "<div class='cell result'><h3><a href=/r/" + number(i) + ">A result about heddles " +
            number(i) + "</a></h3></div>";
    if (i % 6 == 0) page += "<div class='cell'><span>Buy now, pay later!</span></div>";
  }
  const auto list = best_list(page + "</div></main>");
  EXPECT_EQ(list.selector, ".result");
  EXPECT_EQ(list.blocks, 12U);
}

TEST(Infer, TakesThePriceThatIsNotCrossedOut) {
  std::string page = "<main><ul>";
  for (int i = 10; i < 20; ++i)
    page += "<li class=item><a href=/p/" + number(i) + ">Woollen blanket " + number(i) +
            "</a><div class=prices><del class=old-price>$" + number(i + 20) +
            "</del> <ins class=price>$" + number(i) + "</ins></div></li>";
  const auto list = best_list(page + "</ul></main>");
  EXPECT_EQ(value(list, 0, "price"), "$10");
}

TEST(Infer, PrefersTheListToWhatSurroundsIt) {
  std::string page = std::string(kAround) + "<main><h1>Blankets</h1><ul class=offers>";
  for (int i = 10; i < 20; ++i)
    page += "<li class=offer><a href=/p/" + number(i) + ">Blanket of wool " + number(i) +
            "</a> <span class=price>" + number(i) + " €</span></li>";
  page += "</ul></main><aside class=sidebar><h2>Tags</h2><ul>";
  for (int i = 0; i < 60; ++i)
    page += "<li><a href=/t/" + number(i) + ">Tag with a long name " + number(i) + "</a></li>";
  page += "</ul></aside><div class=related-products><h2>You may also like</h2>";
  for (int i = 0; i < 12; ++i)
    page += "<div class=card><a href=/q/" + number(i) + ">Another blanket " + number(i) +
            "</a><span class=price>20 €</span></div>";
  const auto list = best_list(page + "</div>" + std::string(kBelow));
  EXPECT_EQ(list.selector, ".offer");
}

TEST(Infer, TakesNoAuthorsNumbersOrBadgesForTitles) {
  std::string page = "<main><ul>";
  for (int i = 10; i < 20; ++i)
    page += "<li class=topic><a class=author-name href=/u/" + number(i) + ">weaver_" + number(i) +
            "</a><span class=sku>Number: W-" + number(i) +
            "-wool</span><a class=permalink href=/t/" + number(i) +
            ">How do I warp a loom of width " + number(i) + "?</a></li>";
  const auto list = best_list(page + "</ul></main>");
  EXPECT_EQ(selector(list, "title"), ".permalink");
  EXPECT_EQ(value(list, 0, "link"), "https://shop.example/t/10");
}

TEST(Infer, FindsLinksThatLieInDifferentPlaces) {
  std::string page = "<main>";
  for (int i = 10; i < 22; ++i)
    page += "<div class=story><h4>What the newspaper says about weaving, part " + number(i) +
            "</h4>" + std::string(i % 3 == 0 ? "<p>A short introduction.</p>" : "") +
            std::string(i % 3 == 1 ? "<p>One.</p><p>Two.</p>" : "") + "<p><a href=/s/" + number(i) +
            ">Read more</a></p></div>";
  const auto list = best_list(page + "</main>");
  EXPECT_EQ(selector(list, "title"), "h4");
  EXPECT_EQ(selector(list, "link"), "a@href");
}

TEST(Infer, ReturnsRankedListsWithoutOverlap) {
  std::string page = "<main><div class=a>";
  for (int i = 10; i < 20; ++i)
    page += "<div class=first-item><h3><a href=/a/" + number(i) + ">First kind of thing " +
            number(i) + "</a></h3><span>$" + number(i) + "</span></div>";
  page += "</div><div class=b>";
  for (int i = 10; i < 16; ++i)
    page += "<div class=second-item><h4><a href=/b/" + number(i) + ">Second kind of thing " +
            number(i) + "</a></h4></div>";
  const auto lists = lists_of(page + "</div></main>");
  ASSERT_GE(lists.size(), 2U);
  EXPECT_EQ(lists[0].selector, ".first-item");
  EXPECT_EQ(lists[1].selector, ".second-item");
  EXPECT_GE(lists[0].confidence, lists[1].confidence);
}

TEST(Infer, FindsNothingWhereNothingRepeats) {
  EXPECT_TRUE(lists_of("").empty());
  EXPECT_TRUE(
      lists_of("<h1>Hello</h1><p>There is one text on this page, and it is short.").empty());
}

TEST(Infer, JudgesNames) {
  EXPECT_EQ(name_kind("product-card"), NameKind::meaningful);
  EXPECT_EQ(name_kind("wide"), NameKind::plain);
  EXPECT_EQ(name_kind("col-md-6"), NameKind::styling);
  EXPECT_EQ(name_kind("md:flex"), NameKind::styling);
  EXPECT_EQ(name_kind("first"), NameKind::state);
  EXPECT_EQ(name_kind("post-1234"), NameKind::state);
  for (const auto* name : {"css-1q2w3e", "sc-bdVaJa", "jsx-2871293847", "_3xK9d", "svelte-1x2y3z"})
    EXPECT_EQ(name_kind(name), NameKind::generated) << name;
  EXPECT_EQ(lasting_prefix("ProductCard_title__3xK9d"), "ProductCard_title__");
  EXPECT_EQ(lasting_prefix("card__title"), "");
}

TEST(Infer, StaysWithinItsStepsOnHostilePages) {
  std::string deep = "<main>";
  for (int i = 0; i < 900; ++i) deep += "<div class=item><a href=/" + number(i) + ">Thing $1</a>";
  (void)lists_of(deep);
  std::string wide = "<main>";
  for (int i = 0; i < 60'000; ++i)
    wide += "<div class='c" + number(i % 7) + " item'><a href=/" + number(i) + ">Thing</a> $" +
            number(i) + "</div>";
  const auto lists = lists_of(wide, {.max_steps = 200'000});
  EXPECT_LE(lists.size(), 5U);
}

}  // namespace
}  // namespace heddle::pages
