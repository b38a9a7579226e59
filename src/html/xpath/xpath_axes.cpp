#include "html/xpath/xpath_axes.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace heddle::html {

namespace {

std::string_view local_part(std::string_view qualified) {
  const std::size_t colon = qualified.find(':');
  return colon == std::string_view::npos ? qualified : qualified.substr(colon + 1);
}

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> namespaces_in_scope(
    const Document& document, NodeId element) {
  std::vector<std::pair<std::string_view, std::string_view>> found{{"xml", kXmlNamespace}};
  for (NodeId node = element; node != kNoNode; node = document.parent(node)) {
    if (!document.is_element(node)) continue;
    for (const Attribute& attribute : document.attributes(node)) {
      if (attribute.space != AttributeSpace::xmlns) continue;
      const std::string_view name = document.name(attribute.name);
      const std::string_view prefix = name == "xmlns" ? std::string_view() : local_part(name);
      const bool is_hidden = std::any_of(found.begin(), found.end(),
                                         [&](const auto& each) { return each.first == prefix; });
      if (!is_hidden) found.emplace_back(prefix, document.value(attribute));
    }
  }
  std::erase_if(found, [](const auto& each) { return each.second.empty(); });
  return found;
}

XPathAxes::XPathAxes(const Document& document, const XPathProgram& program, SelectBudget& budget)
    : document_(document), budget_(budget) {
  names_.reserve(program.names.size());
  for (const std::string& name : program.names)
    names_.push_back({document.find_name(name), document.find_name(to_lower_ascii(name))});
}

bool XPathAxes::spend(std::size_t steps) {
  budget_.steps_left -= std::min(budget_.steps_left, steps);
  return budget_.steps_left > 0;
}

void XPathAxes::collect(const XPathStep& step, const XPathNode& context, XPathNodes& out) {
  const NodeId node = context.node;
  const bool is_whole = context.is_whole();
  switch (step.axis) {
    case XPathAxis::self:
      return collect_self(step, context, out);
    case XPathAxis::attribute:
      return collect_attributes(step, context, out);
    case XPathAxis::namespaces:
      return collect_namespaces(step, context, out);
    case XPathAxis::child:
      for (NodeId child = is_whole ? document_.first_child(node) : kNoNode;
           child != kNoNode && spend(1); child = document_.next(child))
        visit(step, child, out);
      return;
    case XPathAxis::descendant_or_self:
      collect_self(step, context, out);
      [[fallthrough]];
    case XPathAxis::descendant:
      return collect_range(step, node + 1, is_whole ? document_.subtree_end(node) : node + 1, out);
    case XPathAxis::parent:
      if (const NodeId up = is_whole ? document_.parent(node) : node; up != kNoNode)
        visit(step, up, out);
      return;
    case XPathAxis::ancestor_or_self:
      collect_self(step, context, out);
      [[fallthrough]];
    case XPathAxis::ancestor:
      return collect_ancestors(step, is_whole ? document_.parent(node) : node, out);
    case XPathAxis::following_sibling:
    case XPathAxis::preceding_sibling:
      return collect_siblings(step, context, out);
    case XPathAxis::following:  // the content of its element follows an attribute
      return collect_range(step, is_whole ? document_.subtree_end(node) : node + 1,
                           document_.subtree_end(Document::root()), out);
    case XPathAxis::preceding:
      return collect_preceding(step, node, out);
  }
}

void XPathAxes::visit(const XPathStep& step, NodeId node, XPathNodes& out) {
  if (passes(step.test, node)) out.push_back({node, 0});
}

void XPathAxes::collect_range(const XPathStep& step, NodeId begin, NodeId end, XPathNodes& out) {
  if (begin >= end || !spend(end - begin)) return;
  for (NodeId node = begin; node < end; ++node) visit(step, node, out);
}

void XPathAxes::collect_ancestors(const XPathStep& step, NodeId node, XPathNodes& out) {
  for (; node != kNoNode && spend(1); node = document_.parent(node)) visit(step, node, out);
}

void XPathAxes::collect_preceding(const XPathStep& step, NodeId node, XPathNodes& out) {
  if (!spend(node)) return;
  NodeId ancestor = document_.parent(node);
  for (NodeId before = node; before-- > 0;) {
    if (before == ancestor)
      ancestor = document_.parent(ancestor);
    else
      visit(step, before, out);
  }
}

void XPathAxes::collect_siblings(const XPathStep& step, const XPathNode& context, XPathNodes& out) {
  if (!context.is_whole()) return;
  const bool is_forward = step.axis == XPathAxis::following_sibling;
  const auto beside = [&](NodeId node) {
    return is_forward ? document_.next(node) : document_.previous(node);
  };
  for (NodeId node = beside(context.node); node != kNoNode && spend(1); node = beside(node))
    visit(step, node, out);
}

void XPathAxes::collect_attributes(const XPathStep& step, const XPathNode& context,
                                   XPathNodes& out) {
  if (!context.is_whole() || !document_.is_element(context.node)) return;
  const auto attributes = document_.attributes(context.node);
  if (!spend(1 + attributes.size())) return;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (passes(step.test, context.node, attributes[i]))
      out.push_back({context.node, XPathNode::kAttributes + static_cast<std::uint32_t>(i)});
}

void XPathAxes::collect_namespaces(const XPathStep& step, const XPathNode& context,
                                   XPathNodes& out) {
  const NodeTest& test = step.test;
  if (!context.is_whole() || !document_.is_element(context.node) || !document_.is_xml()) return;
  const auto all = namespaces_in_scope(document_, context.node);
  if (!spend(1 + all.size() * all.size())) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_wanted = test.kind == NodeTestKind::any || test.kind == NodeTestKind::all_names ||
                           (test.kind == NodeTestKind::name && test.name == all[i].first);
    if (is_wanted) out.push_back({context.node, static_cast<std::uint32_t>(i + 1)});
  }
}

