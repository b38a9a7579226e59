#include "pages/values/money_words.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

using Word = std::u32string_view;

constexpr auto kFree = std::to_array<Word>({
    U"free",       U"free of charge",
    U"for free",   U"complimentary",
    U"kostenlos",  U"kostenfrei",
    U"gratis",     U"umsonst",
    U"gratuit",    U"gratuite",
    U"gratuits",   U"gratuitement",
    U"gratuito",   U"gratuita",
    U"grátis",     U"gratuït",
    U"darmowy",    U"darmowa",
    U"darmowe",    U"za darmo",
    U"bezpłatny",  U"bezpłatnie",
    U"zdarma",     U"zadarmo",
    U"ingyenes",   U"ingyen",
    U"ücretsiz",   U"bedava",
    U"ilmainen",   U"maksuton",
    U"ilmaiseksi", U"tasuta",
    U"bezmaksas",  U"nemokamai",
    U"nemokama",   U"besplatno",
    U"brezplačno", U"бесплатно",
    U"бесплатный", U"безкоштовно",
    U"безплатно",  U"бесплатна",
    U"δωρεάν",     U"مجاني",
    U"مجانا",      U"مجاناً",
    U"رایگان",     U"חינם",
    U"無料",       U"免费",
    U"免費",       U"무료",
    U"miễn phí",   U"ฟรี",
    U"percuma",    U"मुफ़्त",
    U"मुफ्त",        U"kostnadsfritt",
    U"ókeypis",    U"falas",
});

constexpr auto kOldPrice = std::to_array<Word>({
    U"was",
    U"before",
    U"originally",
    U"instead of",
    U"list price",
    U"old price",
    U"regular price",
    U"rrp",
    U"msrp",
    U"srp",
    U"reg.",
    U"orig.",
    U"statt",
    U"vorher",
    U"uvp",
    U"bisher",
    U"früher",
    U"ehemals",
    U"war",
    U"alter preis",
    U"au lieu de",
    U"avant",
    U"ancien prix",
    U"prix conseillé",
    U"antes",
    U"pvp",
    U"pvpr",
    U"antes de",
    U"precio anterior",
    U"de",
    U"prima",
    U"anziché",
    U"invece di",
    U"van",
    U"adviesprijs",
    U"was eerst",
    U"przed",
    U"było",
    U"zamiast",
    U"původně",
    U"místo",
    U"ord. pris",
    U"ord.pris",
    U"tidigare",
    U"før",
    U"førpris",
    U"norm.",
    U"ovh",
    U"было",
    U"старая цена",
    U"вместо",
    U"раньше",
    U"定価",
    U"原价",
    U"原價",
    U"参考価格",
    U"정가",
    U"eski fiyat",
    U"eskiden",
    U"save",
    U"you save",
    U"sie sparen",
    U"spare",
    U"ersparnis",
    U"économisez",
    U"ahorra",
    U"risparmi",
    U"shipping",
    U"versand",
    U"versandkosten",
    U"zzgl.",
    U"plus",
    U"delivery",
    U"livraison",
    U"envío",
    U"spedizione",
    U"доставка",
});

constexpr auto kRange = std::to_array<Word>({
    U"from",         U"starting at", U"starts at", U"as low as", U"ab",          U"von",
    U"à partir de",  U"dès",         U"de",        U"desde",     U"a partir de", U"da",
    U"a partire da", U"vanaf",       U"od",        U"již od",    U"från",        U"fra",
    U"alkaen",       U"от",          U"від",       U"από",       U"preis",       U"price",
    U"prix",         U"precio",      U"prezzo",    U"preço",     U"prijs",       U"cena",
    U"цена",         U"ціна",        U"hinta",     U"pris",      U"fiyat",
});

constexpr auto kUnits = std::to_array<Word>({
    U"g",     U"kg",    U"mg",   U"lb",   U"lbs",   U"oz",     U"ml",    U"cl",   U"l",      U"m",
    U"cm",    U"mm",    U"km",   U"m²",   U"gb",    U"tb",     U"mb",    U"w",    U"kwh",    U"v",
    U"x",     U"×",     U"pcs",  U"pack", U"stk",   U"stück",  U"st",    U"szt",  U"ks",     U"шт",
    U"г",     U"кг",    U"мл",   U"个",   U"個",    U"件",     U"items", U"item", U"pieces", U"for",
    U"units", U"stars", U"days", U"tage", U"jours", U"months", U"in",    U"zoll", U"inch",   U"\"",
});

