#include "pages/product/product.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::pages {
namespace {

ExtractedProduct product_of(std::string_view page,
                            std::string_view url = "https://shop.example/lamp") {
  const auto document = *html::parse(page);
  return extract_product(PageOutline(document), StructuredData::collect(document),
                         *Url::parse(url));
}

TEST(Product, ReadsJsonLd) {
  const auto product = product_of(R"(<h1>Lamp</h1><script type="application/ld+json">
    {"@type":"Product","name":"Lamp","sku":"L-1","image":["/l.jpg"],"offers":{"@type":"Offer","price":"1234.50",
     "priceCurrency":"EUR","availability":"https://schema.org/PreOrder"}}</script>)");
  EXPECT_EQ(product.name, "Lamp");
  EXPECT_EQ(product.amount, "1234.50");
  EXPECT_EQ(product.currency, "EUR");
  EXPECT_EQ(product.sku, "L-1");
  EXPECT_EQ(product.image, "https://shop.example/l.jpg");
  EXPECT_EQ(product.stock, StockState::preorder);
  EXPECT_EQ(product.price_source, "json-ld");
}

TEST(Product, ReadsRangesAndListPricesOfStructuredData) {
  const auto product =
      product_of(R"(<script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":
    {"@type":"AggregateOffer","lowPrice":10,"highPrice":"15,50","priceCurrency":"GBP","priceSpecification":
    [{"@type":"UnitPriceSpecification","priceType":"https://schema.org/ListPrice","price":20}]}}</script>)");
  EXPECT_EQ(product.amount, "10");
  EXPECT_EQ(product.high_amount, "15.50");
  EXPECT_EQ(product.old_amount, "20");
  EXPECT_EQ(product.currency, "GBP");
}

TEST(Product, KeepsThePricesOfVariants) {
  const std::string page =
      R"(<script type="application/ld+json">{"@type":"ProductGroup","name":"Shirt","hasVariant":[
    {"@type":"Product","name":"Shirt S","sku":"s","offers":{"price":"20","priceCurrency":"EUR","availability":"OutOfStock",
      "url":"https://shop.example/shirt?size=s"}},
    {"@type":"Product","name":"Shirt M","sku":"m","offers":{"price":"25","priceCurrency":"EUR","availability":"InStock",
      "url":"https://shop.example/shirt?size=m"}}]}</script>)";
  const auto product = product_of(page, "https://shop.example/shirt");
  ASSERT_EQ(product.variants.size(), 2U);
  EXPECT_EQ(product.variants[0].amount, "20");
  EXPECT_EQ(product.variants[0].stock, StockState::out);
  EXPECT_EQ(product.variants[1].name, "Shirt M");
  EXPECT_EQ(product.amount, "25");  // the one that can be bought
  EXPECT_EQ(product.stock, StockState::in);
  EXPECT_EQ(product_of(page, "https://shop.example/shirt?size=s").amount,
            "20");  // the one of the URL
}

TEST(Product, PrefersTheProductOfThePageToListedOnes) {
  const auto product = product_of(R"(<h1>Desk</h1><script type="application/ld+json">[
    {"@type":"ItemList","itemListElement":[{"@type":"Product","name":"Lamp","offers":{"price":1}}]},
    {"@type":"Product","name":"Desk","isRelatedTo":{"@type":"Product","name":"Chair","offers":{"price":2}},
     "offers":{"price":3}}]</script>)");
  EXPECT_EQ(product.name, "Desk");
  EXPECT_EQ(product.amount, "3");
}

TEST(Product, ReadsMetaTags) {
  const auto product =
      product_of(R"(<meta property="og:title" content="Lamp"><meta property="product:price:amount"
    content="19.99"><meta property="product:price:currency" content="usd"><meta property="product:availability"
    content="oos">)");
  EXPECT_EQ(product.amount, "19.99");
  EXPECT_EQ(product.currency, "USD");
  EXPECT_EQ(product.stock, StockState::out);
}

std::string shop_page(std::string_view price, std::string_view around = "") {
  return "<nav>Basket 0,00 €</nav><main><h1>Lamp</h1><div class='box'>" + std::string(price) +
         "</div><button>In den Warenkorb</button></main><section class='related'><div "
         "class='price'>3,00 €</div>"
         "<div class='price'>4,00 €</div></section>" +
         std::string(around);
}

TEST(Product, FindsTheVisiblePriceBesideTheHeading) {
  EXPECT_EQ(product_of(shop_page("<span class='price'>1.299,00 €</span>")).amount, "1299.00");
  EXPECT_EQ(product_of(shop_page("<span class='price'>1.299,00 €</span>")).price_source, "page");
  EXPECT_EQ(product_of(shop_page("<span class='a'>$</span><span class='b'>229</span><sup>99</sup>"))
                .amount,
            "229.99");
  EXPECT_EQ(product_of(shop_page("<span class='price' data-x>49.90</span>")).amount, "49.90");
}

