#include "pages/propose/propose.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "html/links.hpp"
#include "html/selector.hpp"
#include "html/text.hpp"
#include "pages/classify/classify.hpp"
#include "pages/feed/feed.hpp"
#include "pages/infer/infer.hpp"
#include "pages/product/product.hpp"
#include "pages/propose/candidate_reader.hpp"
#include "pages/propose/json_lists.hpp"
#include "pages/propose/page_fields.hpp"
#include "pages/source/body_format.hpp"
#include "pages/source/source_document.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kLongestTitle = 200;  // bytes
constexpr std::size_t kLongestUrl = 2000;
constexpr std::size_t kMaxHints = 3;
constexpr std::size_t kMaxEmbedded = 5;   // elements with JSON that are read
constexpr std::uint32_t kLeastText = 10;  // characters of a page that is not empty
constexpr double kSureFields = 0.9;       // of a product page
constexpr double kLikelyFields = 0.6;
constexpr double kMainlyText = 0.45;
constexpr double kTextOnly = 0.3;

std::string_view header_of(const ProposedPage& page, std::string_view name) {
  const std::string* value = find_header(page.headers, name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

class Proposer {
 public:
  Proposer(html::Parser& parser, const ProposedPage& page)
      : parser_(parser), page_(page), content_type_(header_of(page, "content-type")) {
    out_.final_url = page.url.text();
  }

  WatchProposal run() {
    const DetectedBody body = detect_body(content_type_, page_.body);
    const bool is_success = page_.status >= 200 && page_.status < 300;
    if (body.format == BodyFormat::binary)
      out_.obstacle =
          fmt::format("the address leads to {}: only pages with text can be watched", body.name);
    else if (trim(page_.body).empty())
      out_.obstacle = is_success ? "the page is empty" : status_text();
    else if (!is_success)
      read_html();
    else
      read_page(body);
    if (!out_.obstacle.empty()) out_.candidates.clear();
    return std::move(out_);
  }

 private:
  void read_page(const DetectedBody& body) {
    const bool may_be_feed = body.format != BodyFormat::html || trim(page_.body).starts_with('{');
    if (may_be_feed && propose_feed()) return;
    const PageFormat format = detect_format(content_type_, page_.body);
    if (format == PageFormat::json || format == PageFormat::json_lines) return read_json(format);
    if (body.format == BodyFormat::xml) {
      out_.page_class = "xml";
      out_.obstacle =
          "the page is XML, but not a feed: write a job with an XPath selector by hand "
          "(`heddle explain selector`)";
      return;
    }
    if (to_lower_ascii(content_type_).starts_with("text/plain")) {
      out_.page_class = "text";
      out_.obstacle = "the page is plain text without parts that a selector could find";
      return;
    }
    read_html();
  }

  [[nodiscard]] std::string status_text() const {
    return fmt::format("the site answered {}", page_.status);
  }

  bool propose_feed() {
    auto feed = read_feed(parser_, page_.body, page_.url, {.tree = page_.limits});
    if (!feed) return false;
    WatchCandidate candidate;
    candidate.description = "the entries of a feed";
    candidate.watch = WatchKind::feed;
    candidate.fields = feed_fields();
    candidate.confidence = 1;
    candidate.key = {"id"};
    std::vector<Item> items;
    for (FeedEntry& entry : feed->entries) items.push_back(item_of(std::move(entry)));
    fill_rows(candidate, items);
    out_.title = one_line(feed->title, kLongestTitle);
    out_.page_class = "feed";
    out_.confidence = 1;
    const std::string name = detect_body(content_type_, page_.body).name;
    candidate.reasons.push_back(name.empty() ? "a feed" : name);
    out_.candidates.push_back(std::move(candidate));
    return true;
  }

  void read_json(PageFormat format) {
    out_.page_class = "json";
    out_.confidence = 1;
    auto rules = SourceRules::compile(json_job(format));
    if (!rules) return refuse(rules.error());
    auto document = read_source(parser_, *rules, content_type_, page_.body, page_.limits);
    if (!document) return refuse(document.error());
    CandidateReader reader(page_, *document);
    add_json_lists(*document->json(), "", reader);
    if (out_.candidates.empty())
      out_.obstacle =
          "the page is JSON without a list of objects: write a job with JSONPaths by hand "
          "(`heddle explain selector`)";
  }

  static Job json_job(PageFormat format) {
    Job job;
    job.format = format;
    return job;
  }

  void refuse(const Error& error) { out_.obstacle = "the page cannot be read: " + error.message; }

  void add_json_lists(const JsonDocument& json, const std::string& json_in,
                      CandidateReader& reader) {
    for (WatchCandidate& candidate : find_json_lists(json)) {
      candidate.json_in = json_in;
      if (!reader.complete(candidate) || candidate.items < 2) continue;
      candidate.description =
          fmt::format("{} JSON objects{}", candidate.items, json_in.empty() ? "" : " in the page");
      out_.candidates.push_back(std::move(candidate));
    }
  }

  void read_html() {
    auto parsed = parser_.parse(page_.body, page_.limits);
    if (!parsed) return refuse(parsed.error());
    const SourceDocument document{*std::move(parsed), {}};
    const html::Document& tree = *document.tree();
    const PageOutline outline(tree);
    const StructuredData data = StructuredData::collect(tree);
    const ClassifiedPage classified =
        classify_page(outline, data, {page_.url, page_.status, &page_.headers});
    note_class(classified);
    note_title(tree);
    if (is_refused(classified)) return;
    note_feeds(tree);
    CandidateReader reader(page_, document);
    add_candidates({outline, page_.url, reader}, data, classified);
    if (out_.candidates.empty()) note_nothing(outline, classified);
  }

  void note_class(const ClassifiedPage& classified) {
    out_.page_class = to_text(classified.page_class);
    out_.confidence = classified.confidence;
    for (const ClassSignal& signal : classified.signals) {
      if (out_.signals.size() == 5) break;
      out_.signals.push_back(signal.text);
    }
  }

  void note_title(const html::Document& tree) {
    const auto selector = html::Selector::compile("title");
    if (!selector) return;
    const auto found = html::select_first(tree, *selector, html::Document::root());
    if (found && *found) out_.title = one_line(html::readable_text(tree, **found), kLongestTitle);
  }

  // Pages that stand in place of the wanted one.
  bool is_refused(const ClassifiedPage& classified) {
    const bool is_success = page_.status >= 200 && page_.status < 300;
    const std::string status = is_success ? "" : fmt::format(" (status {})", page_.status);
    const bool says_more = is_success && !classified.signals.empty();
    const std::string seen = says_more ? ": " + signals_text(classified) : "";
    switch (classified.page_class) {
      case PageClass::bot_wall:
        out_.obstacle = fmt::format(
            "the site returned a bot check (CAPTCHA) instead of the page{}{}", status, seen);
        break;
      case PageClass::login:
        out_.obstacle = fmt::format("the page asks to log in{}{}", status, seen);
        break;
      case PageClass::error_page:
        out_.obstacle = fmt::format("the page is an error page{}{}", status, seen);
        break;
      default:
        if (!is_success) out_.obstacle = status_text();
    }
    return !out_.obstacle.empty();
  }

  void note_feeds(const html::Document& tree) {
    const Url base = html::document_base(tree, page_.url);
    for (const char* css : {R"(link[rel~="alternate"][type="application/rss+xml"])",
                            R"(link[rel~="alternate"][type="application/atom+xml"])",
                            R"(link[rel~="alternate"][type="application/feed+json"])"}) {
      std::vector<html::NodeId> found;
      const auto selector = html::Selector::compile(css);
      if (!selector || !html::select(tree, *selector, html::Document::root(), found)) continue;
      for (const html::NodeId node : found) {
        const std::string url =
            one_line(html::attribute_or_link(tree, node, "href", base), kLongestUrl);
        if (url.empty() || out_.hints.size() == kMaxHints) continue;
        out_.hints.push_back(fmt::format("the page has a feed: {}", url));
      }
    }
  }

  // What the page is about comes first, whatever else repeats on it.
  void add_candidates(const PageFieldSearch& search, const StructuredData& data,
                      const ClassifiedPage& classified) {
    const bool is_product = classified.page_class == PageClass::product;
    const bool is_article = classified.page_class == PageClass::article;
    const ExtractedProduct product = extract_product(search.outline, data, page_.url);
    if (is_product) add(find_product_fields(search, product), kSureFields);
    if (is_article) add(find_article_fields(search), kLikelyFields);
    const std::size_t first = out_.candidates.size();
    add_lists(search);
    if (out_.candidates.empty() || classified.is_empty_shell) add_embedded_lists(search);
    // A price that only people see may be that of anything on a page with lists.
    const bool has_price =
        !product.amount.empty() && (product.price_source != "page" || out_.candidates.empty());
    if (!is_product && has_price) add(find_product_fields(search, product), kLikelyFields);
    const bool has_text = search.outline.text_length(html::Document::root()) >= kLeastText;
    if (!is_article && has_text && !classified.is_empty_shell)
      add(find_article_fields(search), confidence_of_text(classified.page_class));
    std::stable_sort(out_.candidates.begin() + static_cast<std::ptrdiff_t>(first),
                     out_.candidates.end(),
                     [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
  }

  // Lists on such pages are mostly menus.
  static double confidence_of_text(PageClass page_class) {
    const bool is_one_thing = page_class == PageClass::product ||
                              page_class == PageClass::service ||
                              page_class == PageClass::documentation;
    return is_one_thing ? kMainlyText : kTextOnly;
  }

  void add(std::optional<WatchCandidate> candidate, double confidence) {
    if (!candidate) return;
    candidate->confidence = confidence;
    out_.candidates.push_back(*std::move(candidate));
  }

  void add_lists(const PageFieldSearch& search) {
    for (const InferredList& list : infer_lists(search.outline, page_.url)) {
      WatchCandidate candidate;
      candidate.selector = list.selector;
      candidate.confidence = list.confidence;
      for (const InferredField& field : list.fields)
        candidate.fields.push_back({field.name, field.selector, field.attribute,
                                    field.is_money ? FieldType::money : FieldType::text, ""});
      for (const ClassSignal& signal : list.signals) candidate.reasons.push_back(signal.text);
      if (!search.reader.complete(candidate)) continue;
      candidate.description = fmt::format("a list of {}", counted(candidate.items, "item"));
      out_.candidates.push_back(std::move(candidate));
    }
  }

  // Pages that scripts fill often hold their content as JSON.
  void add_embedded_lists(const PageFieldSearch& search) {
    const html::Document& tree = search.outline.document();
    std::vector<html::NodeId> scripts;
    const auto selector = html::Selector::compile(
        R"(script[type="application/json"], script[type="application/ld+json"])");
    if (!selector || !html::select(tree, *selector, html::Document::root(), scripts)) return;
    std::vector<std::string> tried;
    for (const html::NodeId script : scripts) {
      const std::string css = selector_of(tree, script);
      const bool is_known = std::find(tried.begin(), tried.end(), css) != tried.end();
      if (css.empty() || is_known || tried.size() == kMaxEmbedded) continue;
      tried.push_back(css);
      if (const SourceDocument* json = search.reader.embedded(css))
        add_json_lists(*json->json(), css, search.reader);
    }
  }

  // Of an element with an id, or of the first one with its type.
  static std::string selector_of(const html::Document& tree, html::NodeId script) {
    const std::string_view id = tree.id(script);
    const bool is_plain = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_';
    });
    const bool starts_well = is_plain && (id[0] < '0' || id[0] > '9') && id[0] != '-';
    if (starts_well) return fmt::format("script#{}", id);
    const auto type = tree.attribute(script, "type");
    if (type == "application/ld+json") return R"(script[type="application/ld+json"])";
    return type == "application/json" ? R"(script[type="application/json"])" : "";
  }

  void note_nothing(const PageOutline& outline, const ClassifiedPage& classified) {
    if (classified.is_empty_shell)
      out_.obstacle =
          "the page is empty without JavaScript, which is not run: look for its data in the "
          "browser's network log, an address with JSON can be watched";
    else if (outline.text_length(html::Document::root()) < kLeastText)
      out_.obstacle = "the page has no text";
    else
      out_.obstacle =
          "no list and no fields were found on this page: write a job by hand (`heddle explain "
          "selector`, `heddle explain fields`)";
  }

  html::Parser& parser_;
  const ProposedPage& page_;
  std::string_view content_type_;
  WatchProposal out_;
};

}  // namespace

WatchProposal propose_watch(html::Parser& parser, const ProposedPage& page) {
  return Proposer(parser, page).run();
}

}  // namespace heddle::pages