constexpr auto kBetween = std::to_array<Word>({
    U"between",
    U"zwischen",
    U"entre",
    U"tra",
    U"fra",
    U"tussen",
    U"między",
    U"mezi",
    U"mellan",
    U"mellem",
    U"mellom",
    U"между",
    U"між",
    U"intre",
    U"între",
});

constexpr auto kRangeJoints = std::to_array<Word>({
    U"-",     U"\u2013", U"\u2212", U"~",  U"..",  U"...",  U"…",     U"to",     U"till", U"until",
    U"up to", U"bis",    U"à",      U"a",  U"al",  U"até",  U"hasta", U"fino a", U"tot",  U"do",
    U"až",    U"til",    U"till",   U"до", U"έως", U"から", U"至",    U"到",
});

constexpr auto kAndJoints = std::to_array<Word>({U"and", U"und", U"et", U"y", U"e", U"en", U"i",
                                                 U"a", U"och", U"og", U"и", U"та", U"și", U"&"});

bool is_latin_or_cyrillic(char32_t c) {
  return is_letter(c) && c < 0x0530;
}

// Whole words only, in scripts that separate words by spaces.
bool is_whole_word(Word text, std::size_t begin, std::size_t end) {
  const bool joined_before = begin > 0 && is_latin_or_cyrillic(text[begin]) &&
                             (is_letter(text[begin - 1]) || text[begin - 1] == U'-');
  const bool joined_after =
      end < text.size() && is_latin_or_cyrillic(text[end - 1]) && is_letter(text[end]);
  return !joined_before && !joined_after;
}

bool contains_word(Word text, Word word) {
  for (std::size_t at = text.find(word); at != Word::npos; at = text.find(word, at + 1))
    if (is_whole_word(text, at, at + word.size())) return true;
  return false;
}

template <std::size_t N>
bool ends_in_one_of(const std::array<Word, N>& words, Word text) {
  while (!text.empty() && (text.back() == U' ' || text.back() == U':')) text.remove_suffix(1);
  return std::any_of(words.begin(), words.end(), [&](Word word) {
    return text.ends_with(word) && is_whole_word(text, text.size() - word.size(), text.size());
  });
}

Word before(const NormalizedText& normalized, std::size_t at) {
  return Word(normalized.folded).substr(0, at);
}

}  // namespace

bool says_free(const NormalizedText& normalized) {
  return std::any_of(kFree.begin(), kFree.end(),
                     [&](Word word) { return contains_word(normalized.folded, word); });
}

bool follows_old_price_word(const NormalizedText& normalized, std::size_t at) {
  return ends_in_one_of(kOldPrice, before(normalized, at));
}

bool follows_range_word(const NormalizedText& normalized, std::size_t at) {
  return ends_in_one_of(kRange, before(normalized, at)) ||
         ends_in_one_of(kBetween, before(normalized, at));
}

bool precedes_unit_word(const NormalizedText& normalized, std::size_t at) {
  const Word text = normalized.folded;
  if (at < text.size() && text[at] == U' ') ++at;
  const Word rest = text.substr(std::min(at, text.size()));
  return std::any_of(kUnits.begin(), kUnits.end(), [&](Word unit) {
    return rest.starts_with(unit) && is_whole_word(text, at, at + unit.size());
  });
}

bool joins_range(const NormalizedText& normalized, std::u32string_view gap, std::size_t first) {
  while (!gap.empty() && gap.front() == U' ') gap.remove_prefix(1);
  while (!gap.empty() && gap.back() == U' ') gap.remove_suffix(1);
  if (std::find(kRangeJoints.begin(), kRangeJoints.end(), gap) != kRangeJoints.end()) return true;
  return std::find(kAndJoints.begin(), kAndJoints.end(), gap) != kAndJoints.end() &&
         ends_in_one_of(kBetween, before(normalized, first));
}

}  // namespace heddle::pages
