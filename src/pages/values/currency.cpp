#include "pages/values/currency.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

enum class NameRule {
  anywhere,
  ambiguous,    // shared by several currencies
  exact_case,   // too short or too common a word to ignore its case
  before_only,  // exact case, and only in front of the number
  hundredths,
};

struct CurrencyName {
  std::u32string_view text;  // lower case, unless exact
  std::string_view code;
  NameRule rule = NameRule::anywhere;
};

using enum NameRule;

constexpr auto kCurrencyNames = std::to_array<CurrencyName>({
    // Symbols of the large currencies and the prefixes that distinguish dollars.
    {U"€", "EUR"},
    {U"£", "GBP"},
    {U"$", "USD", ambiguous},
    {U"¥", "JPY", ambiguous},
    {U"us$", "USD"},
    {U"u$s", "USD"},
    {U"us $", "USD"},
    {U"au$", "AUD"},
    {U"a$", "AUD"},
    {U"ca$", "CAD"},
    {U"can$", "CAD"},
    {U"c$", "CAD"},
    {U"nz$", "NZD"},
    {U"hk$", "HKD"},
    {U"nt$", "TWD"},
    {U"s$", "SGD"},
    {U"sg$", "SGD"},
    {U"mx$", "MXN"},
    {U"mex$", "MXN"},
    {U"r$", "BRL"},
    {U"ar$", "ARS"},
    {U"clp$", "CLP"},
    {U"col$", "COP"},
    {U"$u", "UYU"},
    {U"rd$", "DOP"},
    {U"j$", "JMD"},
    {U"tt$", "TTD"},
    {U"bz$", "BZD"},
    {U"bds$", "BBD"},
    {U"bd$", "BMD"},
    {U"ci$", "KYD"},
    {U"cuc$", "CUC"},
    {U"ec$", "XCD"},
    {U"fj$", "FJD"},
    {U"gy$", "GYD"},
    {U"l$", "LRD"},
    {U"ld$", "LRD"},
    {U"mop$", "MOP"},
    {U"n$", "NAD"},
    {U"si$", "SBD"},
    {U"sr$", "SRD"},
    {U"t$", "TOP"},
    {U"ws$", "WST"},
    {U"z$", "ZWL"},
    {U"zw$", "ZWL"},
    {U"jp¥", "JPY"},
    {U"cn¥", "CNY"},
    {U"rmb", "CNY"},
    {U"₹", "INR"},
    {U"₽", "RUB"},
    {U"₩", "KRW"},
    {U"₺", "TRY"},
    {U"₴", "UAH"},
    {U"₫", "VND"},
    {U"₪", "ILS"},
    {U"₱", "PHP"},
    {U"฿", "THB"},
    {U"₦", "NGN"},
    {U"₡", "CRC"},
    {U"₲", "PYG"},
    {U"₵", "GHS"},
    {U"gh₵", "GHS"},
    {U"₸", "KZT"},
    {U"₼", "AZN"},
    {U"₾", "GEL"},
    {U"₭", "LAK"},
    {U"₮", "MNT"},
    {U"៛", "KHR"},
    {U"₨", "INR", ambiguous},
    {U"֏", "AMD"},
    {U"৳", "BDT"},
    {U"₿", "XBT"},
    {U"e£", "EGP"},

    // Words and abbreviations.
    {U"euro", "EUR"},
    {U"euros", "EUR"},
    {U"eura", "EUR"},
    {U"euroa", "EUR"},
    {U"eurot", "EUR"},
    {U"eur", "EUR"},
    {U"evro", "EUR"},
    {U"eiro", "EUR"},
    {U"eurų", "EUR"},
    {U"евро", "EUR"},
    {U"євро", "EUR"},
    {U"ευρώ", "EUR"},
    {U"ユーロ", "EUR"},
    {U"欧元", "EUR"},
    {U"歐元", "EUR"},
    {U"유로", "EUR"},
    {U"يورو", "EUR"},
    {U"dollar", "USD", ambiguous},
    {U"dollars", "USD", ambiguous},
    {U"dólar", "USD", ambiguous},
    {U"dólares", "USD", ambiguous},
    {U"dolar", "USD", ambiguous},
    {U"dolarów", "USD", ambiguous},
    {U"dollari", "USD", ambiguous},
    {U"доллар", "USD"},
    {U"доллара", "USD"},
    {U"долларов", "USD"},
    {U"долл", "USD"},
    {U"ドル", "USD"},
    {U"米ドル", "USD"},
    {U"美元", "USD"},
    {U"美金", "USD"},
    {U"달러", "USD"},
    {U"دولار", "USD"},
    {U"pound", "GBP"},
    {U"pounds", "GBP"},
    {U"pfund", "GBP"},
    {U"sterling", "GBP"},
    {U"英镑", "GBP"},
    {U"ポンド", "GBP"},
    {U"파운드", "GBP"},
    {U"円", "JPY"},
    {U"yen", "JPY"},
    {U"日元", "JPY"},
    {U"엔", "JPY"},
    {U"圓", "TWD", ambiguous},
    {U"元", "CNY", ambiguous},
    {U"人民币", "CNY"},
    {U"yuan", "CNY"},
    {U"块", "CNY"},
    {U"港币", "HKD"},
    {U"港元", "HKD"},
    {U"新台幣", "TWD"},
    {U"원", "KRW"},
    {U"won", "KRW"},
    {U"rs", "INR", ambiguous},
    {U"rs.", "INR", ambiguous},
    {U"rupees", "INR", ambiguous},
    {U"rupee", "INR", ambiguous},
    {U"रु", "INR"},
    {U"रु.", "INR"},
    {U"रुपये", "INR"},
    {U"руб", "RUB"},
    {U"руб.", "RUB"},
    {U"рублей", "RUB"},
    {U"рубля", "RUB"},
    {U"рубль", "RUB"},
    {U"р", "RUB"},
    {U"р.", "RUB"},
    {U"rub.", "RUB"},
    {U"грн", "UAH"},
    {U"грн.", "UAH"},
    {U"гривень", "UAH"},
    {U"гривні", "UAH"},
    {U"zł", "PLN"},
    {U"zl", "PLN"},
    {U"złotych", "PLN"},
    {U"złote", "PLN"},
    {U"zloty", "PLN"},
    {U"złoty", "PLN"},
    {U"kč", "CZK"},
    {U"kc", "CZK"},
    {U"korun", "CZK"},
    {U"koruny", "CZK"},
    {U"ft", "HUF"},
    {U"ft.", "HUF"},
    {U"forint", "HUF"},
    {U"lei", "RON"},
    {U"leu", "RON"},
    {U"лв", "BGN"},
    {U"лв.", "BGN"},
    {U"лева", "BGN"},
    {U"лев", "BGN"},
    {U"kr", "SEK", ambiguous},
    {U"kr.", "SEK", ambiguous},
    {U"kronor", "SEK"},
    {U"kroner", "NOK", ambiguous},
    {U"krónur", "ISK"},
    {U"fr.", "CHF", ambiguous},
    {U"sfr", "CHF"},
    {U"sfr.", "CHF"},
    {U"franken", "CHF"},
    {U"tl", "TRY"},
    {U"lira", "TRY"},
    {U"liras", "TRY"},
    {U"reais", "BRL"},
    {U"rand", "ZAR"},
    {U"R", "ZAR", before_only},
    {U"₪", "ILS"},
    {U"ש\"ח", "ILS"},
    {U"ש״ח", "ILS"},
    {U"שקל", "ILS"},
    {U"nis", "ILS"},
    {U"đ", "VND"},
    {U"vnđ", "VND"},
    {U"đồng", "VND"},
    {U"บาท", "THB"},
    {U"baht", "THB"},
    {U"rp", "IDR"},
    {U"rp.", "IDR"},
    {U"rupiah", "IDR"},
    {U"RM", "MYR", exact_case},
    {U"ringgit", "MYR"},
    {U"тг", "KZT"},
    {U"тг.", "KZT"},
    {U"тенге", "KZT"},
    {U"сом", "KGS"},
    {U"сум", "UZS"},
    {U"so'm", "UZS"},
    {U"ksh", "KES"},
    {U"ksh.", "KES"},
    {U"tsh", "TZS"},
    {U"ush", "UGX"},
    {U"naira", "NGN"},
    {U"birr", "ETB"},
    {U"fcfa", "XOF"},
    {U"cfa", "XOF"},
    {U"din", "RSD"},
    {U"din.", "RSD"},
    {U"дин", "RSD"},
    {U"дин.", "RSD"},
    {U"динара", "RSD"},
    {U"динар", "RSD"},
    {U"KM", "BAM", exact_case},
    {U"ден", "MKD"},
    {U"ден.", "MKD"},
    {U"lek", "ALL"},
    {U"lekë", "ALL"},
    {U"s/", "PEN"},
    {U"s/.", "PEN"},
    {U"soles", "PEN"},
    {U"Bs", "BOB", exact_case},
    {U"Bs.", "BOB", exact_case},
    {U"Gs", "PYG", exact_case},
    {U"Gs.", "PYG", exact_case},
    {U"pesos", "MXN", ambiguous},
    {U"peso", "MXN", ambiguous},
    {U"dh", "MAD"},
    {U"dhs", "AED"},
    {U"dhs.", "AED"},
    {U"dirham", "AED", ambiguous},
    {U"dirhams", "AED", ambiguous},
    {U"درهم", "AED", ambiguous},
    {U"د.إ", "AED"},
    {U"ر.س", "SAR"},
    {U"ريال", "SAR", ambiguous},
    {U"ر.ق", "QAR"},
    {U"د.ك", "KWD"},
    {U"kd", "KWD"},
    {U"د.ب", "BHD"},
    {U"ر.ع", "OMR"},
    {U"د.ا", "JOD"},
    {U"د.ت", "TND"},
    {U"dt", "TND"},
    {U"ج.م", "EGP"},
    {U"جنيه", "EGP"},
    {U"د.م", "MAD"},
    {U"ریال", "IRR"},
    {U"manat", "AZN"},
    {U"lari", "GEL"},
    {U"ლარი", "GEL"},
    {U"драм", "AMD"},

    // The number counts hundredths.
    {U"¢", "USD", hundredths},
    {U"ct", "EUR", hundredths},
    {U"ct.", "EUR", hundredths},
    {U"cent", "EUR", hundredths},
    {U"cents", "USD", hundredths},
    {U"centimes", "EUR", hundredths},
    {U"céntimos", "EUR", hundredths},
    {U"p", "GBP", hundredths},
    {U"pence", "GBP", hundredths},
});

