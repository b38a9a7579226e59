#include "pages/structured/attribute_collector.hpp"

#include "base/text.hpp"
#include "html/text.hpp"

namespace heddle::pages {

using html::known;
using html::NodeId;

namespace {

constexpr std::size_t kMaxValueBytes = 2000;

template <class Visit>
void each_word(std::string_view text, Visit visit) {
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n\f");
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\f"), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

AttributeCollector::AttributeCollector(const html::Document& document, StructuredData& data)
    : document_(document),
      data_(data),
      typeof_(document.find_name("typeof")),
      itemid_(document.find_name("itemid")) {}

void AttributeCollector::visit(NodeId node) {
  while (!open_.empty() && node >= open_.back().end) open_.pop_back();
  const auto itemprop = document_.attribute(node, known("itemprop"));
  const bool has_scope = document_.has_attribute(node, known("itemscope"));
  if (document_.tag(node) == known("meta")) visit_meta(node);
  if (itemprop || has_scope) {
    visit_names(node, itemprop.value_or(""),
                document_.attribute(node, known("itemtype")).value_or(""), has_scope,
                StructuredEntity::Syntax::microdata);
    return;
  }
  const auto type = typeof_ == html::kNoName ? std::nullopt : document_.attribute(node, typeof_);
  const auto property = document_.attribute(node, known("property"));
  const bool is_inside = !open_.empty() && document_.tag(node) != known("html");
  if (type || (property && is_inside && !property->starts_with("og:")))
    visit_names(node, property.value_or(""), type.value_or(""), type.has_value(),
                StructuredEntity::Syntax::rdfa);
}

void AttributeCollector::visit_meta(NodeId node) {
  const auto content = document_.attribute(node, known("content"));
  if (!content || data_.meta_tags_.size() >= 1000) return;
  for (const auto attribute : {known("property"), known("name"), known("itemprop")})
    if (const auto name = document_.attribute(node, attribute))
      return data_.meta_tags_.push_back({*name, *content});
}

void AttributeCollector::visit_names(NodeId node, std::string_view names, std::string_view type,
                                     bool opens, StructuredEntity::Syntax syntax) {
  const std::uint32_t parent = open_.empty() ? StructuredEntity::kNone : open_.back().entity;
  if (opens) {
    std::string_view first;
    each_word(names, [&](std::string_view word) { first = first.empty() ? word : first; });
    const auto index =
        data_.add_entity(first.empty() ? StructuredEntity::kNone : parent, schema_name(first));
    if (index == StructuredEntity::kNone) return;
    StructuredEntity& entity = data_.entities_[index];
    entity.node = node;
    entity.syntax = syntax;
    if (itemid_ != html::kNoName) entity.id = document_.attribute(node, itemid_).value_or("");
    each_word(type, [&](std::string_view word) { entity.types.emplace_back(schema_name(word)); });
    open_.push_back({document_.subtree_end(node), index});
    return;
  }
  if (parent == StructuredEntity::kNone) return;
  std::string value;
  each_word(names, [&](std::string_view word) {
    const bool is_name = word == "name" && document_.tag(node) == known("a");
    value = is_name ? html::readable_text(document_, node) : value_of(node);
    data_.add_text(parent, schema_name(word), value);
  });
}

std::string AttributeCollector::value_of(NodeId node) const {
  if (const auto content = document_.attribute(node, known("content")))
    return std::string(*content);
  const html::NameId tag = document_.tag(node);
  const auto from = [&](html::NameId attribute) {
    return std::string(document_.attribute(node, attribute).value_or(""));
  };
  switch (tag) {
    case known("a"):
    case known("link"):
    case known("area"):
      return from(known("href"));
    case known("img"):
    case known("source"):
    case known("video"):
    case known("iframe"):
    case known("embed"):
      return from(document_.has_attribute(node, known("src")) ? known("src") : known("data-src"));
    case known("time"):
      if (document_.has_attribute(node, known("datetime"))) return from(known("datetime"));
      break;
    case known("data"):
    case known("input"):
      return from(known("value"));
    default:
      break;
  }
  if (document_.text(node).size() > 20 * kMaxValueBytes) return {};
  std::string text = html::text_without_struck(document_, node);
  text.resize(utf8_prefix(text, kMaxValueBytes).size());
  return text;
}

}  // namespace heddle::pages
