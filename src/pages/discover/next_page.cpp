#include "pages/discover/next_page.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "html/links.hpp"
#include "html/text.hpp"
#include "pages/discover/page_number.hpp"
#include "pages/discover/pager_words.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

constexpr double kLeastScore = 5;
constexpr double kSureScore = 10;
constexpr std::size_t kMaxLinks = 20'000;

struct Link {
  NodeId node = kNoNode;
  Url url;
  long number = -1;  // the label, when it is a number
};

struct Evidence {
  double score = 0;
  std::string signals;

  void add(double points, std::string_view signal) {
    score += points;
    if (points <= 0) return;
    if (!signals.empty()) signals += ", ";
    signals += signal;
  }
};

bool has_token(std::string_view list, std::string_view token) {
  for (const std::string_view each : split(list, ' '))
    if (equals_ignoring_case(trim(each), token)) return true;
  return false;
}

struct NameWords {
  bool next = false;
  bool previous = false;
  bool pager = false;
  bool slider = false;   // carousels, calendars, galleries
  bool article = false;  // links from one article to the next
};

void add_name_words(std::string_view names, NameWords& words) {
  each_name_word(names, [&](std::string_view word) {
    words.next |= word == "next" || word == "nextpage" || word == "older" || word == "pagenext" ||
                  word == "nextpostslink";
    words.previous |= word == "prev" || word == "previous" || word == "newer" || word == "back";
    words.pager |= word.starts_with("pagin") || word.starts_with("pager") || word == "paging" ||
                   word == "pages" || word.starts_with("pagenav") || word == "pagelinks" ||
                   word == "pagenumbers" || word == "pagelist" || word == "posts" ||
                   word == "pagebar" || word == "paginador" || word.starts_with("showpage");
    words.slider |= word == "slider" || word == "carousel" || word == "slick" || word == "swiper" ||
                    word == "slide" || word == "slideshow" || word == "calendar" ||
                    word == "gallery" || word == "lightbox" || word == "month" || word == "week" ||
                    word == "datepicker";
    words.article |= word == "post" || word == "single" || word == "article" || word == "entry" ||
                     word == "adjacent" || word == "prevnext" || word == "chapter";
  });
}

class NextPageSearch {
 public:
  NextPageSearch(const PageOutline& outline, const Url& url)
      : outline_(outline),
        document_(outline.document()),
        url_(url),
        base_(html::document_base(document_, url)) {}

  std::optional<NextPage> run() {
    collect();
    find_numbered_next();
    std::optional<NextPage> best;
    double best_score = kLeastScore - 0.001;
    for (const Link& link : links_) {
      const Evidence evidence = judge(link);
      if (evidence.score <= best_score) continue;
      best_score = evidence.score;
      best = NextPage{link.url.without_fragment(), std::min(evidence.score / kSureScore, 1.0),
                      evidence.signals, link.node};
    }
    return best;
  }

 private:
  void collect() {
    const auto end = static_cast<NodeId>(document_.size());
    for (NodeId node = 1; node < end && links_.size() < kMaxLinks; ++node) {
      const auto tag = document_.tag(node);
      if (tag != known("a") && tag != known("link")) continue;
      if (tag == known("link") &&
          !has_token(document_.attribute(node, known("rel")).value_or(""), "next"))
        continue;
      const auto href = document_.attribute(node, known("href"));
      if (!href || trim(*href).empty() || trim(*href).starts_with('#')) continue;
      if (tag == known("a") && outline_.text_length(node) > 40) continue;
      add_link(node, *href);
    }
  }

  void add_link(NodeId node, std::string_view href) {
    auto target = base_.resolve(href);
    if (!target || !is_same_site(*target)) return;
    if (target->without_fragment() == url_.without_fragment()) return;
    Link link{node, std::move(*target)};
    if (document_.tag(node) == known("a") && outline_.text_length(node) <= 5)
      link.number = number_of(document_.text(node));
    links_.push_back(std::move(link));
  }

