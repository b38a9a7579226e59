// Parses any bytes as a page, then walks, selects, reads and serializes it. Aborts on an invalid
// tree.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "html/parse.hpp"
#include "html/selector.hpp"
#include "html/serialize.hpp"
#include "html/text.hpp"

namespace heddle::html {
namespace {

void require(bool is_true) {
  if (!is_true) std::abort();
}

void check_links(const Document& document, NodeId node) {
  const NodeId parent = document.parent(node);
  require(parent < node && node < document.subtree_end(parent));
  require(document.subtree_end(node) > node);
  require(document.subtree_end(node) <= document.subtree_end(parent));
  const NodeId previous = document.previous(node);
  require(previous == kNoNode ? document.first_child(parent) == node
                              : document.next(previous) == node);
  if (document.next(node) == kNoNode) require(document.last_child(parent) == node);
}

void check_tree(const Document& document) {
  require(document.subtree_end(Document::root()) == document.size());
  std::size_t text_bytes = 0;
  for (NodeId node = 1; node < document.size(); ++node) {
    check_links(document, node);
    require(document.is_element(node) == (document.tag(node) != kNoName));
    if (document.kind(node) == NodeKind::text) text_bytes += document.text(node).size();
    for (const Attribute& attribute : document.attributes(node)) (void)document.value(attribute);
  }
  require(text_bytes == document.text(Document::root()).size());
}

const std::vector<Selector>& selectors() {
  static const auto compiled_once = [] {
    std::vector<Selector> compiled;
    for (const char* css : {"a[href]", "div > p ~ *", ":is(td, li):nth-child(2n+1)",
                            "*:has(> :not(br)) b", "[class~=a]:nth-last-of-type(1)"})
      compiled.push_back(*Selector::compile(css));
    return compiled;
  }();
  return compiled_once;
}

void use(const Document& document) {
  check_tree(document);
  for (const Selector& selector : selectors()) {
    std::vector<NodeId> nodes;
    (void)select(document, selector, Document::root(), nodes, {.max_steps = 200'000});
    for (std::size_t i = 1; i < nodes.size(); ++i) require(nodes[i - 1] < nodes[i]);
  }
  (void)readable_text(document, Document::root());
  (void)outer_html(document, Document::root());
}

}  // namespace
}  // namespace heddle::html

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::html;
  static Parser parser;  // shared on purpose: one page must not affect the next
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  const ParseLimits limits{.max_nodes = 5000, .max_depth = 200};
  if (const auto document = parser.parse(page, limits)) use(*document);
  return 0;
}