TEST(Product, DistinguishesOldPricesUnitPricesAndShipping) {
  const auto crossed = product_of(shop_page("<del>20,00 €</del> <ins class='price'>15,00 €</ins>"));
  EXPECT_EQ(crossed.amount, "15.00");
  EXPECT_EQ(crossed.old_amount, "20.00");
  const auto named =
      product_of(shop_page("<i class='old-price'>20,00 €</i><i class='price'>15,00 €</i>"));
  EXPECT_EQ(named.amount, "15.00");
  EXPECT_EQ(named.old_amount, "20.00");
  EXPECT_EQ(product_of(shop_page("<b class='price'>15,00 €</b> <i>(1,50 € / 100 g)</i>")).amount,
            "15.00");
  EXPECT_EQ(
      product_of(shop_page("<i class='shipping'>4,90 €</i><b class='price'>15,00 €</b>")).amount,
      "15.00");
}

TEST(Product, HasNoPriceWhereOnlyOthersHaveOne) {
  const auto product = product_of(
      "<h1>Lamp</h1><p>Currently unavailable.</p><section class='related'><ul>"
      "<li><a href='/a'>A $5.00</a></li><li><a href='/b'>B $6.00</a></li></ul></section>");
  EXPECT_EQ(product.amount, "");
  EXPECT_EQ(product.stock, StockState::out);
}

TEST(Product, ReadsStockFromThePage) {
  const std::string_view price = "<b class='price'>15,00 €</b>";
  EXPECT_EQ(product_of(shop_page(price)).stock, StockState::in);  // it can be bought
  const auto sold_out =
      product_of("<h1>Lamp</h1><b class='price'>15 €</b><p>Ausverkauft</p><a>Zum Warenkorb</a>");
  EXPECT_EQ(sold_out.stock, StockState::out);
  // A button that buys outweighs a text about something else.
  EXPECT_EQ(product_of(shop_page(price, "<p>Out of stock in your store</p>")).stock,
            StockState::in);
}

TEST(Stock, UnderstandsSchemaValues) {
  EXPECT_EQ(stock_of_value("https://schema.org/InStock"), StockState::in);
  EXPECT_EQ(stock_of_value("http://schema.org/SoldOut"), StockState::out);
  EXPECT_EQ(stock_of_value("pre-order"), StockState::preorder);
  EXPECT_EQ(stock_of_value("out of stock"), StockState::out);
  EXPECT_EQ(stock_of_value(""), StockState::unknown);
}

TEST(Stock, UnderstandsPhrasesInManyLanguages) {
  for (const auto* text :
       {"In stock", "Nur noch 3 auf Lager", "En stock", "Disponible", "Disponibile", "Op voorraad",
        "I lager", "Dostępny", "Skladem", "Raktáron", "В наличии", "Stokta var", "متوفر",
        "在庫あり", "有货", "재고 있음", "Còn hàng"})
    EXPECT_EQ(stock_said(text), StockState::in) << text;
  for (const auto* text : {"Out of stock",
                           "Sold out!",
                           "Derzeit nicht verfügbar",
                           "Rupture de stock",
                           "Épuisé",
                           "Agotado",
                           "Esgotado",
                           "Esaurito",
                           "Uitverkocht",
                           "Slutsåld",
                           "Loppuunmyyty",
                           "Niedostępny",
                           "Není skladem",
                           "Nincs készleten",
                           "Нет в наличии",
                           "Tükendi",
                           "غير متوفر",
                           "אזל מהמלאי",
                           "売り切れ",
                           "缺货",
                           "품절",
                           "Hết hàng",
                           "Stok habis"})
    EXPECT_EQ(stock_said(text), StockState::out) << text;
  for (const auto* text :
       {"Pre-order now", "Vorbestellen", "Précommande", "Предзаказ", "予約受付中", "预售"})
    EXPECT_EQ(stock_said(text), StockState::preorder) << text;
  for (const auto* text :
       {"Stocking", "Information not available for this region", "Unbeatable", ""})
    EXPECT_EQ(stock_said(text), StockState::unknown) << text;
}

TEST(BuyLabel, IsRecognizedInManyLanguages) {
  for (const auto* text : {"Add to cart", "BUY NOW", "Buy", "In den Warenkorb", "Ajouter au panier",
                           "Añadir al carrito", "Aggiungi al carrello", "Do košíku", "В корзину",
                           "Sepete ekle", "カートに入れる", "加入购物车"})
    EXPECT_TRUE(is_buy_label(text)) << text;
  for (const auto* text : {"Buy again", "Notify me", "Buyers guide", "Basket"})
    EXPECT_FALSE(is_buy_label(text)) << text;
  EXPECT_TRUE(is_notify_label("Notify me when available"));
}

}  // namespace
}  // namespace heddle::pages
