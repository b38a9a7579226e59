#include "pages/values/money.hpp"

#include <ostream>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

struct Case {
  const char* text;
  const char* amount;    // nullptr: none
  const char* currency;  // nullptr: none
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const Money money = read_money(c.text);
    EXPECT_EQ(money.amount.value_or("none"), c.amount == nullptr ? "none" : c.amount) << c.text;
    EXPECT_EQ(money.currency.value_or("none"), c.currency == nullptr ? "none" : c.currency)
        << c.text;
  }
}

TEST(ReadMoney, ReadsTheFirstOfTwoPricesSideBySide) {
  expect_all({
      {"$38 $12", "38", "USD"},
      {"$100 $50", "100", "USD"},
      {"£7 £24", "7", "GBP"},
      {"€15 €20 €25", "15", "EUR"},
      {"38€ 12€", "38", "EUR"},
      {"38 € 12 €", "38", "EUR"},
      {"12€99", "12.99", "EUR"},
      {"12$99", "12.99", "USD"},
  });
}

TEST(ReadMoney, TellsOtherDollarsFromThoseOfTheUnitedStates) {
  expect_all({
      {"1 BZ$", "1", "BZD"},
      {"CUC$ 5", "5", "CUC"},
      {"CUC$5.50", "5.50", "CUC"},
      {"T$ 12", "12", "TOP"},
      {"Z$300", "300", "ZWL"},
      {"N$ 99.95", "99.95", "NAD"},
      {"EC$20", "20", "XCD"},
      {"CAD$ 12.50", "12.50", "CAD"},
      {"12.50 AUD$", "12.50", "AUD"},
      {"USD$5", "5", "USD"},
      {"Now$5", "5", "USD"},
  });
}

TEST(ReadMoney, JoinsADotToTheCentsOrTheCurrencyBesideIt) {
  expect_all({
      {"36. 24", "36.24", nullptr},
      {"559. 99", "559.99", nullptr},
      {"$559. 99", "559.99", "USD"},
      {"$.750.30", "750.30", "USD"},
      {"$.1,750.30", "1750.30", "USD"},
      {"No. 36. 24 pieces", "36", nullptr},
  });
}

TEST(ReadMoney, ReadsEveryGroupingAndDecimalMark) {
  expect_all({
      {"1.234,56 €", "1234.56", "EUR"},
      {"1,234.56 €", "1234.56", "EUR"},
      {"1 234,56 €", "1234.56", "EUR"},
      {"1\u00A0234,56\u00A0€", "1234.56", "EUR"},
      {"1\u202F234,56\u202F€", "1234.56", "EUR"},
      {"1\u2009234,56 €", "1234.56", "EUR"},
      {"1'234.56 CHF", "1234.56", "CHF"},
      {"CHF 1’234.56", "1234.56", "CHF"},
      {"12,34", "12.34", nullptr},
      {"12.34", "12.34", nullptr},
      {"1.234", "1234", nullptr},
      {"1,234", "1234", nullptr},
      {"12.345", "12345", nullptr},
      {"123,456", "123456", nullptr},
      {"1234", "1234", nullptr},
      {"1234.5", "1234.5", nullptr},
      {"1234,567", "1234.567", nullptr},
      {"0,123 €", "0.123", "EUR"},
      {"0.999", "0.999", nullptr},
      {"1.234.567 €", "1234567", "EUR"},
      {"1,234,567.89 $", "1234567.89", "USD"},
      {"1.234.567,89 €", "1234567.89", "EUR"},
      {"12 345 678,90 zł", "12345678.90", "PLN"},
      {"₹1,23,456.78", "123456.78", "INR"},
      {"₹ 12,34,567", "1234567", "INR"},
      {"1.234.56 €", "1234.56", "EUR"},
      {"12'50 €", "12.50", "EUR"},
      {"$.99", "0.99", "USD"},
      {",50 €", "0.50", "EUR"},
      {"007 €", "7", "EUR"},
      {"19,9 €", "19.9", "EUR"},
      {"1.2345 €", "1.2345", "EUR"},
      {"3 199 €", "3199", "EUR"},
      {"$1234567890123.45", "1234567890123.45", "USD"},
  });
}