// Every active ISO 4217 code, three letters each.
constexpr std::string_view kCodes =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP "
    "GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS "
    "KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR "
    "MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF "
    "SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS "
    "UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL";

// Codes that are no everyday words, so that their case does not matter.
constexpr std::string_view kCodesInAnyCase =
    "EUR USD GBP CHF JPY CNY SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH INR BRL MXN AUD CAD NZD "
    "HKD SGD KRW TWD THB IDR MYR PHP VND ZAR AED SAR ILS EGP NGN KES PKR KZT";

constexpr std::array<std::string_view, 7> kCodesOfThree{"BHD", "IQD", "JOD", "KWD",
                                                        "LYD", "OMR", "TND"};

bool is_latin_or_cyrillic(char32_t c) {
  return is_letter(c) && c < 0x0530;
}

// "kr" inside "krone" or "skr" is no currency; scripts without word spaces have no such rule.
bool stands_alone(const NormalizedText& normalized, std::size_t begin, std::size_t end) {
  const std::u32string& text = normalized.text;
  if (begin > 0 && is_latin_or_cyrillic(text[begin]) && is_letter(text[begin - 1])) return false;
  const bool ends_in_letter = is_latin_or_cyrillic(text[end - 1]);
  return !ends_in_letter || end >= text.size() || !is_letter(text[end]);
}

