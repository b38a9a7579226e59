// The standard's categories of elements by name, as bits of one table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "html/document.hpp"
#include "html/names.hpp"

namespace heddle::html::parser {

enum TagTrait : std::uint32_t {
  is_special = 1U << 0U,
  ends_scope = 1U << 1U,            // ends searches in the default scope
  ends_list_item_scope = 1U << 2U,  // … in list item scope
  ends_button_scope = 1U << 3U,     // … in button scope
  ends_table_scope = 1U << 4U,      // … in table scope
  has_implied_end = 1U << 5U,
  has_implied_end_in_template = 1U << 6U,  // "generate all implied end tags thoroughly"
  is_heading = 1U << 7U,
  is_table_part = 1U << 8U,             // misplaced content is foster-parented before the table
  is_table_group = 1U << 9U,            // tbody, thead, tfoot
  is_cell = 1U << 10U,                  // td, th
  exits_foreign_content = 1U << 11U,    // its start tag ends SVG and MathML
  is_transparent_to_items = 1U << 12U,  // special, but searches of <li> and <dd> continue beyond it
  is_head_content = 1U << 13U,          // belongs into the head until the body starts
};

inline constexpr std::uint32_t kEveryScope = ends_scope | ends_list_item_scope | ends_button_scope;

using TagTraits = std::array<std::uint32_t, 256>;
static_assert(kKnownNames.size() <= std::tuple_size_v<TagTraits>);

namespace detail {

constexpr void add_trait(TagTraits& traits, std::uint32_t bits,
                         std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const NameId id = find_known_name(name);
    if (id == kNoName) throw "add this name to kKnownNames";
    traits[id] |= bits;
  }
}

constexpr TagTraits tag_traits() {
  TagTraits traits{};
  add_trait(traits, is_special,
            {"address", "applet",     "area",     "article",    "aside",     "base",     "basefont",
             "bgsound", "blockquote", "body",     "br",         "button",    "caption",  "center",
             "col",     "colgroup",   "dd",       "details",    "dir",       "div",      "dl",
             "dt",      "embed",      "fieldset", "figcaption", "figure",    "footer",   "form",
             "frame",   "frameset",   "h1",       "h2",         "h3",        "h4",       "h5",
             "h6",      "head",       "header",   "hgroup",     "hr",        "html",     "iframe",
             "img",     "input",      "keygen",   "li",         "link",      "listing",  "main",
             "marquee", "menu",       "meta",     "nav",        "noembed",   "noframes", "noscript",
             "object",  "ol",         "p",        "param",      "plaintext", "pre",      "script",
             "search",  "section",    "select",   "source",     "style",     "summary",  "table",
             "tbody",   "td",         "template", "textarea",   "tfoot",     "th",       "thead",
             "title",   "tr",         "track",    "ul",         "wbr",       "xmp"});
  add_trait(traits, kEveryScope,
            {"applet", "caption", "html", "table", "td", "th", "marquee", "object", "select",
             "template"});
  add_trait(traits, ends_list_item_scope, {"ol", "ul"});
  add_trait(traits, ends_button_scope, {"button"});
  add_trait(traits, ends_table_scope, {"html", "table", "template"});
  add_trait(traits, has_implied_end | has_implied_end_in_template,
            {"dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"});
  add_trait(traits, has_implied_end_in_template,
            {"caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"});
  add_trait(traits, is_heading, {"h1", "h2", "h3", "h4", "h5", "h6"});
  add_trait(traits, is_table_part, {"table", "tbody", "tfoot", "thead", "tr"});
  add_trait(traits, is_table_group, {"tbody", "tfoot", "thead"});
  add_trait(traits, is_cell, {"td", "th"});
  add_trait(traits, exits_foreign_content,
            {"b",      "big",  "blockquote", "body",  "br",   "center", "code",    "dd",   "div",
             "dl",     "dt",   "em",         "embed", "h1",   "h2",     "h3",      "h4",   "h5",
             "h6",     "head", "hr",         "i",     "img",  "li",     "listing", "menu", "meta",
             "nobr",   "ol",   "p",          "pre",   "ruby", "s",      "small",   "span", "strong",
             "strike", "sub",  "sup",        "table", "tt",   "u",      "ul",      "var"});
  add_trait(traits, is_head_content,
            {"base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style",
             "template", "title"});
  add_trait(traits, is_transparent_to_items, {"address", "div", "p"});
  return traits;
}

}  // namespace detail

inline constexpr TagTraits kTagTraits = detail::tag_traits();

// The traits of an HTML element. Names that are not well known have none.
constexpr std::uint32_t html_traits(NameId tag) {
  return tag < kTagTraits.size() ? kTagTraits[tag] : 0;
}

// Of SVG and MathML only the integration points for HTML matter.
constexpr std::uint32_t foreign_traits(NameId tag, Namespace space) {
  switch (tag) {
    case known("mi"):
    case known("mo"):
    case known("mn"):
    case known("ms"):
    case known("mtext"):
    case known("annotation-xml"):
      return space == Namespace::mathml ? is_special | kEveryScope : 0;
    case known("foreignObject"):
    case known("desc"):
    case known("title"):
      return space == Namespace::svg ? is_special | kEveryScope : 0;
    default:
      return 0;
  }
}

}  // namespace heddle::html::parser
