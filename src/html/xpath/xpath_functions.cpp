// The part of XPathEvaluator that carries out function calls.
#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/text.hpp"
#include "html/xpath/xpath_evaluator.hpp"
#include "html/xpath/xpath_values.hpp"

namespace heddle::html {

namespace {

constexpr std::size_t kBytesPerStep = 16;

bool is_language(std::string_view language, std::string_view wanted) {
  if (language.size() < wanted.size()) return false;
  return equals_ignoring_case(language.substr(0, wanted.size()), wanted) &&
         (language.size() == wanted.size() || language[wanted.size()] == '-');
}

}  // namespace

XPathValue XPathEvaluator::call(const XPathExpression& expression, const Context& context) {
  const auto& arguments = expression.arguments;
  switch (expression.function) {
    case XPathFunction::last:
      return static_cast<double>(context.size);
    case XPathFunction::position:
      return static_cast<double>(context.position);
    case XPathFunction::count:
      return static_cast<double>(nodes(arguments[0], context).size());
    case XPathFunction::sum:
      return sum(nodes(arguments[0], context));
    case XPathFunction::id:
      return elements_with_id(expression, context);
    case XPathFunction::local_name:
    case XPathFunction::namespace_uri:
    case XPathFunction::name:
      return call_on_node(expression, context);
    case XPathFunction::boolean:
      return boolean(arguments[0], context);
    case XPathFunction::negation:
      return !boolean(arguments[0], context);
    case XPathFunction::truth:
      return true;
    case XPathFunction::falsehood:
      return false;
    case XPathFunction::lang:
      return has_language(text(arguments[0], context), context.node.node);
    case XPathFunction::number:
    case XPathFunction::floor:
    case XPathFunction::ceiling:
    case XPathFunction::round:
      return call_on_number(expression, context);
    default:
      return call_on_texts(expression, context);
  }
}

XPathValue XPathEvaluator::call_on_node(const XPathExpression& expression, const Context& context) {
  if (expression.arguments.empty()) return name_of(expression.function, context.node);
  const XPathNodes found = nodes(expression.arguments[0], context);
  return found.empty() ? std::string() : name_of(expression.function, found.front());
}

std::string XPathEvaluator::name_of(XPathFunction function, const XPathNode& node) {
  std::string_view name;
  std::string_view uri;
  if (node.is_namespace()) {
    const auto all = namespaces_in_scope(document_, node.node);
    if (node.part <= all.size()) name = all[node.part - 1].first;
  } else if (node.is_attribute()) {
    const Attribute& attribute = attribute_of(document_, node);
    name = document_.name(attribute.name);
    uri = document_.namespace_uri(attribute.space);
  } else if (document_.tag(node.node) != kNoName) {
    name = document_.tag_name(node.node);
    if (document_.is_element(node.node)) uri = document_.namespace_uri(document_.space(node.node));
  }
  if (function == XPathFunction::namespace_uri) return std::string(uri);
  const std::size_t colon = name.find(':');
  const bool has_prefix =
      colon != std::string_view::npos && (document_.is_xml() || !node.is_whole());
  if (function == XPathFunction::local_name && has_prefix) name.remove_prefix(colon + 1);
  return std::string(name);
}

double XPathEvaluator::call_on_number(const XPathExpression& expression, const Context& context) {
  const double given = expression.arguments.empty() ? xpath_number(text_of(context.node))
                                                    : number(expression.arguments[0], context);
  switch (expression.function) {
    case XPathFunction::floor:
      return std::floor(given);
    case XPathFunction::ceiling:
      return std::ceil(given);
    case XPathFunction::round:
      return xpath_round(given);
    default:
      return given;
  }
}

std::string XPathEvaluator::first_text(const XPathExpression& expression, const Context& context) {
  if (expression.arguments.empty()) return std::string(text_of(context.node));
  return text(expression.arguments[0], context);
}

XPathValue XPathEvaluator::call_on_texts(const XPathExpression& expression,
                                         const Context& context) {
  const auto& arguments = expression.arguments;
  std::string first = first_text(expression, context);
  if (!axes_.spend(1 + first.size() / kBytesPerStep)) return std::string();
  if (expression.function == XPathFunction::string) return first;
  if (expression.function == XPathFunction::string_length)
    return static_cast<double>(count_characters(first));
  if (expression.function == XPathFunction::normalize_space) return normalize_space(first);
  if (expression.function == XPathFunction::concat) {
    for (std::size_t i = 1; i < arguments.size(); ++i) first += text(arguments[i], context);
    axes_.spend(first.size() / kBytesPerStep);
    return first;
  }
  if (expression.function == XPathFunction::substring) {
    const double length = arguments.size() == 3 ? number(arguments[2], context)
                                                : std::numeric_limits<double>::infinity();
    return xpath_substring(first, number(arguments[1], context), length);
  }
  const std::string second = text(arguments[1], context);
  const std::size_t at = first.find(second);
  const bool is_there = at != std::string::npos;
  switch (expression.function) {
    case XPathFunction::starts_with:
      return first.starts_with(second);
    case XPathFunction::contains:
      return is_there;
    case XPathFunction::substring_before:
      return is_there ? first.substr(0, at) : std::string();
    case XPathFunction::substring_after:
      return is_there ? first.substr(at + second.size()) : std::string();
    default:
      return translate_characters(first, second, text(arguments[2], context));
  }
}

// Ids are those of HTML and xml:id: no DTD is read.
XPathNodes XPathEvaluator::elements_with_id(const XPathExpression& expression,
                                            const Context& context) {
  const XPathValue given = value(expression.arguments[0], context);
  std::string ids;
  if (const auto* list = std::get_if<XPathNodes>(&given)) {
    for (const XPathNode& node : *list) {
      ids += text_of(node);
      ids += ' ';
    }
  } else {
    ids = text_of(given);
  }
  const std::string spaced = normalize_space(ids);
  std::unordered_set<std::string_view> wanted;
  for (const std::string_view each : split(spaced, ' '))
    if (!each.empty()) wanted.insert(each);
  XPathNodes found;
  if (wanted.empty() || !axes_.spend(document_.size())) return found;
  const NameId xml_id = document_.find_name("xml:id");
  for (NodeId node = 1; node < document_.subtree_end(Document::root()); ++node) {
    if (!document_.is_element(node)) continue;
    auto id = document_.attribute(node, known("id"));
    if (!id && xml_id != kNoName) id = document_.attribute(node, xml_id);
    if (id && wanted.erase(*id) != 0) found.push_back({node, 0});
  }
  return found;
}

bool XPathEvaluator::has_language(std::string_view wanted, NodeId node) {
  const NameId xml_lang = document_.find_name("xml:lang");
  for (; node != kNoNode && axes_.spend(1); node = document_.parent(node)) {
    if (!document_.is_element(node)) continue;
    auto language = xml_lang == kNoName ? std::nullopt : document_.attribute(node, xml_lang);
    if (!language) language = document_.attribute(node, known("lang"));
    if (language) return is_language(*language, wanted);
  }
  return false;
}

double XPathEvaluator::sum(const XPathNodes& nodes) {
  double total = 0;
  for (const XPathNode& node : nodes) total += xpath_number(text_of(node));
  return total;
}

}  // namespace heddle::html
