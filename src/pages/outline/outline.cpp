#include "pages/outline/outline.hpp"

#include <algorithm>
#include <array>

#include "html/text.hpp"

namespace heddle::pages {

using html::known;
using html::NodeId;

namespace {

struct RegionWord {
  std::string_view word;
  Region region;
};

constexpr auto kRegionWords = [] {
  auto words = std::to_array<RegionWord>({
      {"nav", Region::navigation},
      {"navbar", Region::navigation},
      {"navigation", Region::navigation},
      {"menu", Region::navigation},
      {"menubar", Region::navigation},
      {"megamenu", Region::navigation},
      {"submenu", Region::navigation},
      {"topbar", Region::navigation},
      {"toolbar", Region::navigation},
      {"toc", Region::navigation},
      {"skip", Region::navigation},
      {"breadcrumb", Region::breadcrumb},
      {"breadcrumbs", Region::breadcrumb},
      {"crumbs", Region::breadcrumb},
      {"pagination", Region::pager},
      {"pager", Region::pager},
      {"paginator", Region::pager},
      {"masthead", Region::header},
      {"header", Region::header},
      {"footer", Region::footer},
      {"colophon", Region::footer},
      {"copyright", Region::footer},
      {"sidebar", Region::aside},
      {"aside", Region::aside},
      {"rail", Region::aside},
      {"widget", Region::aside},
      {"widgets", Region::aside},
      {"related", Region::related},
      {"recommend", Region::related},
      {"recommended", Region::related},
      {"recommendation", Region::related},
      {"recommendations", Region::related},
      {"similar", Region::related},
      {"upsell", Region::related},
      {"upsells", Region::related},
      {"crosssell", Region::related},
      {"crosssells", Region::related},
      {"suggestions", Region::related},
      {"suggested", Region::related},
      {"alsolike", Region::related},
      {"recently", Region::related},
      {"recs", Region::related},
      {"comments", Region::comments},
      {"commentlist", Region::comments},
      {"disqus", Region::comments},
      {"respond", Region::comments},
      {"cookie", Region::overlay},
      {"cookies", Region::overlay},
      {"consent", Region::overlay},
      {"gdpr", Region::overlay},
      {"onetrust", Region::overlay},
      {"modal", Region::overlay},
      {"popup", Region::overlay},
      {"lightbox", Region::overlay},
      {"offcanvas", Region::overlay},
      {"minicart", Region::overlay},
      {"newsletter", Region::promotion},
      {"share", Region::promotion},
      {"sharing", Region::promotion},
      {"social", Region::promotion},
      {"socials", Region::promotion},
      {"ad", Region::promotion},
      {"ads", Region::promotion},
      {"advert", Region::promotion},
      {"advertisement", Region::promotion},
      {"sponsor", Region::promotion},
      {"sponsored", Region::promotion},
      {"promo", Region::promotion},
      {"subscribe", Region::promotion},
  });
  std::sort(words.begin(), words.end(),
            [](const RegionWord& a, const RegionWord& b) { return a.word < b.word; });
  return words;
}();

std::uint16_t region_of_word(std::string_view word) {
  const auto found = std::lower_bound(
      kRegionWords.begin(), kRegionWords.end(), word,
      [](const RegionWord& row, std::string_view text) { return row.word < text; });
  return found != kRegionWords.end() && found->word == word ? bit(found->region) : std::uint16_t{0};
}

std::uint16_t region_of_role(std::string_view role) {
  constexpr std::pair<std::string_view, Region> kRoles[] = {
      {"navigation", Region::navigation}, {"menu", Region::navigation},
      {"menubar", Region::navigation},    {"banner", Region::header},
      {"contentinfo", Region::footer},    {"complementary", Region::aside},
      {"dialog", Region::overlay},        {"alertdialog", Region::overlay},
      {"search", Region::navigation}};
  for (const auto& [name, region] : kRoles)
    if (role == name) return bit(region);
  return 0;
}

bool is_section(html::NameId tag) {
  return tag == known("article") || tag == known("section") || tag == known("main");
}

std::uint32_t count_text(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    count += static_cast<std::uint32_t>(byte > 0x20 && (byte & 0xC0) != 0x80);
  }
  return count;
}

}  // namespace

PageOutline::PageOutline(const html::Document& document)
    : document_(&document), nodes_(document.size() + 1) {
  mark_shown();
  sum_text();
  find_main();
  mark_regions();
  find_heading();
}