  static long number_of(std::string_view text) {
    text = trim(text);
    if (text.empty() || text.size() > 5) return -1;
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return -1;
    return std::atol(std::string(text).c_str());
  }

  [[nodiscard]] bool is_same_site(const Url& target) const {
    const auto bare = [](std::string_view host) {
      return host.starts_with("www.") ? host.substr(4) : host;
    };
    return bare(target.host()) == bare(url_.host());
  }

  // The first ancestor with at least two links that are numbers, going up a few levels.
  [[nodiscard]] NodeId pager_of(NodeId node) const {
    NodeId up = node;
    for (int level = 0; level < 3; ++level) {
      up = document_.parent(up);
      if (up == kNoNode) return kNoNode;
      int numbers = 0;
      for (const Link& link : links_)
        if (link.number >= 0 && link.node > up && link.node < document_.subtree_end(up)) ++numbers;
      if (numbers >= 2) return up;
    }
    return kNoNode;
  }

  // A pager with the links 1 2 4 5 is on page 3: the number that is no link and stands between
  // them.
  void find_numbered_next() {
    std::size_t looked_at = 0;
    NodeId done_until = 0;
    for (const Link& link : links_) {
      if (link.number < 0 || link.node < done_until || ++looked_at > 50) continue;
      const NodeId pager = pager_of(link.node);
      if (pager == kNoNode) continue;
      done_until = document_.subtree_end(pager);
      const long current = current_number(pager);
      if (current < 0) continue;
      for (const Link& other : links_)
        if (other.number == current + 1 && other.node > pager && other.node < done_until)
          numbered_next_.push_back(other.node);
    }
  }

  // The number in the pager that is not a link to another page; 1 when the links begin with 2.
  [[nodiscard]] long current_number(NodeId pager) const {
    const NodeId end = document_.subtree_end(pager);
    long current = -1;
    for (NodeId node = pager + 1; node < end; ++node) {
      if (document_.kind(node) != html::NodeKind::text || outline_.text_length(node) > 5) continue;
      const long number = number_of(document_.text(node));
      if (number < 0 || is_number_link(node)) continue;
      if (current >= 0) return -1;
      current = number;
    }
    if (current >= 0) return current;
    long least = 1'000'000;
    for (const Link& link : links_)
      if (link.number >= 0 && link.node > pager && link.node < end)
        least = std::min(least, link.number);
    return least == 2 ? 1 : -1;
  }

  [[nodiscard]] bool is_number_link(NodeId text) const {
    for (NodeId up = document_.parent(text); up != kNoNode && up != 0; up = document_.parent(up)) {
      if (document_.tag(up) != known("a")) continue;
      const auto names = document_.class_names(up);
      const bool is_current = document_.attribute(up, "aria-current").has_value() ||
                              names.find("current") != std::string_view::npos ||
                              names.find("active") != std::string_view::npos ||
                              names.find("selected") != std::string_view::npos;
      return !is_current && std::any_of(links_.begin(), links_.end(),
                                        [&](const Link& link) { return link.node == up; });
    }
    return false;
  }

  [[nodiscard]] std::string label_of(NodeId node) const {
    std::string label = html::readable_text(document_, node);
    if (!label.empty()) return label;
    for (const auto name : {known("aria-label"), known("title")})
      if (const auto value = document_.attribute(node, name)) return std::string(*value);
    for (NodeId inner = node + 1; inner < document_.subtree_end(node); ++inner)
      if (const auto alt = document_.attribute(inner, known("alt")); alt && !alt->empty())
        return std::string(*alt);
    return {};
  }

