#include "pages/infer/name_words.hpp"

#include <algorithm>
#include <array>

#include "pages/outline/outline.hpp"

namespace heddle::pages {

namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_digit_byte(char c) {
  return c >= '0' && c <= '9';
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// Changes between letters and digits or in case, as in "1q2w3e" and "xK9dQ".
int turns(std::string_view text) {
  int count = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char a = text[i - 1];
    const char b = text[i];
    count += (is_digit_byte(a) != is_digit_byte(b)) || (is_lower(a) && is_upper(b)) ? 1 : 0;
  }
  return count;
}

// Words have vowels; "bdvGrx" has none, "kXwZqa" turns too often.
bool looks_random(std::string_view part) {
  if (part.size() < 5) return false;
  if (std::any_of(part.begin(), part.end(), is_digit_byte) && turns(part) >= 2) return true;
  if (turns(part) >= 3 && std::size_t(turns(part)) * 3 >= part.size()) return true;
  const auto vowels = std::count_if(part.begin(), part.end(), [](char c) {
    return std::string_view("aeiouyAEIOUY").find(c) != std::string_view::npos;
  });
  return vowels == 0 && part.size() >= 6;
}

bool is_styling(std::string_view name) {
  if (name.find_first_of(":/[]!@%") != std::string_view::npos) return true;
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"col-",   "row-",    "mt-",     "mb-",      "ml-",       "mr-",        "mx-",
       "my-",    "pt-",     "pb-",     "pl-",      "pr-",       "px-",        "py-",
       "m-",     "p-",      "w-",      "h-",       "text-",     "bg-",        "font-",
       "flex-",  "grid-",   "gap-",    "border-",  "rounded-",  "items-",     "justify-",
       "align-", "self-",   "order-",  "leading-", "tracking-", "space-",     "min-",
       "max-",   "d-",      "float-",  "shadow-",  "overflow-", "object-",    "u-",
       "size-",  "small-",  "medium-", "large-",   "xs-",       "sm-",        "md-",
       "lg-",    "offset-", "z-",      "display-", "has-",      "elementor-", "wp-block-",
       "vc_",    "et_pb_",  "fs-",     "fw-",      "color-"});
  for (const std::string_view prefix : kPrefixes)
    if (name.starts_with(prefix)) return true;
  return is_one_of(name,
                   {"flex",      "grid",     "block",     "inline",   "inline-block", "hidden",
                    "relative",  "absolute", "row",       "col",      "column",       "columns",
                    "container", "wrapper",  "clearfix",  "left",     "right",        "center",
                    "inner",     "outer",    "box",       "cf",       "truncate",     "underline",
                    "bold",      "italic",   "uppercase", "small",    "large",        "btn",
                    "button",    "icon",     "lazy",      "lazyload", "lazyloaded",   "img-fluid"});
}

bool is_state(std::string_view name) {
  bool found = is_one_of(
      name, {"first",    "last",       "odd",         "even",    "active", "selected", "current",
             "open",     "closed",     "hover",       "visible", "new",    "sale",     "on-sale",
             "instock",  "outofstock", "featured",    "sticky",  "loaded", "alt",      "is-active",
             "disabled", "highlight",  "highlighted", "onsale"});
  const auto digits = std::count_if(name.begin(), name.end(), is_digit_byte);
  found |= digits >= 2 && digits * 3 >= std::ptrdiff_t(name.size());
  // "post-1234", "item17"
  const std::size_t tail = name.size() - (name.find_last_not_of("0123456789") + 1);
  return found || (tail >= 2 && tail < name.size());
}

bool is_generated(std::string_view name) {
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"css-", "sc-", "jsx-", "jss", "svelte-", "astro-", "emotion-", "makeStyles-", "MuiBox-root-",
       "ng-tns-", "_ngcontent", "data-v-", "styled-", "chakra-", "mantine-"});
  for (const std::string_view prefix : kPrefixes)
    if (name.starts_with(prefix) && name.size() > prefix.size() + 2 &&
        (prefix == "sc-" || looks_random(name.substr(prefix.size())) ||
         name.find_first_of("0123456789") != std::string_view::npos))
      return true;
  std::size_t begin = 0;
  while (begin < name.size()) {
    const std::size_t end = std::min(name.find_first_of("-_", begin), name.size());
    if (looks_random(name.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return name.starts_with('_') && name.size() <= 8;
}

}  // namespace

void add_field_signs(std::string_view names, FieldNameSigns& signs) {
  each_name_word(names, [&](std::string_view word) {
    signs.title |=
        is_one_of(word, {"title", "titel", "titre", "titulo", "titolo", "name", "heading",
                         "headline", "subject", "nom", "nombre", "caption", "hdr"});
    signs.price |= word.find("price") != std::string_view::npos ||
                   is_one_of(word, {"preis", "prix", "precio", "preco", "prezzo", "prijs", "cena",
                                    "pris", "amount", "cost", "hinta", "pret", "fiyat", "salary"});
    signs.old_price |=
        is_one_of(word, {"old", "was", "regular", "strike", "original", "rrp", "msrp", "list",
                         "before", "compare", "uvp", "crossed", "shipping"});
    signs.date |=
        is_one_of(word, {"date", "time", "datum", "published", "timestamp", "fecha", "data",
                         "posted", "when", "updated", "datetime", "ago", "pubdate"});
    signs.rating |= is_one_of(word, {"rating", "ratings", "stars", "star", "score", "bewertung",
                                     "note", "avis", "reviews", "ratingvalue", "points"});
    signs.description |=
        is_one_of(word, {"description", "desc", "summary", "excerpt", "teaser", "snippet",
                         "abstract", "intro", "blurb", "text", "body", "beschreibung", "resumen",
                         "dek", "lead", "subtitle", "details", "content"});
    signs.side |= is_one_of(
        word, {"sku",      "code",    "number", "brand", "vendor", "manufacturer", "author",
               "category", "label",   "badge",  "tag",   "byline", "meta",         "eyebrow",
               "kicker",   "section", "source", "store", "seller", "location"});
    signs.block |= is_one_of(
        word, {"item",    "items",   "card",    "product", "result", "entry", "article", "post",
               "listing", "tile",    "teaser",  "row",     "hit",    "job",   "offer",   "story",
               "record",  "artikel", "produkt", "produit", "ad",     "event", "course",  "li",
               "thing",   "athing",  "topic",   "thread",  "pod"});
  });
}

NameKind name_kind(std::string_view name) {
  if (is_generated(name)) return NameKind::generated;
  if (is_state(name)) return NameKind::state;
  if (is_styling(name)) return NameKind::styling;
  FieldNameSigns signs;
  add_field_signs(name, signs);
  const bool is_meaningful =
      signs.title || signs.price || signs.date || signs.rating || signs.description || signs.block;
  return is_meaningful ? NameKind::meaningful : NameKind::plain;
}

std::string_view lasting_prefix(std::string_view name) {
  const std::size_t mark = name.rfind("__");
  if (mark == std::string_view::npos || mark < 4) return {};
  const std::string_view tail = name.substr(mark + 2);
  const std::string_view head = name.substr(0, mark);
  const bool is_hash = tail.size() >= 4 && tail.size() <= 10 && looks_random(tail);
  if (!is_hash || name_kind(head) == NameKind::generated) return {};
  return name.substr(0, mark + 2);
}

}  // namespace heddle::pages