void PageOutline::mark_shown() {
  const auto end = static_cast<NodeId>(document_->size());
  std::uint32_t shown = 0;
  std::uint32_t in_noscript = 0;
  NodeId hidden_end = 0;
  NodeId noscript_end = 0;
  NodeId link_end = 0;
  for (NodeId node = 0; node < end; ++node) {
    const bool is_element = document_->is_element(node);
    const bool is_noscript = is_element && document_->tag(node) == known("noscript");
    if (is_noscript && node >= hidden_end) noscript_end = document_->subtree_end(node);
    if (is_element && !is_noscript && node >= hidden_end && !html::is_displayed(*document_, node))
      hidden_end = document_->subtree_end(node);
    if (is_element && document_->tag(node) == known("a")) link_end = document_->subtree_end(node);
    Node& facts = nodes_[node];
    facts.is_shown = node >= hidden_end;
    facts.is_in_link = node < link_end;
    if (!facts.is_shown || document_->kind(node) != html::NodeKind::text) continue;
    facts.text = count_text(document_->text(node));
    (node < noscript_end ? in_noscript : shown) += facts.text;
  }
  reads_noscript_ = in_noscript > 500 && in_noscript > 2 * shown;
}

// A noscript that is not read hides what is below it.
void PageOutline::sum_text() {
  const auto end = static_cast<NodeId>(document_->size());
  for (NodeId node = 0; node < end && !reads_noscript_; ++node) {
    if (document_->tag(node) != known("noscript")) continue;
    for (NodeId inner = node; inner < document_->subtree_end(node); ++inner) nodes_[inner] = Node{};
    node = document_->subtree_end(node) - 1;
  }
  for (NodeId node = end; node-- > 1;) {
    Node& facts = nodes_[node];
    if (document_->kind(node) == html::NodeKind::text && facts.is_in_link)
      facts.link_text = facts.text;
    Node& parent = nodes_[document_->parent(node)];
    parent.text += facts.text;
    parent.link_text += facts.link_text;
  }
}

void PageOutline::find_main() {
  const auto end = static_cast<NodeId>(document_->size());
  for (NodeId node = 0; node < end; ++node) {
    if (!document_->is_element(node) || !is_shown(node)) continue;
    const bool is_main = document_->tag(node) == known("main") ||
                         document_->attribute(node, known("role")) == "main";
    if (!is_main || (main_ != html::kNoNode && node < document_->subtree_end(main_))) continue;
    if (main_ != html::kNoNode) {
      main_ = html::kNoNode;
      return;
    }
    main_ = node;
  }
}

// Words of classes only count for elements that hold a small part of the page: "with-sidebar" is a
// page.
std::uint16_t PageOutline::own_regions(NodeId node) const {
  std::uint16_t found = 0;
  switch (document_->tag(node)) {
    case known("html"):
    case known("body"):
    case known("main"):
    case known("article"):
      return 0;
    case known("nav"):
      found |= bit(Region::navigation);
      break;
    case known("header"):
      found |= bit(Region::header);
      break;
    case known("footer"):
      found |= bit(Region::footer);
      break;
    case known("aside"):
      found |= bit(Region::aside);
      break;
    case known("dialog"):
      found |= bit(Region::overlay);
      break;
    default:
      break;
  }
  if (const auto role = document_->attribute(node, known("role"))) found |= region_of_role(*role);
  const bool is_large = text_length(node) * 10 > text_length(html::Document::root()) * 4;
  if (is_large)
    return static_cast<std::uint16_t>(found & (bit(Region::navigation) | bit(Region::overlay)));
  const auto add = [&](std::string_view word) { found |= region_of_word(word); };
  each_name_word(document_->class_names(node), add);
  each_name_word(document_->id(node), add);
  return found;
}

void PageOutline::mark_regions() {
  const auto end = static_cast<NodeId>(document_->size());
  NodeId section_end = 0;
  for (NodeId node = 1; node < end; ++node) {
    const NodeId parent = document_->parent(node);
    Node& facts = nodes_[node];
    facts.regions = nodes_[parent].regions;
    if (!facts.is_shown || !document_->is_element(node)) continue;
    std::uint16_t own = own_regions(node);
    // The header of an article or a section is content; that of the page is not.
    const bool is_inner =
        main_ != html::kNoNode && node > main_ && node < document_->subtree_end(main_);
    if (node < section_end || is_inner) own &= static_cast<std::uint16_t>(~bit(Region::header));
    if (is_section(document_->tag(node)))
      section_end = std::max(section_end, document_->subtree_end(node));
    facts.regions |= own;
  }
}

void PageOutline::find_heading() {
  const auto end = static_cast<NodeId>(document_->size());
  NodeId any = html::kNoNode;
  for (NodeId node = 0; node < end && heading_ == html::kNoNode; ++node) {
    if (document_->tag(node) != known("h1") || !is_shown(node) || text_length(node) == 0) continue;
    if (is_content(node)) heading_ = node;
    if (any == html::kNoNode) any = node;
  }
  if (heading_ == html::kNoNode) heading_ = any;
}

bool PageOutline::is_content(NodeId node) const {
  constexpr std::uint16_t kAround = bit(Region::navigation) | bit(Region::header) |
                                    bit(Region::footer) | bit(Region::overlay) |
                                    bit(Region::pager) | bit(Region::breadcrumb);
  return is_shown(node) && (regions(node) & kAround) == 0;
}

}  // namespace heddle::pages
