#include "pages/source/read_items.hpp"

#include <re2/re2.h>

#include "base/text.hpp"
#include "html/links.hpp"
#include "pages/source/tree_values.hpp"

namespace heddle::pages {

namespace {

// The first group if there is one, else the whole match; empty without a match.
std::string apply_regex(const re2::RE2& regex, const std::string& text) {
  re2::StringPiece found[2];
  const int groups = regex.NumberOfCapturingGroups() > 0 ? 2 : 1;
  if (!regex.Match(text, 0, text.size(), re2::RE2::UNANCHORED, found, groups)) return {};
  return found[groups - 1].as_string();
}

bool is_blank(const Item& item) {
  for (const Field& field : item.fields)
    if (!field.second.empty()) return false;
  return true;
}

// Selects in a JSON document, within one budget for the whole page.
class JsonValues {
 public:
  using Container = JsonId;

  explicit JsonValues(const JsonDocument& document) : document_(document) {}

  static Container whole_page() { return JsonDocument::root(); }

  Result<std::vector<JsonId>> containers(const SourceSelector& selector) {
    return select(selector, JsonDocument::root());
  }

  Result<std::string> field_text(const FieldPlan& field, JsonId container) {
    if (!field.selector) return json_value_text(document_, container).value_or(std::string());
    auto values = select(*field.selector, container);
    if (!values) return std::move(values).error();
    std::string out;
    bool is_first = true;
    for (const JsonId value : *values) {
      const auto text = json_value_text(document_, value);
      if (!text) continue;  // null
      if (!is_first) out += *field.rule.join;
      out += *text;
      is_first = false;
      if (!field.rule.join) break;
    }
    return out;
  }

 private:
  Result<std::vector<JsonId>> select(const SourceSelector& selector, JsonId start) {
    std::vector<JsonId> out;
    if (selector.json_path() == nullptr) return out;  // no elements in JSON
    if (auto done = evaluate(*selector.json_path(), document_, start, out, budget_); !done)
      return std::move(done).error();
    return out;
  }

  const JsonDocument& document_;
  JsonPathBudget budget_;
};

class TreeItems : public TreeValues {
 public:
  using Container = html::XPathNode;
  using TreeValues::TreeValues;

  static Container whole_page() { return {html::Document::root()}; }
};

// A plain text has no parts: each field is made of the whole text.
class PlainText {
 public:
  using Container = const std::string*;

  explicit PlainText(const std::string& text) : text_(text) {}

  [[nodiscard]] Container whole_page() const { return &text_; }
  static Result<std::vector<Container>> containers(const SourceSelector& /*selector*/) {
    return std::vector<Container>();
  }
  static Result<std::string> field_text(const FieldPlan& /*field*/, Container text) {
    return std::string(trim(*text));
  }

 private:
  const std::string& text_;
};

template <class Values>
Result<Item> read_item(Values& values, const SourceRules& rules,
                       const typename Values::Container& container) {
  Item item;
  item.fields.reserve(rules.fields.size());
  for (const FieldPlan& field : rules.fields) {
    auto text = values.field_text(field, container);
    if (!text) return std::move(text).error();
    if (field.regex) *text = apply_regex(*field.regex, *text);
    if (text->empty()) *text = field.rule.fallback;
    item.fields.emplace_back(field.rule.name, *std::move(text));
  }
  return item;
}

template <class Values>
Result<ItemsOfPage> read_all(Values values, const SourceRules& rules) {
  std::vector<typename Values::Container> containers;
  if (rules.container) {
    auto selected = values.containers(*rules.container);
    if (!selected) return std::move(selected).error();
    containers = *std::move(selected);
  } else {
    containers.push_back(values.whole_page());
  }
  ItemsOfPage page;
  page.containers = containers.size();
  page.items.reserve(containers.size());
  for (const auto& container : containers) {
    auto item = read_item(values, rules, container);
    if (!item) return std::move(item).error();
    if (!is_blank(*item)) page.items.push_back(*std::move(item));
  }
  return page;
}

}  // namespace

Result<ItemsOfPage> read_items(const SourceDocument& document, const SourceRules& rules,
                               const Url& page_url) {
  if (const auto* json = document.json()) return read_all(JsonValues(*json), rules);
  const html::Document* tree = document.tree();
  if (tree == nullptr) return read_all(PlainText(std::get<std::string>(document.content)), rules);
  const Url base = html::document_base(*tree, page_url);
  return read_all(TreeItems(*tree, &base), rules);
}

}  // namespace heddle::pages
