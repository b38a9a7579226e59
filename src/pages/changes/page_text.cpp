#include "pages/changes/page_text.hpp"

#include <algorithm>

#include <re2/re2.h>

#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/outline/outline.hpp"
#include "pages/source/tree_values.hpp"

namespace heddle::pages {

namespace {

using html::NodeId;

constexpr std::size_t kSniffed = 4096;  // bytes at the start of a body

Result<std::vector<html::Selector>> compile_selectors(const char* key,
                                                      const std::vector<std::string>& texts) {
  std::vector<html::Selector> selectors;
  for (const std::string& text : texts) {
    auto selector = html::Selector::compile(text);
    if (!selector) return std::move(selector.error()).during(key);
    selectors.push_back(*std::move(selector));
  }
  return selectors;
}

Result<TextRules::Expressions> compile_expressions(const char* key,
                                                   const std::vector<std::string>& texts) {
  TextRules::Expressions expressions;
  for (const std::string& text : texts) {
    auto expression = std::make_shared<re2::RE2>(text, re2::RE2::Quiet);
    if (!expression->ok())
      return Error{ErrorCode::bad_input, std::string(key) + ": " + expression->error()};
    expressions.push_back(std::move(expression));
  }
  return expressions;
}

void append_line(std::string& text, std::string_view line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

// One line for each value, so that a difference names the value and not the whole document.
void append_json_lines(const JsonDocument& json, JsonId top, std::string& out) {
  const JsonId end = json.subtree_end(top);
  for (JsonId id = top; id < end;) {
    if (json.is_replaced(id)) {
      id = json.subtree_end(id);
      continue;
    }
    std::string line;
    if (json.is_member(id)) line = std::string(json.name(id)) + ":";
    if (!json.is_container(id)) {
      if (!line.empty()) line += ' ';
      line += json_value_text(json, id).value_or("null");
    }
    append_line(out, line);
    ++id;
  }
}

class JsonTextReader {
 public:
  explicit JsonTextReader(const JsonDocument& json) : json_(json) {}

  Result<PageText> read(const SourceRules& source) {
    PageText page;
    if (!source.container) {
      append_json_lines(json_, JsonDocument::root(), page.text);
      return page;
    }
    std::vector<JsonId> matches;
    JsonPathBudget budget;
    if (const JsonPath* path = source.container->json_path())
      if (auto done = evaluate(*path, json_, JsonDocument::root(), matches, budget); !done)
        return std::move(done).error();
    page.matches = matches.size();
    for (const JsonId match : matches) append_json_lines(json_, match, page.text);
    return page;
  }

 private:
  const JsonDocument& json_;
};

// What surrounds the content of nearly every page of a site.
std::uint16_t surroundings() {
  return bit(Region::navigation) | bit(Region::header) | bit(Region::footer) |
         bit(Region::overlay) | bit(Region::pager) | bit(Region::breadcrumb) |
         bit(Region::promotion) | bit(Region::related);
}

// The elements around the content. The header that holds the page's heading belongs to it.
std::vector<NodeId> nodes_around_content(const PageOutline& outline) {
  const html::Document& document = outline.document();
  const NodeId heading = outline.heading();
  std::vector<NodeId> around;
  NodeId header_end = 0;
  const auto end = static_cast<NodeId>(document.size());
  for (NodeId node = 1; node < end;) {
    std::uint16_t regions = outline.regions(node) & surroundings();
    const bool has_heading =
        heading != html::kNoNode && heading >= node && heading < document.subtree_end(node);
    if (regions == bit(Region::header) && has_heading)
      header_end = std::max(header_end, document.subtree_end(node));
    if (node < header_end) regions &= static_cast<std::uint16_t>(~bit(Region::header));
    const bool is_around = document.is_element(node) && outline.is_shown(node) && regions != 0;
    if (is_around) around.push_back(node);
    node = is_around ? document.subtree_end(node) : node + 1;
  }
  return around;
}

class TreeTextReader {
 public:
  TreeTextReader(const html::Document& document, const TextRules& rules)
      : document_(document), rules_(rules) {}

  Result<PageText> read(const SourceRules& source, std::optional<bool> is_whole) {
    if (auto done = add_ignored(); !done) return std::move(done).error();
    auto page = source.container ? read_matches(*source.container) : read_page(is_whole);
    if (!page) return page;
    if (auto done = read_triggers(page->trigger_text); !done) return std::move(done).error();
    return page;
  }

  Result<std::string> read_all() {
    if (auto done = add_ignored(); !done) return std::move(done).error();
    return html::text_without(document_, html::Document::root(), omitted_);
  }

 private:
  Status add_ignored() {
    auto ignored = select_all(rules_.ignore);
    if (!ignored) return std::move(ignored).error();
    omitted_ = *std::move(ignored);
    return Done{};
  }

  Result<std::vector<NodeId>> select_all(const std::vector<html::Selector>& selectors) {
    std::vector<NodeId> nodes;
    for (const html::Selector& selector : selectors)
      if (auto done = html::select(document_, selector, html::Document::root(), nodes, budget_);
          !done)
        return std::move(done).error();
    std::ranges::sort(nodes);
    return nodes;
  }

  PageText read_page(std::optional<bool> is_whole) {
    // A page with so little content may be all header and navigation.
    constexpr std::size_t kLeastShare = 10;
    PageText page;
    page.is_whole = is_whole.value_or(false) || document_.is_xml();
    if (!page.is_whole) {
      std::vector<NodeId> omitted = nodes_around_content(PageOutline(document_));
      omitted.insert(omitted.end(), omitted_.begin(), omitted_.end());
      std::ranges::sort(omitted);
      page.text = html::text_without(document_, html::Document::root(), omitted);
      if (is_whole) return page;
    }
    std::string whole = html::text_without(document_, html::Document::root(), omitted_);
    page.is_whole = page.is_whole || page.text.size() * kLeastShare < whole.size();
    if (page.is_whole) page.text = std::move(whole);
    return page;
  }

  Result<PageText> read_matches(const SourceSelector& container) {
    TreeValues values(document_, nullptr);
    auto matches = values.containers(container);
    if (!matches) return std::move(matches).error();
    PageText page;
    page.matches = matches->size();
    NodeId end = 0;
    for (const html::XPathNode& match : *matches) {
      if (match.node < end) continue;  // inside of the match before
      if (match.is_whole()) end = document_.subtree_end(match.node);
      append_line(page.text, match.is_whole() ? text_of(match.node)
                                              : std::string(html::string_value(document_, match)));
    }
    return page;
  }

  Status read_triggers(std::string& text) {
    auto parts = select_all(rules_.trigger);
    if (!parts) return std::move(parts).error();
    NodeId end = 0;
    for (const NodeId part : *parts) {
      if (part < end) continue;
      end = document_.subtree_end(part);
      append_line(text, text_of(part));
    }
    return Done{};
  }

  [[nodiscard]] std::string text_of(NodeId node) const {
    for (NodeId at = node;; at = document_.parent(at)) {
      if (std::ranges::binary_search(omitted_, at)) return {};
      if (at == html::Document::root()) break;
    }
    return html::text_without(document_, node, omitted_);
  }

  const html::Document& document_;
  const TextRules& rules_;
  html::SelectBudget budget_{{.max_steps = TreeValues::kMaxSteps}};
  std::vector<NodeId> omitted_;  // in document order
};

void remove_matches(const TextRules::Expressions& expressions, std::string& text) {
  for (const auto& expression : expressions) re2::RE2::GlobalReplace(&text, *expression, "");
}

}  // namespace

Result<TextRules> TextRules::compile(const ChangeRule& rule) {
  TextRules rules;
  auto ignore = compile_selectors("ignore", rule.ignore);
  if (!ignore) return std::move(ignore).error();
  rules.ignore = *std::move(ignore);
  auto trigger = compile_selectors("trigger", rule.trigger);
  if (!trigger) return std::move(trigger).error();
  rules.trigger = *std::move(trigger);
  auto ignore_text = compile_expressions("ignore_text", rule.ignore_text);
  if (!ignore_text) return std::move(ignore_text).error();
  rules.ignore_text = *std::move(ignore_text);
  auto trigger_text = compile_expressions("trigger_text", rule.trigger_text);
  if (!trigger_text) return std::move(trigger_text).error();
  rules.trigger_text = *std::move(trigger_text);
  rules.min_significance = rule.min_significance;
  return rules;
}

bool TextRules::tells(const FieldChange& change) const {
  if (change.significance < min_significance) return false;
  return trigger_text.empty() ||
         std::ranges::any_of(trigger_text, [&change](const auto& expression) {
           return re2::RE2::PartialMatch(change.before, *expression) ||
                  re2::RE2::PartialMatch(change.after, *expression);
         });
}

Result<PageText> read_page_text(const SourceDocument& document, const SourceRules& source,
                                const TextRules& rules, std::optional<bool> is_whole) {
  Result<PageText> page = PageText{};
  if (const html::Document* tree = document.tree())
    page = TreeTextReader(*tree, rules).read(source, is_whole);
  else if (const JsonDocument* json = document.json())
    page = JsonTextReader(*json).read(source);
  else
    page->text = std::get<std::string>(document.content);
  if (!page) return page;
  remove_matches(rules.ignore_text, page->text);
  remove_matches(rules.ignore_text, page->trigger_text);
  return page;
}

Result<std::string> text_without_ignored(const SourceDocument& document, const TextRules& rules) {
  const html::Document* tree = document.tree();
  auto text = tree != nullptr ? TreeTextReader(*tree, rules).read_all()
                              : Result<std::string>(readable_text(document));
  if (text) remove_matches(rules.ignore_text, *text);
  return text;
}

bool is_plain_text(std::string_view content_type, std::string_view body) {
  const std::string type = to_lower_ascii(trim(content_type.substr(0, content_type.find(';'))));
  const std::string_view start = body.substr(0, kSniffed);
  const bool has_markup =
      re2::RE2::PartialMatch(re2::StringPiece(start.data(), start.size()),
                             R"((?i)<(!doctype|html|head|body|div|p|a|\?xml)\b)");
  if (type.starts_with("text/") && type != "text/html" && type != "text/xml") return !has_markup;
  return type.empty() && start.find('<') == std::string_view::npos;
}

}  // namespace heddle::pages