bool is_at(const NormalizedText& normalized, const CurrencyName& name, std::size_t begin) {
  const bool is_exact = name.rule == exact_case || name.rule == before_only;
  const std::u32string& text = is_exact ? normalized.text : normalized.folded;
  return std::u32string_view(text).substr(begin).starts_with(name.text) &&
         stands_alone(normalized, begin, begin + name.text.size());
}

std::string_view find_code(std::string_view codes, std::string_view letters) {
  for (std::size_t at = 0; at < codes.size(); at += 4)
    if (codes.substr(at, 3) == letters) return codes.substr(at, 3);
  return {};
}

std::optional<CurrencyMatch> code_at(const NormalizedText& normalized, std::size_t begin) {
  if (begin + 3 > normalized.text.size() || !stands_alone(normalized, begin, begin + 3))
    return std::nullopt;
  std::string letters;
  bool is_upper = true;
  for (std::size_t i = begin; i < begin + 3; ++i) {
    const char32_t c = normalized.folded[i];
    if (c < U'a' || c > U'z') return std::nullopt;
    is_upper = is_upper && c != normalized.text[i];
    letters += static_cast<char>(c - U'a' + U'A');
  }
  const std::string_view code = find_code(is_upper ? kCodes : kCodesInAnyCase, letters);
  if (code.empty()) return std::nullopt;
  const bool has_dollar = begin + 3 < normalized.text.size() && normalized.text[begin + 3] == U'$';
  return CurrencyMatch{code, begin, begin + (has_dollar ? 4 : 3)};  // "CAD", "CAD$"
}