TEST(ReadMoney, ReadsWholeAmountsWithADashForCents) {
  expect_all({
      {"12,- €", "12", "EUR"},
      {"12,– €", "12", "EUR"},
      {"12.— CHF", "12", "CHF"},
      {"CHF 1'234.–", "1234", "CHF"},
      {"199,-", "199", nullptr},
      {"kr 1.299,-", "1299", "SEK"},
      {"€ 5,--", "5", "EUR"},
      {"99:-", "99", nullptr},
      {"2 490 kr", "2490", "SEK"},
  });
}

TEST(ReadMoney, ReadsSeparateCents) {
  expect_all({
      {"12⁹⁹ €", "12.99", "EUR"},
      {"$1,299⁰⁰", "1299.00", "USD"},
      {"12€99", "12.99", "EUR"},
      {"1 299 €95", "1299.95", "EUR"},
      {"$12 99", "12.99", "USD"},
      {"$ 1,299 00", "1299.00", "USD"},
      {"12 99 €", "12.99", "EUR"},
      {"12 ,99 €", "12.99", "EUR"},
      {"12, 99 €", "12.99", "EUR"},
      {"99p", "0.99", "GBP"},
      {"50¢", "0.50", "USD"},
      {"5 ct", "0.05", "EUR"},
      {"79 Cent", "0.79", "EUR"},
      {"0,5 ct Diamant 900 €", "900", "EUR"},
  });
}

TEST(ReadMoney, RecognizesCurrenciesBySymbolBeforeOrAfter) {
  expect_all({
      {"€12.50", "12.50", "EUR"},
      {"€ 12.50", "12.50", "EUR"},
      {"12.50€", "12.50", "EUR"},
      {"$12.50", "12.50", "USD"},
      {"12,50 $", "12.50", "USD"},
      {"£1,299.00", "1299.00", "GBP"},
      {"¥12,800", "12800", "JPY"},
      {"￥12,800", "12800", "JPY"},
      {"CN¥128.00", "128.00", "CNY"},
      {"₹499", "499", "INR"},
      {"1 290 ₽", "1290", "RUB"},
      {"₩15,000", "15000", "KRW"},
      {"₺1.299,90", "1299.90", "TRY"},
      {"1 299 ₴", "1299", "UAH"},
      {"1.290.000 ₫", "1290000", "VND"},
      {"₪ 249.90", "249.90", "ILS"},
      {"₱1,499.00", "1499.00", "PHP"},
      {"฿1,290", "1290", "THB"},
      {"US$ 5", "5", "USD"},
      {"A$49.95", "49.95", "AUD"},
      {"AU$49.95", "49.95", "AUD"},
      {"C$ 20.00", "20.00", "CAD"},
      {"CA$20.00", "20.00", "CAD"},
      {"NZ$15", "15", "NZD"},
      {"HK$ 388", "388", "HKD"},
      {"NT$1,280", "1280", "TWD"},
      {"S$12.90", "12.90", "SGD"},
      {"R$ 1.234,56", "1234.56", "BRL"},
      {"MX$ 1,299.00", "1299.00", "MXN"},
      {"RD$500", "500", "DOP"},
      {"₦12,500", "12500", "NGN"},
      {"₸ 5 990", "5990", "KZT"},
  });
}

