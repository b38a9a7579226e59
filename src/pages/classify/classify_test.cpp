#include "pages/classify/classify.hpp"

#include <string>

#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::pages {
namespace {

ClassifiedPage classified(std::string_view body,
                          std::string_view address = "https://site.example/a/page") {
  const auto document = *html::parse(body);
  const Url url = *Url::parse(std::string(address));
  return classify_page(PageOutline(document), StructuredData::collect(document), {url});
}

std::string prose(int paragraphs, std::string_view sentence) {
  std::string text;
  for (int i = 0; i < paragraphs; ++i) {
    text += "<p>";
    for (int j = 0; j < 4; ++j) text += std::string(sentence) + " ";
    text += "</p>";
  }
  return text;
}

constexpr std::string_view kSentence =
    "Die Weberin zieht die Kettfäden einzeln durch die Litzen, bevor sie den ersten Schuss webt.";

TEST(Classify, KnowsProducts) {
  EXPECT_EQ(classified("<title>Lampe | Laden</title><main><h1>Lampe</h1><img src=l.jpg><span "
                       "class=price>19,90 €</span><button>In den Warenkorb</button>"
                       "<p>Eine Lampe aus Holz.</p></main>",
                       "https://laden.example/produkt/lampe")
                .page_class,
            PageClass::product);
  const auto page = classified(R"(<h1>Lamp</h1><script type="application/ld+json">
    {"@type":"Product","name":"Lamp","offers":{"price":"12","priceCurrency":"EUR"}}</script>)");
  EXPECT_EQ(page.page_class, PageClass::product);
  EXPECT_EQ(page.signals.front().text, "structured data: Product");
}

std::string shop_page(std::string_view title, std::string_view price, std::string_view buy) {
  std::string page = "<title>" + std::string(title) +
                     "</title><nav><a href=/>Home</a></nav><main><h1>" + std::string(title) +
                     "</h1><div class=grid>";
  for (int i = 0; i < 12; ++i)
    page += "<div class=card><a href=/x" + std::to_string(i) + "><img src=a.jpg><h3>" +
            std::string(title) + " " + std::to_string(i) + "</h3></a><span class=price>" +
            std::string(price) + "</span><button>" + std::string(buy) + "</button></div>";
  return page + "</div></main>";
}

TEST(Classify, KnowsCollectionsInManyLanguages) {
  const std::array<std::string_view, 3> pages[] = {
      {"Desk lamps", "$20.00", "Add to cart"},
      {"Schreibtischlampen", "20,00 €", "In den Warenkorb"},
      {"Lampes de bureau", "20,00 €", "Ajouter au panier"},
      {"Lámparas", "20,00 €", "Añadir al carrito"},
      {"Lâmpadas", "R$ 20,00", "Adicionar ao carrinho"},
      {"Lampade", "€ 20,00", "Aggiungi al carrello"},
      {"Lampy", "20,00 zł", "Do koszyka"},
      {"Лампы", "2 000 ₽", "В корзину"},
      {"台灯", "¥200", "加入购物车"},
      {"ランプ", "¥2,000", "カートに入れる"},
      {"램프", "₩20,000", "장바구니"},
      {"Lambalar", "₺200", "Sepete ekle"},
  };
  for (const auto& [title, price, buy] : pages)
    EXPECT_EQ(classified(shop_page(title, price, buy)).page_class, PageClass::collection) << title;
}

TEST(Classify, KnowsListings) {
  std::string page = "<title>Neues</title><main><h1>Neues</h1><ul class=news>";
  for (int i = 0; i < 15; ++i)
    page += "<li class=entry><h2><a href=/neues/" + std::to_string(i) +
            ">Der Verein hat einen neuen Webstuhl bekommen</a></h2><time>12. März 2026</time></li>";
  EXPECT_EQ(classified(page + "</ul><div class=pagination><a href=?page=2>2</a></div></main>",
                       "https://verein.example/neues")
                .page_class,
            PageClass::listing);
}

TEST(Classify, KnowsArticles) {
  const auto page = classified(
      "<title>Warum Litzen reißen | Das Blatt</title><meta property=og:type content=article>"
      "<article><h1>Warum Litzen reißen und was man dagegen tun kann</h1><span class=author>Ada "
      "Weber</span><time>12. März 2026</time>" +
          prose(8, kSentence) + "</article>",
      "https://blatt.example/2026/03/warum-litzen-reissen");
  EXPECT_EQ(page.page_class, PageClass::article);
  EXPECT_GT(page.confidence, 0.5);
}

TEST(Classify, KnowsDocumentation) {
  EXPECT_EQ(classified("<title>select — Handbuch</title><nav class=toc><a href=a>A</a></nav><main>"
                       "<h1>select</h1>" +
                           prose(2, kSentence) +
                           "<pre>heddle select --css 'div.item' --limit 20 --format json "
                           "https://site.example/list/of/all/things and-another-long-argument "
                           "--more --and --even --more</pre>" +
                           prose(2, kSentence) + "</main>",
                       "https://docs.site.example/reference/select.html")
                .page_class,
            PageClass::documentation);
}

TEST(Classify, KnowsForums) {
  std::string page = "<title>Litze gerissen? - Forum</title><main><h1>Litze gerissen?</h1>";
  for (int i = 0; i < 8; ++i)
    page += "<div class='post reply'><span class=author>weberin" + std::to_string(i) +
            "</span><time>12. März 2026</time><div class=postbody>" + std::string(kSentence) + " " +
            std::string(kSentence) + "</div></div>";
  EXPECT_EQ(classified(page + "</main>", "https://forum.site.example/threads/litze.12").page_class,
            PageClass::forum);
}

TEST(Classify, KnowsServices) {
  EXPECT_EQ(classified("<title>Webkurse | Atelier</title><main><h1>Unsere Webkurse</h1>" +
                           prose(1, kSentence) +
                           "<h2>Unsere Leistungen</h2><p>Kurse</p><a "
                           "class=btn href=/k>Kontaktieren Sie uns</a><a class=btn "
                           "href=/t>Termin vereinbaren</a><a href='tel:+49301'>030 1</a></main>",
                       "https://atelier.example/leistungen/kurse")
                .page_class,
            PageClass::service);
}

TEST(Classify, MarksApplicationsWithoutContent) {
  const auto page = classified(
      "<title>Shop</title><body><noscript>You need to enable JavaScript to run this "
      "app.</noscript><div id=root></div><script src=/main.js></script></body>");
  EXPECT_TRUE(page.is_empty_shell);
  EXPECT_EQ(page.page_class, PageClass::generic);
  EXPECT_EQ(signals_text(page), "no content without scripts");
}

TEST(Classify, MarksNoApplicationThatIsRenderedByTheServer) {
  EXPECT_FALSE(classified("<title>Shop</title><body><div id=root><main><h1>Loom</h1>" +
                          prose(2, kSentence) +
                          "</main></div><script src=/main.js></script></body>")
                   .is_empty_shell);
}

TEST(Classify, MarksNoPageThatOffersASearch) {
  EXPECT_FALSE(
      classified("<title>Search</title><body><noscript>JavaScript is off</noscript><form><input "
                 "name=q></form><script src=/a.js></script><div id=root></div></body>")
          .is_empty_shell);
}

TEST(Classify, SaysGenericOfPagesThatSayNothing) {
  EXPECT_EQ(classified("").page_class, PageClass::generic);
  EXPECT_EQ(classified("<p>Hello").page_class, PageClass::generic);
  EXPECT_FALSE(classified("").is_empty_shell);
}

TEST(Classify, NamesEveryClass) {
  for (int i = 0; i <= static_cast<int>(PageClass::generic); ++i) {
    const auto page_class = static_cast<PageClass>(i);
    EXPECT_EQ(page_class_named(to_text(page_class)), page_class);
  }
  EXPECT_EQ(page_class_named("shop"), std::nullopt);
}

TEST(Classify, TakesLittleTimeForDeepAndWidePages) {
  std::string deep;
  for (int i = 0; i < 900; ++i) deep += "<div class=item><form><input type=password>";
  EXPECT_NO_FATAL_FAILURE((void)classified(deep));
  std::string wide = "<h1>404</h1>";
  for (int i = 0; i < 100'000; ++i) wide += "<li>captcha $1 log in</li>";
  EXPECT_NO_FATAL_FAILURE((void)classified(wide));
}

}  // namespace
}  // namespace heddle::pages
