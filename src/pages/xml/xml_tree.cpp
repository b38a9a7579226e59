#include "pages/xml/xml_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pages/xml/xml.hpp"

namespace heddle::pages {

using html::AttributeSpace;
using html::Namespace;

namespace {

constexpr std::size_t kMaxNames = 20'000;
constexpr std::size_t kMaxDeclarations = 1'000;  // in scope at once
constexpr std::size_t kFreeBytes = 1'000'000;
constexpr std::size_t kBytesPerByte = 8;  // that entities may expand a text to

std::string_view prefix_of(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string_view() : name.substr(0, colon);
}

}  // namespace

std::string_view local_name(std::string_view qualified) {
  const std::size_t colon = qualified.find(':');
  return colon == std::string_view::npos ? qualified : qualified.substr(colon + 1);
}

XmlTree::XmlTree(std::size_t bytes, const html::ParseLimits& limits)
    : limits_(limits),
      builder_({.nodes = bytes / 32, .attributes = bytes / 128, .bytes = bytes / 2}),
      max_bytes_(kFreeBytes + bytes * kBytesPerByte) {
  builder_.set_xml();
}

void XmlTree::exceed(std::string what) {
  if (problem_.empty()) problem_ = "too_complex: " + std::move(what);
}

bool XmlTree::count_node() {
  if (++nodes_ > limits_.max_nodes) exceed(fmt::format("more than {} nodes", limits_.max_nodes));
  return problem_.empty();
}

bool XmlTree::count_bytes(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > max_bytes_) exceed("entities expand to too much text");
  return problem_.empty();
}

void XmlTree::open(std::string_view name, const XmlAttributes& attributes) {
  if (frames_.size() >= limits_.max_depth)
    exceed(fmt::format("elements nested more than {} levels deep", limits_.max_depth));
  attributes_ += attributes.size();
  if (attributes_ > limits_.max_nodes)
    exceed(fmt::format("more than {} attributes", limits_.max_nodes));
  if (!count_node()) return;
  frames_.push_back(declarations_.size());
  declare(attributes);
  const Namespace space = element_space(name);
  const bool is_known = space < Namespace::none;  // <h:p> is a paragraph like any other
  builder_.open(builder_.intern(is_known ? local_name(name) : name), space);
  for (const auto& [attribute, value] : attributes) {
    if (!count_bytes(value.size())) return;
    const AttributeSpace attribute_in = attribute_space(attribute);
    builder_.add_attribute(builder_.intern(attribute), value, attribute_in);
  }
  if (builder_.new_name_count() > kMaxNames)
    exceed(fmt::format("more than {} different names", kMaxNames));
}

void XmlTree::close() {
  if (!problem_.empty() || frames_.empty()) return;
  declarations_.resize(frames_.back());
  frames_.pop_back();
  builder_.close();
}

// White space between the top-level nodes is no text node.
void XmlTree::add_text(std::string_view text) {
  if (!problem_.empty() || frames_.empty() || !count_bytes(text.size())) return;
  const std::size_t before = builder_.node_count();
  builder_.add_text(text);
  if (builder_.node_count() > before) count_node();
}

void XmlTree::add_comment(std::string_view text) {
  if (count_node() && count_bytes(text.size())) builder_.add_comment(text);
}

void XmlTree::add_instruction(std::string_view target, std::string_view data) {
  if (count_node() && count_bytes(data.size()))
    builder_.add_instruction(builder_.intern(target), data);
}

void XmlTree::add_doctype(std::string_view name, std::string_view public_id,
                          std::string_view system_id) {
  if (count_node()) builder_.add_doctype(builder_.intern(name), public_id, system_id);
}

void XmlTree::declare(const XmlAttributes& attributes) {
  for (const auto& [name, uri] : attributes) {
    const bool is_default = name == "xmlns";
    if (!is_default && !name.starts_with("xmlns:")) continue;
    if (declarations_.size() >= kMaxDeclarations)
      return exceed(fmt::format("more than {} namespaces declared at once", kMaxDeclarations));
    declarations_.push_back({std::string(is_default ? "" : name.substr(6)), namespace_of(uri)});
  }
}

const XmlTree::Declaration* XmlTree::find_declaration(std::string_view prefix) const {
  const auto found = std::find_if(declarations_.rbegin(), declarations_.rend(),
                                  [&](const Declaration& each) { return each.prefix == prefix; });
  return found == declarations_.rend() ? nullptr : &*found;
}

Namespace XmlTree::element_space(std::string_view name) const {
  const Declaration* found = find_declaration(prefix_of(name));
  return found == nullptr ? Namespace::none : found->space;
}

AttributeSpace XmlTree::attribute_space(std::string_view name) {
  if (name == "xmlns") return AttributeSpace::xmlns;
  const std::string_view prefix = prefix_of(name);
  if (prefix.empty()) return AttributeSpace::none;
  if (prefix == "xmlns") return AttributeSpace::xmlns;
  if (prefix == "xml") return AttributeSpace::xml;
  const Declaration* found = find_declaration(prefix);
  if (found == nullptr || found->space == Namespace::none) return AttributeSpace::none;
  if (found->space >= Namespace::first_other) {
    const auto index =
        static_cast<std::size_t>(found->space) - static_cast<std::size_t>(Namespace::first_other);
    if (uris_[index] == html::kXlinkNamespace) return AttributeSpace::xlink;
    return static_cast<AttributeSpace>(found->space);
  }
  const std::string_view uri = found->space == Namespace::html  ? html::kHtmlNamespace
                               : found->space == Namespace::svg ? html::kSvgNamespace
                                                                : html::kMathmlNamespace;
  return static_cast<AttributeSpace>(other_namespace_of(uri));
}

Namespace XmlTree::namespace_of(std::string_view uri) {
  if (uri.empty()) return Namespace::none;
  if (uri == html::kHtmlNamespace) return Namespace::html;
  if (uri == html::kSvgNamespace) return Namespace::svg;
  if (uri == html::kMathmlNamespace) return Namespace::mathml;
  return other_namespace_of(uri);
}

Namespace XmlTree::other_namespace_of(std::string_view uri) {
  const auto known = std::find(uris_.begin(), uris_.end(), uri);
  if (known != uris_.end())
    return static_cast<Namespace>(static_cast<std::size_t>(Namespace::first_other) +
                                  static_cast<std::size_t>(known - uris_.begin()));
  if (uris_.size() >= html::DocumentBuilder::kMaxNamespaces) {
    exceed(fmt::format("more than {} namespaces", html::DocumentBuilder::kMaxNamespaces));
    return Namespace::none;
  }
  uris_.emplace_back(uri);
  return builder_.add_namespace(uri);
}

Result<html::Document> XmlTree::finish() && {
  if (!problem_.empty()) return Error{ErrorCode::bad_input, std::move(problem_)};
  return std::move(builder_).finish();
}

}  // namespace heddle::pages