CurrencyMatch match_of(const CurrencyName& name, std::size_t begin) {
  const bool is_short_word = name.text.size() <= 3 &&
                             std::all_of(name.text.begin(), name.text.end(), is_latin_or_cyrillic);
  return {name.code,
          begin,
          begin + name.text.size(),
          name.rule == hundredths ? 2 : 0,
          name.rule == ambiguous,
          is_short_word};
}

bool is_longer(const CurrencyMatch& match, const std::optional<CurrencyMatch>& best) {
  return !best || match.end - match.begin > best->end - best->begin;
}

}  // namespace

std::optional<CurrencyMatch> currency_at(const NormalizedText& normalized, std::size_t at) {
  if (at >= normalized.text.size()) return std::nullopt;
  std::optional<CurrencyMatch> best = code_at(normalized, at);
  for (const CurrencyName& name : kCurrencyNames) {
    if (name.rule == before_only || name.text.size() > normalized.text.size() - at) continue;
    const CurrencyMatch match = match_of(name, at);
    if (is_longer(match, best) && is_at(normalized, name, at)) best = match;
  }
  return best;
}

std::optional<CurrencyMatch> currency_before(const NormalizedText& normalized, std::size_t end) {
  std::optional<CurrencyMatch> best;
  for (const std::size_t size : {3, 4})
    if (end >= size)
      if (const auto code = code_at(normalized, end - size); code && code->end == end) best = code;
  for (const CurrencyName& name : kCurrencyNames) {
    if (name.rule == hundredths || name.text.size() > end) continue;
    const CurrencyMatch match = match_of(name, end - name.text.size());
    if (is_longer(match, best) && is_at(normalized, name, match.begin)) best = match;
  }
  return best;
}

std::optional<CurrencyMatch> currency_anywhere(const NormalizedText& normalized) {
  std::optional<CurrencyMatch> first;
  for (std::size_t at = 0; at < normalized.text.size(); ++at) {
    const auto match = currency_at(normalized, at);
    if (!match || match->minor_places != 0 || match->is_weak) continue;
    if (!match->is_ambiguous) return match;
    if (!first) first = match;
    at = match->end - 1;
  }
  return first;
}

bool has_three_decimals(std::string_view code) {
  return std::find(kCodesOfThree.begin(), kCodesOfThree.end(), code) != kCodesOfThree.end();
}

}  // namespace heddle::pages