  [[nodiscard]] Evidence judge(const Link& link) const {
    Evidence evidence;
    const bool is_head_link = document_.tag(link.node) == known("link");
    NameWords own;
    NameWords around;
    if (!is_head_link) {
      judge_label(link, evidence, own);
      if (evidence.score < -2) return evidence;
      add_own_names(link.node, own);
      add_names_around(link.node, around);
    }
    if (has_token(document_.attribute(link.node, known("rel")).value_or(""), "next"))
      evidence.add(3, "rel=next");
    const bool is_numbered =
        std::find(numbered_next_.begin(), numbered_next_.end(), link.node) != numbered_next_.end();
    if (is_numbered) evidence.add(3, "numbered pager");
    if (own.next && !own.previous) evidence.add(1.5, "class");
    if (own.previous && !own.next) evidence.add(-4, "");
    if (around.pager || outline_.is_in(link.node, Region::pager)) evidence.add(1.5, "pager");
    if (evidence.score < 1) return evidence;
    const bool has_page_url = judge_url(link, evidence);
    if (around.slider) evidence.add(has_page_url ? -1 : -4, "");
    if (around.article && !around.pager && !has_page_url) evidence.add(-3, "");
    return evidence;
  }

  void judge_label(const Link& link, Evidence& evidence, NameWords& own) const {
    if (link.number >= 0) return;
    switch (pager_word(label_of(link.node))) {
      case PagerWord::next:
        return evidence.add(3, "next word");
      case PagerWord::next_page:
        return evidence.add(4, "next word");
      case PagerWord::more:
        return evidence.add(2, "load more");
      case PagerWord::arrow:
        return evidence.add(2, "arrow");
      case PagerWord::double_arrow:
        return evidence.add(0.5, "arrow");
      case PagerWord::previous:
        own.previous = true;
        return evidence.add(-6, "");
      case PagerWord::last:
        return evidence.add(-4, "");
      case PagerWord::none:
        if (outline_.text_length(link.node) > 20) evidence.add(-2, "");
    }
  }

  void add_own_names(NodeId node, NameWords& own) const {
    add_name_words(document_.class_names(node), own);
    add_name_words(document_.id(node), own);
    const NodeId parent = document_.parent(node);
    if (parent == kNoNode || outline_.text_length(parent) != outline_.text_length(node)) return;
    add_name_words(document_.class_names(parent), own);
    add_name_words(document_.id(parent), own);
  }

  void add_names_around(NodeId node, NameWords& around) const {
    NodeId up = document_.parent(node);
    for (int level = 0; level < 5 && up != kNoNode && up != 0; ++level, up = document_.parent(up)) {
      if (document_.tag(up) == known("body")) return;
      NameWords words;
      add_name_words(document_.class_names(up), words);
      add_name_words(document_.id(up), words);
      const bool is_small = outline_.text_length(up) < 300;
      around.pager |= words.pager && is_small;
      around.slider |= words.slider && outline_.text_length(up) < 3000;
      around.article |= words.article && is_small;
    }
  }

  // True when the URL names another page of the same listing.
  bool judge_url(const Link& link, Evidence& evidence) const {
    const auto step = page_step(url_, link.url);
    if (!step) return false;
    const bool is_back = step->is_first ? step->to < 1 : step->to <= step->from;
    if (is_back) {
      evidence.add(-6, "");
      return false;
    }
    const bool is_next =
        step->is_offset || step->to == step->from + 1 || (step->is_first && step->to <= 2);
    if (step->is_named)
      evidence.add(is_next ? (step->is_elsewhere ? 2.5 : 4) : 1, "page number in the URL");
    else if (is_next)
      evidence.add(1.5, "number in the URL");
    return step->is_named && is_next;
  }

  const PageOutline& outline_;
  const html::Document& document_;
  const Url& url_;
  Url base_;
  std::vector<Link> links_;
  std::vector<NodeId> numbered_next_;
};

}  // namespace

std::optional<NextPage> find_next_page(const PageOutline& outline, const Url& url) {
  return NextPageSearch(outline, url).run();
}

}  // namespace heddle::pages