TEST(ReadMoney, RecognizesCurrenciesByCodeOrWord) {
  expect_all({
      {"EUR 12.50", "12.50", "EUR"},
      {"12,50 EUR", "12.50", "EUR"},
      {"12.50 eur", "12.50", "EUR"},
      {"EUR12.50", "12.50", "EUR"},
      {"EUR: 12,50", "12.50", "EUR"},
      {"Price (EUR): 12.50", "12.50", "EUR"},
      {"$1,299 MXN", "1299", "MXN"},
      {"$12.50 USD", "12.50", "USD"},
      {"USD $12.50", "12.50", "USD"},
      {"kr 199 NOK", "199", "NOK"},
      {"DKK 199,00", "199.00", "DKK"},
      {"12 euros", "12", "EUR"},
      {"12,50 Euro", "12.50", "EUR"},
      {"5 dollars", "5", "USD"},
      {"20 pounds", "20", "GBP"},
      {"1 299 kr", "1299", "SEK"},
      {"1 299 kr.", "1299", "SEK"},
      {"49,99 zł", "49.99", "PLN"},
      {"12 800 Kč", "12800", "CZK"},
      {"4 990 Ft", "4990", "HUF"},
      {"149,90 lei", "149.90", "RON"},
      {"25,50 лв.", "25.50", "BGN"},
      {"1 290 руб.", "1290", "RUB"},
      {"1290 рублей", "1290", "RUB"},
      {"500 р.", "500", "RUB"},
      {"1 299 грн", "1299", "UAH"},
      {"1,280円", "1280", "JPY"},
      {"1,280円（税込）", "1280", "JPY"},
      {"128元", "128", "CNY"},
      {"15,000원", "15000", "KRW"},
      {"Rs. 1,499", "1499", "INR"},
      {"Rs 1,499.00", "1499.00", "INR"},
      {"Rp 1.250.000", "1250000", "IDR"},
      {"RM 59.90", "59.90", "MYR"},
      {"R 1 299.00", "1299.00", "ZAR"},
      {"R1,299", "1299", "ZAR"},
      {"1.299,90 TL", "1299.90", "TRY"},
      {"Fr. 19.90", "19.90", "CHF"},
      {"SFr. 19.90", "19.90", "CHF"},
      {"S/ 129.90", "129.90", "PEN"},
      {"1.299,00 RSD", "1299.00", "RSD"},
      {"1.299 din.", "1299", "RSD"},
      {"120 บาท", "120", "THB"},
      {"AED 1,299.00", "1299.00", "AED"},
      {"129.00 ر.س", "129.00", "SAR"},
      {"Dhs. 75", "75", "AED"},
      {"19 €/mois", "19", "EUR"},
      {"3.500.000đ", "3500000", "VND"},
  });
}

TEST(ReadMoney, ReadsCurrenciesWithThreeDecimals) {
  expect_all({
      {"KWD 1.250", "1.250", "KWD"},
      {"12.500 BHD", "12.500", "BHD"},
      {"OMR 1,299.500", "1299.500", "OMR"},
      {"129,900 TND", "129.900", "TND"},
      {"1.250 EUR", "1250", "EUR"},
  });
}

TEST(ReadMoney, ReadsDigitsOfOtherScripts) {
  expect_all({
      {"١٢٣٫٥٠ ر.س", "123.50", "SAR"},
      {"١٬٢٣٤ د.إ", "1234", "AED"},
      {"۱۲۳۴ ریال", "1234", "IRR"},
      {"₹१,२३४.५०", "1234.50", "INR"},
      {"１，２８０円", "1280", "JPY"},
      {"৳১,২৫০", "1250", "BDT"},
  });
}

TEST(ReadMoney, ReturnsTheLowerEndOfARange) {
  expect_all({
      {"10–20 €", "10", "EUR"},
      {"10 - 20 €", "10", "EUR"},
      {"10-20€", "10", "EUR"},
      {"$10 - $20", "10", "USD"},
      {"$10-20", "10", "USD"},
      {"€10.50 – €15.00", "10.50", "EUR"},
      {"10 € - 20 €", "10", "EUR"},
      {"10 bis 20 €", "10", "EUR"},
      {"von 10,50 bis 20 €", "10.50", "EUR"},
      {"zwischen 10 und 20 €", "10", "EUR"},
      {"entre 10 et 20 €", "10", "EUR"},
      {"from 100 to 2,000 EUR", "100", "EUR"},
      {"от 100 до 200 ₽", "100", "RUB"},
      {"1,000円～2,000円", "1000", "JPY"},
      {"1,000〜2,000円", "1000", "JPY"},
      {"Phone 14 - 999 €", "999", "EUR"},
      {"Phone A14 - 20 €", "20", "EUR"},
  });
}

