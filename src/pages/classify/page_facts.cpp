#include "pages/classify/page_facts.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/classify/page_words.hpp"
#include "pages/outline/value_look.hpp"
#include "pages/product/stock.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NameId;
using html::NodeId;

namespace {

constexpr std::uint32_t kLongText = 80;
constexpr std::uint32_t kShortHeading = 120;
constexpr std::uint32_t kLongBlock = 400;
constexpr int kMaxLabels = 200;  // of buttons that are read
constexpr int kMaxPasswordForms = 20;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class FactCollector {
 public:
  explicit FactCollector(const PageOutline& outline)
      : outline_(outline), document_(outline.document()) {}

  PageFacts run() {
    facts_.text = outline_.text_length(html::Document::root());
    const auto end = static_cast<NodeId>(document_.size());
    for (NodeId node = 1; node < end; ++node) {
      if (document_.kind(node) == html::NodeKind::text)
        visit_text(node);
      else if (document_.is_element(node))
        visit_element(node);
    }
    read_first_heading();
    describe_repeated();
    return std::move(facts_);
  }

 private:
  void visit_text(NodeId node) {
    const auto length = outline_.text_length(node);
    if (length == 0) return;
    const bool is_content = outline_.is_content(node);
    if (is_content) {
      facts_.content_text += length;
      if (outline_.is_in_link(node)) facts_.content_link_text += length;
      if (node < code_end_) facts_.code += length;
    }
    const bool is_long = length >= kLongText && !outline_.is_in_link(node) &&
                         node >= paragraph_end_ && node >= code_end_;
    if (is_long && is_content) facts_.prose += length;
    if (is_content && length <= 24 && looks_like_price(document_.text(node)) &&
        !outline_.is_in(node, Region::related))
      ++facts_.prices;
  }

  void visit_element(NodeId node) {
    visit_hidden_parts(node);
    const NameId tag = document_.tag(node);
    if (tag == known("html") || tag == known("body")) add_page_names(node);
    if (!outline_.is_shown(node)) return;
    if (outline_.text_length(node) == 0) visit_empty(node);
    visit_shown(node, tag);
    visit_names(node);
    if (outline_.is_content(node)) consider_repeated(node);
  }

  void visit_hidden_parts(NodeId node) {
    const NameId tag = document_.tag(node);
    if (tag == known("script")) ++facts_.scripts;
    if (tag == known("title") && facts_.title.empty() &&
        document_.space(node) == html::Namespace::html)
      facts_.title = html::readable_text(document_, node);
    if (tag == known("noscript") && !facts_.asks_for_scripts) {
      const std::string_view text = document_.text(node);
      facts_.asks_for_scripts = text.find("avaScript") != std::string_view::npos ||
                                text.find("avascript") != std::string_view::npos;
    }
  }

  void add_page_names(NodeId node) {
    facts_.page_names += ' ';
    facts_.page_names += document_.class_names(node);
    facts_.page_names += ' ';
    facts_.page_names += document_.id(node);
  }

  // Where single-page applications put their content.
  void visit_empty(NodeId node) {
    const NameId tag = document_.tag(node);
    if (tag == known("div") || tag == known("main") || tag == known("section"))
      facts_.has_app_root |= is_one_of(document_.id(node),
                                       {"root", "app", "__next", "__nuxt", "react-root", "main-app",
                                        "application", "q-app", "___gatsby", "svelte", "mount"});
    facts_.has_app_root |= document_.tag_name(node) == "app-root";
  }

  void visit_shown(NodeId node, NameId tag) {
    switch (tag) {
      case known("p"):
      case known("blockquote"):
      case known("dd"):
        return visit_paragraph(node);
      case known("pre"):
        code_end_ = std::max(code_end_, document_.subtree_end(node));
        return;
      case known("a"):
        return visit_link(node);
      case known("h1"):
      case known("h2"):
      case known("h3"):
      case known("h4"):
        return visit_heading(node, tag);
      case known("img"):
        if (outline_.is_content(node)) ++facts_.content_images;
        return;
      case known("time"):
        ++facts_.times;
        return;
      case known("table"):
        if (outline_.is_content(node)) ++facts_.tables;
        return;
      case known("button"):
      case known("input"):
        return visit_input(node);
      case known("textarea"):
        if (outline_.is_content(node)) ++facts_.text_areas;
        return;
      case known("select"):
        return visit_select(node);
      default:
        return;
    }
  }

  void visit_paragraph(NodeId node) {
    if (node < paragraph_end_ || node < code_end_) return;
    paragraph_end_ = document_.subtree_end(node);
    const auto length = outline_.text_length(node);
    const auto links = outline_.link_length(node);
    if (length < kLongText || links * 2 > length || !outline_.is_content(node)) return;
    facts_.prose += length - links;
    ++facts_.paragraphs;
  }

  void visit_link(NodeId node) {
    ++facts_.links;
    if (outline_.is_content(node)) ++facts_.content_links;
    const auto href = document_.attribute(node, known("href")).value_or("");
    if (href.starts_with("tel:")) ++facts_.phones;
    bool buys = false;
    each_name_word(document_.class_names(node), [&](std::string_view word) {
      buys |= is_one_of(word, {"button", "btn", "cart", "buy", "addtocart"});
    });
    if (buys || document_.attribute(node, known("role")) == "button") visit_button(node);
  }

  void visit_heading(NodeId node, NameId tag) {
    const auto length = outline_.text_length(node);
    if (length == 0 || !outline_.is_content(node)) return;
    if (tag != known("h1")) ++facts_.heading_count;
    if (length > kShortHeading) return;
    const std::string text = html::readable_text(document_, node);
    if (service_phrases().occurs_in(fold_case(text))) ++facts_.service_labels;
    if (tag == known("h4") || facts_.headings.size() >= 10) return;
    if (facts_.heading.empty() && tag == known("h2")) facts_.heading = text;
    facts_.headings.push_back(text);
  }

  void read_first_heading() {
    const NodeId node = outline_.heading();
    if (node == kNoNode) return;
    facts_.heading = html::readable_text(document_, node);
    if (facts_.headings.empty() || facts_.headings.front() != facts_.heading)
      facts_.headings.insert(facts_.headings.begin(), facts_.heading);
  }

  void visit_button(NodeId node) {
    if (labels_ >= kMaxLabels || !outline_.is_content(node) ||
        outline_.is_in(node, Region::related) || outline_.text_length(node) > 30)
      return;
    ++labels_;
    const bool is_input = document_.tag(node) == known("input");
    const std::string label =
        is_input ? std::string(document_.attribute(node, known("value")).value_or(""))
                 : html::readable_text(document_, node);
    if (is_buy_label(label)) ++facts_.buy_buttons;
    if (service_phrases().occurs_in(fold_case(label))) ++facts_.service_labels;
  }

  void visit_input(NodeId node) {
    const std::string type =
        to_lower_ascii(document_.attribute(node, known("type")).value_or("text"));
    if (document_.tag(node) == known("button") || type == "submit" || type == "button" ||
        type == "image")
      return visit_button(node);
    if (type == "password") return add_password(node);
    const bool is_filled_in =
        type == "text" || type == "email" || type == "tel" || type == "search";
    if (!is_filled_in || !outline_.is_content(node)) return;
    const std::string name = to_lower_ascii(document_.attribute(node, known("name")).value_or(""));
    const bool searches = name == "q" || name == "s" || name.find("search") != std::string::npos;
    ++(searches || type == "search" ? facts_.searches : facts_.text_inputs);
  }

  void visit_select(NodeId node) {
    const std::string name = to_lower_ascii(document_.attribute(node, known("name")).value_or("")) +
                             " " + to_lower_ascii(document_.id(node));
    if (name.find("sort") != std::string::npos || name.find("order") != std::string::npos)
      ++facts_.sort_controls;
  }

  // The form around a password, or three levels up where there is none.
  [[nodiscard]] NodeId form_of(NodeId input) const {
    NodeId third = input;
    NodeId up = input;
    for (int level = 0; level < 30; ++level) {
      up = document_.parent(up);
      if (up == kNoNode || up == 0 || document_.tag(up) == known("body")) break;
      if (level < 3) third = up;
      if (document_.tag(up) == known("form")) return up;
    }
    return third;
  }

  void add_password(NodeId input) {
    const NodeId node = form_of(input);
    for (const PasswordForm& form : facts_.password_forms)
      if (form.node == node) return;
    if (facts_.password_forms.size() >= kMaxPasswordForms) return;
    PasswordForm form{node};
    form.is_content = outline_.is_content(input) && !outline_.is_in(input, Region::aside);
    for (NodeId inner = node; inner < document_.subtree_end(node); ++inner)
      count_input(inner, form);
    facts_.password_forms.push_back(form);
  }

  void count_input(NodeId node, PasswordForm& form) const {
    const NameId tag = document_.tag(node);
    if (!outline_.is_shown(node)) return;
    if (tag == known("select") || tag == known("textarea")) ++form.choices;
    if (tag != known("input")) return;
    const std::string type =
        to_lower_ascii(document_.attribute(node, known("type")).value_or("text"));
    if (type == "password") ++form.passwords;
    if (is_one_of(type, {"text", "email", "tel", "number", "date", "url"})) ++form.texts;
    if (type == "radio") ++form.choices;
  }

  void visit_names(NodeId node) {
    const std::string_view names = document_.class_names(node);
    if (names.empty()) return;
    each_name_word(names, [&](std::string_view word) {
      switch (word.front()) {
        case 'p':
          facts_.has_pager |= word == "pagination" || word == "pager" || word == "paginator";
          facts_.reply_names += is_one_of(word, {"postbody", "postcontent", "postbit", "posttext"});
          break;
        case 'b':
          facts_.has_breadcrumb |= word == "breadcrumb" || word == "breadcrumbs";
          facts_.author_names += word == "byline";
          break;
        case 'r':
          facts_.reply_names += word == "reply" || word == "replies";
          break;
        case 't':
          facts_.contents_names += word == "toc" || word == "toctree" || word == "tocbase";
          facts_.reply_names += word == "topic" || word == "thread";
          break;
        case 'm':
          facts_.reply_names += word == "message";
          break;
        case 'a':
          facts_.author_names += word == "author";
          facts_.reply_names += word == "answer";
          break;
        case 'f':
        case 's':
          facts_.sort_controls += is_one_of(
              word, {"facet", "facets", "filter", "filters", "sort", "sorting", "sortby"});
          break;
        default:
          break;
      }
    });
  }

  [[nodiscard]] std::uint64_t shape_of(NodeId node) const {
    const std::string_view names = document_.class_names(node);
    return hash64(names.substr(0, names.find(' '))) * 31 + document_.tag(node);
  }

  // Children of one shape that show most; long texts and small groups count less, links more.
  void consider_repeated(NodeId parent) {
    struct Shape {
      std::uint64_t hash = 0;
      std::uint32_t count = 0;
      std::uint32_t text = 0;

      [[nodiscard]] std::uint32_t weight() const { return text * std::min(count, 12U); }
    };
    if (outline_.text_length(parent) < 60 || outline_.text_length(parent) * 60 < best_weight_)
      return;
    std::array<Shape, 6> shapes{};
    for (NodeId child = document_.first_child_element(parent); child != kNoNode;
         child = document_.next_element(child)) {
      if (outline_.text_length(child) < 3 || document_.tag(child) == known("p")) continue;
      const std::uint64_t hash = shape_of(child);
      for (Shape& shape : shapes) {
        if (shape.count > 0 && shape.hash != hash) continue;
        shape.hash = hash;
        ++shape.count;
        shape.text += std::min(outline_.text_length(child), kLongBlock) +
                      4 * std::min(outline_.link_length(child), kLongBlock / 4);
        break;
      }
    }
    for (const Shape& shape : shapes) {
      if (shape.count < 4 || shape.weight() <= best_weight_) continue;
      best_weight_ = shape.weight();
      best_shape_ = shape.hash;
      facts_.repeated.parent = parent;
    }
  }

  void describe_repeated() {
    RepeatedChildren& repeated = facts_.repeated;
    if (repeated.parent == kNoNode) return;
    for (NodeId child = document_.first_child_element(repeated.parent); child != kNoNode;
         child = document_.next_element(child)) {
      if (shape_of(child) != best_shape_ || outline_.text_length(child) < 3) continue;
      ++repeated.count;
      repeated.text += outline_.text_length(child);
      repeated.link_text += outline_.link_length(child);
      describe_child(child);
    }
  }

  void describe_child(NodeId child) {
    bool link = false;
    bool image = false;
    bool heading = false;
    bool price = false;
    bool time = false;
    for (NodeId node = child; node < document_.subtree_end(child); ++node) {
      const NameId tag = document_.tag(node);
      link |= tag == known("a");
      image |= tag == known("img");
      heading |= tag == known("h2") || tag == known("h3") || tag == known("h4");
      time |= tag == known("time");
      price |= document_.kind(node) == html::NodeKind::text && outline_.text_length(node) > 1 &&
               outline_.text_length(node) <= 24 && looks_like_price(document_.text(node));
    }
    RepeatedChildren& repeated = facts_.repeated;
    repeated.with_link += link;
    repeated.with_image += image;
    repeated.with_heading += heading;
    repeated.with_price += price;
    repeated.with_time += time;
    repeated.with_prose += outline_.text_length(child) > outline_.link_length(child) + 150;
  }

  const PageOutline& outline_;
  const html::Document& document_;
  PageFacts facts_;
  NodeId paragraph_end_ = 0;
  NodeId code_end_ = 0;
  std::uint32_t best_weight_ = 0;
  std::uint64_t best_shape_ = 0;
  int labels_ = 0;
};

}  // namespace

PageFacts collect_facts(const PageOutline& outline) {
  return FactCollector(outline).run();
}

}  // namespace heddle::pages
