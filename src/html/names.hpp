// Maps tag and attribute names to small integers, so that matching compares numbers.
// Well-known names have the same id in every document; other names get an id in their Document.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::html {

using NameId = std::uint32_t;
inline constexpr NameId kNoName = 0;

// Sorted by use, not by letter: the order is not part of any contract. Index 0 is kNoName.
// clang-format off
inline constexpr auto kKnownNames = std::to_array<std::string_view>({
    "", "a", "abbr", "address", "article", "aside", "audio", "b", "base", "blockquote", "body",
    "br", "button", "canvas", "caption", "center", "cite", "code", "col", "colgroup",
    "datalist", "dd", "del", "details", "dialog", "dir", "div", "dl", "dt", "em", "embed",
    "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "g",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe",
    "img", "input", "ins", "kbd", "label", "legend", "li", "link", "listing", "main", "map",
    "mark", "math", "menu", "meta", "nav", "nobr", "noembed", "noframes", "noscript", "object",
    "ol", "optgroup", "option", "output", "p", "param", "path", "picture", "plaintext", "pre",
    "q", "rect", "rp", "rt", "ruby", "s", "samp", "script", "search", "section", "select",
    "small", "source", "span", "strong", "style", "sub", "summary", "sup", "svg", "table",
    "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr",
    "track", "tt", "u", "ul", "use", "var", "video", "wbr", "xmp", "area", "bgsound", "keygen",
    "basefont", "action", "alt", "aria-label", "aria-hidden", "async", "charset", "class",
    "color", "colspan", "content", "d", "data", "data-id", "data-src", "data-srcset",
    "datetime", "defer", "fill", "for", "formaction", "height", "hidden", "href", "hreflang",
    "http-equiv", "id", "itemprop", "itemscope", "itemtype", "lang", "loading", "media",
    "method", "name", "onclick", "placeholder", "poster", "property", "rel", "role", "rowspan",
    "src", "srcset", "sizes", "tabindex", "target", "type", "value", "viewBox", "width",
    "xmlns", "align", "valign", "border", "bgcolor", "cellpadding", "cellspacing", "checked",
    "disabled", "selected", "open", "xlink:href", "data-href", "applet", "big", "image",
    "marquee", "rb", "rtc", "strike", "mi", "mn", "mo", "ms", "mtext", "annotation-xml",
    "mglyph", "malignmark", "desc", "foreignObject", "encoding", "face", "size",
});
// clang-format on

// The slot where the search for a name starts. Deliberately cheap: computed for every attribute.
constexpr std::size_t known_name_slot(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[i]));
  };
  return text.empty()
             ? 0
             : text.size() * 59 + at(0) * 7 + at(text.size() - 1) * 131 + at(text.size() / 2) * 31;
}

struct KnownNameTable {
  static constexpr std::size_t kSlots = 1024;
  std::array<std::uint8_t, kSlots> ids{};

  constexpr KnownNameTable() {
    for (std::size_t id = 1; id < kKnownNames.size(); ++id) {
      std::size_t slot = known_name_slot(kKnownNames[id]) % kSlots;
      while (ids[slot] != 0) slot = (slot + 1) % kSlots;
      ids[slot] = static_cast<std::uint8_t>(id);
    }
  }
};
static_assert(kKnownNames.size() < 256);
inline constexpr KnownNameTable kKnownNameTable;

// The id of a well-known name, kNoName for any other. Names are compared as they are: lower-case.
constexpr NameId find_known_name(std::string_view text) {
  std::size_t slot = known_name_slot(text) % KnownNameTable::kSlots;
  while (const NameId id = kKnownNameTable.ids[slot]) {
    if (kKnownNames[id] == text) return id;
    slot = (slot + 1) % KnownNameTable::kSlots;
  }
  return kNoName;
}

// known("href") in code is a number; a name missing from the table does not compile.
consteval NameId known(std::string_view text) {
  const NameId id = find_known_name(text);
  if (id == kNoName) throw "add this name to kKnownNames";
  return id;
}

}  // namespace heddle::html