void XPathAxes::collect_self(const XPathStep& step, const XPathNode& context, XPathNodes& out) {
  // A name test of these axes accepts elements only.
  const bool passed =
      context.is_whole() ? passes(step.test, context.node) : step.test.kind == NodeTestKind::any;
  if (spend(1) && passed) out.push_back(context);
}

bool XPathAxes::passes(const NodeTest& test, NodeId node) const {
  const NodeKind kind = document_.kind(node);
  switch (test.kind) {
    case NodeTestKind::any:
      return kind != NodeKind::doctype;
    case NodeTestKind::text:
      return kind == NodeKind::text;
    case NodeTestKind::comment:
      return kind == NodeKind::comment;
    case NodeTestKind::instruction:
      return kind == NodeKind::instruction &&
             (test.name.empty() || document_.tag_name(node) == test.name);
    case NodeTestKind::all_names:
      return kind == NodeKind::element;
    case NodeTestKind::in_space:
      return kind == NodeKind::element &&
             is_in_space(test, document_.namespace_uri(document_.space(node)),
                         document_.tag_name(node));
    case NodeTestKind::name:
      return kind == NodeKind::element && has_name(test, node);
  }
  return false;
}

// Without a prefix: elements written without one, whatever their default namespace. Names in HTML
// pages are lower-case, except those of foreign elements.
bool XPathAxes::has_name(const NodeTest& test, NodeId element) const {
  const NameId tag = document_.tag(element);
  const Names& names = names_[test.slot];
  if (!test.has_space) {
    const bool is_html = !document_.is_xml() && document_.space(element) == Namespace::html;
    const NameId wanted = is_html ? names.lower : names.written;
    return wanted != kNoName && tag == wanted;
  }
  if (document_.namespace_uri(document_.space(element)) != test.space) return false;
  const std::string_view name = document_.name(tag);
  if (document_.is_xml()) return local_part(name) == test.name;
  return equals_ignoring_case(name, test.name);
}

bool XPathAxes::is_shown(const Attribute& attribute) const {
  return !document_.is_xml() || attribute.space != AttributeSpace::xmlns;
}

bool XPathAxes::passes(const NodeTest& test, NodeId element, const Attribute& attribute) const {
  if (!is_shown(attribute)) return false;
  if (test.kind == NodeTestKind::any || test.kind == NodeTestKind::all_names) return true;
  const std::string_view name = document_.name(attribute.name);
  const std::string_view uri = document_.namespace_uri(attribute.space);
  if (test.kind == NodeTestKind::in_space) return is_in_space(test, uri, name);
  if (test.kind != NodeTestKind::name) return false;
  if (test.has_space) return uri == test.space && local_part(name) == test.name;
  const bool is_html = !document_.is_xml() && document_.space(element) == Namespace::html;
  const NameId wanted = is_html ? names_[test.slot].lower : names_[test.slot].written;
  return wanted != kNoName && attribute.name == wanted;
}

bool XPathAxes::is_in_space(const NodeTest& test, std::string_view uri,
                            std::string_view qualified) const {
  if (test.has_space) return uri == test.space;
  return qualified.starts_with(test.prefix) &&
         qualified.substr(test.prefix.size()).starts_with(':');
}

}  // namespace heddle::html
