// PageOutline says of every element how much text it shows and which part of a page it belongs to.
// Computed in two passes over the document, which must outlive it. Immutable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "html/document.hpp"

namespace heddle::pages {

// Parts of pages that surround the content. An element may be in several.
enum class Region : std::uint16_t {
  navigation = 1,
  header = 2,
  footer = 4,
  aside = 8,
  related = 16,  // "customers also bought", "read next"
  comments = 32,
  overlay = 64,     // cookie bars, dialogs
  promotion = 128,  // advertisements, newsletter forms, share buttons
  pager = 256,
  breadcrumb = 512,
};

constexpr std::uint16_t bit(Region region) {
  return static_cast<std::uint16_t>(region);
}

class PageOutline {
 public:
  explicit PageOutline(const html::Document& document);

  [[nodiscard]] const html::Document& document() const { return *document_; }
  // Displayed itself and inside displayed elements only.
  [[nodiscard]] bool is_shown(html::NodeId node) const { return nodes_[node].is_shown; }
  // Characters other than white space that are shown below the node; in links.
  [[nodiscard]] std::uint32_t text_length(html::NodeId node) const { return nodes_[node].text; }
  [[nodiscard]] std::uint32_t link_length(html::NodeId node) const {
    return nodes_[node].link_text;
  }
  [[nodiscard]] bool is_in_link(html::NodeId node) const { return nodes_[node].is_in_link; }
  [[nodiscard]] bool is_in(html::NodeId node, Region region) const {
    return (nodes_[node].regions & bit(region)) != 0;
  }
  [[nodiscard]] std::uint16_t regions(html::NodeId node) const { return nodes_[node].regions; }
  // Not inside navigation, header, footer, overlays, breadcrumbs, pagers.
  [[nodiscard]] bool is_content(html::NodeId node) const;
  // The first shown h1 outside of regions, else any shown h1, else kNoNode.
  [[nodiscard]] html::NodeId heading() const { return heading_; }
  // The one <main> or role=main, kNoNode when there is none or several.
  [[nodiscard]] html::NodeId main() const { return main_; }
  // Text of pages that show it only to readers without scripts counts as shown.
  [[nodiscard]] bool reads_noscript() const { return reads_noscript_; }

 private:
  struct Node {
    std::uint32_t text = 0;
    std::uint32_t link_text = 0;
    std::uint16_t regions = 0;
    bool is_shown = false;
    bool is_in_link = false;
  };

  void mark_shown();
  void sum_text();
  void mark_regions();
  void find_heading();
  void find_main();
  [[nodiscard]] std::uint16_t own_regions(html::NodeId node) const;

  const html::Document* document_;
  std::vector<Node> nodes_;
  html::NodeId heading_ = html::kNoNode;
  html::NodeId main_ = html::kNoNode;
  bool reads_noscript_ = false;
};

// Calls visit(word) for each word of a class or id: "ProductCard--old_price" has "product", "card",
// "old", "price". Words are in lower case and valid during the call.
template <class Visit>
void each_name_word(std::string_view names, Visit visit) {
  char word[32];
  std::size_t length = 0;
  char before = ' ';
  for (const char c : names) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_word = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool turns = is_upper && before >= 'a' && before <= 'z';
    if ((!is_word || turns) && length > 0) {
      visit(std::string_view(word, length));
      length = 0;
    }
    if (is_word && length < sizeof(word)) word[length++] = is_upper ? static_cast<char>(c + 32) : c;
    before = c;
  }
  if (length > 0) visit(std::string_view(word, length));
}

}  // namespace heddle::pages