TEST(ReadMoney, IgnoresSurroundingWords) {
  expect_all({
      {"from $12", "12", "USD"},
      {"ab 12,99 €", "12.99", "EUR"},
      {"à partir de 19,90 €", "19.90", "EUR"},
      {"desde 9,99€", "9.99", "EUR"},
      {"Preis: 12,99 € inkl. MwSt.", "12.99", "EUR"},
      {"nur 5 €*", "5", "EUR"},
      {"£12.99 inc VAT", "12.99", "GBP"},
      {"ca. 15 €", "15", "EUR"},
      {"12,99 € / 100 g", "12.99", "EUR"},
      {"12,99 €/kg", "12.99", "EUR"},
      {"$3.99 ($0.50/oz)", "3.99", "USD"},
      {"$0.50/oz, $3.99 each", "3.99", "USD"},
      {"1 kg = 5,98 €  2,99 €", "2.99", "EUR"},
      {"2 x 5,99 €", "5.99", "EUR"},
      {"3 for $10", "10", "USD"},
      {"ou 12x de R$ 99,90", "99.90", "BRL"},
      {"iPhone 14 128 GB 999 €", "999", "EUR"},
      {"6 ft ladder $99", "99", "USD"},
      {"-20% 15,99 €", "15.99", "EUR"},
      {"15,99 € (-20 %)", "15.99", "EUR"},
      {"%20 indirim 150 TL", "150", "TRY"},
      {"500 g 3,49", "3.49", nullptr},
      {"Was $20 Now $15", "15", "USD"},
      {"statt 20 € nur 15 €", "15", "EUR"},
      {"UVP: 20,00 € 15,00 €", "15.00", "EUR"},
      {"RRP £25 £19.99", "19.99", "GBP"},
      {"de R$ 200 por R$ 150", "150", "BRL"},
      {"было 200 ₽ стало 150 ₽", "150", "RUB"},
      {"statt 20 €", "20", "EUR"},
  });
}

TEST(ReadMoney, ReadsNegativeAmounts) {
  expect_all({
      {"-5,00 €", "-5.00", "EUR"},
      {"−5,00 €", "-5.00", "EUR"},
      {"−\u00A05,00 €", "-5.00", "EUR"},
      {"- 5 €", "-5", "EUR"},
      {"-$5", "-5", "USD"},
      {"$-5", "-5", "USD"},
      {"€ -5", "-5", "EUR"},
      {"–5 €", "-5", "EUR"},
      {"Discount: -$5.50", "-5.50", "USD"},
      {"-0,00 €", "0.00", "EUR"},
      {"Lamp - 5 €", "5", "EUR"},
      {"A-5 €", "5", "EUR"},
  });
}

TEST(ReadMoney, ReadsFreeAsZero) {
  expect_all({
      {"free", "0", nullptr},
      {"FREE", "0", nullptr},
      {"Kostenlos", "0", nullptr},
      {"gratuit", "0", nullptr},
      {"gratis", "0", nullptr},
      {"Grátis", "0", nullptr},
      {"бесплатно", "0", nullptr},
      {"Za darmo", "0", nullptr},
      {"zdarma", "0", nullptr},
      {"ücretsiz", "0", nullptr},
      {"無料", "0", nullptr},
      {"完全無料です", "0", nullptr},
      {"免费", "0", nullptr},
      {"무료", "0", nullptr},
      {"مجاني", "0", nullptr},
      {"Free (was $9.99)", "0", nullptr},
      {"Free shipping, 12,99 €", "12.99", "EUR"},
      {"sugar-free", nullptr, nullptr},
      {"freezer", nullptr, nullptr},
  });
}

TEST(ReadMoney, ReadsMagnitudes) {
  expect_all({
      {"1,5 Mio. €", "1500000", "EUR"},
      {"€3k", "3000", "EUR"},
      {"£1.25m", "1250000", "GBP"},
      {"$2.5 million", "2500000", "USD"},
      {"2.5 billion dollars", "2500000000", "USD"},
      {"1.2万円", "12000", "JPY"},
      {"3억원", "300000000", "KRW"},
      {"1,5 млн ₽", "1500000", "RUB"},
      {"₹12 lakh", "1200000", "INR"},
  });
}

TEST(ReadMoney, ReturnsNothingWithoutAPrice) {
  expect_all({
      {"", nullptr, nullptr},
      {"Price on request", nullptr, nullptr},
      {"auf Anfrage", nullptr, nullptr},
      {"N/A", nullptr, nullptr},
      {"sold out", nullptr, nullptr},
      {"€", nullptr, "EUR"},
      {"-20%", nullptr, nullptr},
      {"1.2.3", nullptr, nullptr},
      {"12.03.2026", nullptr, nullptr},
      {"\xFF\xFE", nullptr, nullptr},
      {"11111111111111111111111111111111111111111111111", nullptr, nullptr},
  });
}

TEST(ReadMoney, ReadsHugeTextQuickly) {
  const std::string digits(1'000'000, '1');
  EXPECT_EQ(read_money(digits), Money{});
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "1 kr ";
  EXPECT_EQ(read_money(many), (Money{"1", "SEK"}));
}

}  // namespace
}  // namespace heddle::pages
