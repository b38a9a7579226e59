// Serializes random trees, parses the HTML and serializes it again: trees nested as the standard
// allows must come back byte by byte.
#include <array>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "html/serialize.hpp"

namespace heddle::html {
namespace {

constexpr std::array<std::string_view, 10> kWords = {"word",       " ",        "&amp;", "&lt;b&gt;",
                                                     "&nbsp;",     "\xC3\xA9", "a=1 b", "&amp;amp",
                                                     "0123456789", "\n"};

constexpr std::array<std::string_view, 5> kValues = {"", "x y", "?a=1&amp;copy=2", "&quot;'<>",
                                                     "\xE2\x82\xAC"};

constexpr std::array<std::string_view, 4> kNames = {"id", "class", "data-own", "href"};

constexpr std::array<std::string_view, 6> kTags = {"b", "i", "span", "em", "code", "x-own"};

constexpr std::array<std::string_view, 3> kTexts = {"if (a < b && c) {}", "<p>&amp;</p>",
                                                    "<!-- <script> </script> -->"};

class PageWriter {
 public:
  explicit PageWriter(unsigned seed) : random_(seed) {}

  std::string page() {
    std::string out = "<!DOCTYPE html><html><head><title>" + text() + "</title></head><body";
    out += attributes() + ">";
    for (std::size_t i = pick(6); i > 0; --i) out += block(4);
    return out + "</body></html>";
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  template <std::size_t N>
  std::string one_of(const std::array<std::string_view, N>& choices) {
    return std::string(choices[pick(N)]);
  }

  // Escaped as the serializer does it.
  std::string text() {
    std::string out = "t";
    for (std::size_t i = pick(8); i > 0; --i) out += one_of(kWords);
    return out;
  }

  std::string attributes() {
    std::string out;
    for (const std::string_view name : kNames)
      if (pick(3) == 0) out += " " + std::string(name) + "=\"" + one_of(kValues) + "\"";
    return out;
  }

  std::string element(const std::string& tag, const std::string& content) {
    return "<" + tag + attributes() + ">" + content + "</" + tag + ">";
  }

  std::string inline_content(std::size_t depth) {
    std::string out = text();
    if (depth == 0) return out;
    for (std::size_t i = pick(3); i > 0; --i) {
      out += element(one_of(kTags), inline_content(depth - 1)) + text();
      if (pick(4) == 0) out += "<br><img" + attributes() + "><!--" + "a -- b-->";
    }
    return out;
  }

  std::string list(std::size_t depth) {
    std::string items;
    for (std::size_t i = 1 + pick(3); i > 0; --i) items += element("li", block(depth));
    return element("ul", items);
  }

  std::string table(std::size_t depth) {
    std::string rows;
    for (std::size_t i = 1 + pick(3); i > 0; --i)
      rows += element("tr", element("td", block(depth)) + element("th", inline_content(1)));
    return element("table", element("tbody", rows));
  }

  std::string raw() {
    return pick(2) == 0 ? element("script", one_of(kTexts)) : element("style", "a > b { & }");
  }

  std::string graphic() {
    return element("svg", "<g viewBox=\"1\">" + element("foreignObject", block(0)) + "</g>");
  }

  std::string block(std::size_t depth) {
    if (depth == 0) return element("p", inline_content(2));
    switch (pick(7)) {
      case 0:
        return list(depth - 1);
      case 1:
        return table(depth - 1);
      case 2:
        return raw();
      case 3:
        return graphic();
      case 4:
        return element("template", block(depth - 1));
      case 5:
        return element("select", element("option", text()) + element("option", text()));
      default:
        return element("div", block(depth - 1) + inline_content(2) + block(depth - 1));
    }
  }

  std::mt19937 random_;
};

TEST(Parse, RoundTripsEveryConformingPage) {
  Parser parser;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const std::string page = PageWriter(seed).page();
    const auto document = parser.parse(page);
    ASSERT_TRUE(document) << page;
    ASSERT_EQ(outer_html(*document, Document::root()), page) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::html
