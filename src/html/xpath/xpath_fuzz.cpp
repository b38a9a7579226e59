// Compiles any bytes as an XPath expression: it compiles or reports an error, and its nodes are in
// document order without duplicates.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "html/parse.hpp"
#include "html/xpath/xpath.hpp"

namespace heddle::html {
namespace {

constexpr std::string_view kPage =
    R"(<main class="a b" lang=en><h2 id=h>Things</h2><p>first<p>second
  <b>2.5</b></p><ul><li class=x><a href="/1">One</a><li><a href="/2" title="">Two</a><ul><li>c</ul>
  </ul><svg viewBox="0"><linearGradient id=g xlink:href="#x"/></svg><!-- note --></main>)";

void try_expression(std::string_view text) {
  static const Document document = *parse(kPage);
  const auto xpath = XPath::compile(text, {{"svg", std::string(kSvgNamespace)}});
  if (!xpath) {
    if (!xpath.error().message.starts_with("XPath: position ")) std::abort();
    return;
  }
  const auto value = evaluate(document, *xpath, {.max_steps = 300'000});
  if (!value) return;
  const auto* nodes = std::get_if<XPathNodes>(&*value);
  if ((nodes != nullptr) != xpath->returns_nodes()) std::abort();
  (void)to_text(document, *value);
  if (nodes == nullptr) return;
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    const XPathNode& node = (*nodes)[i];
    if (i > 0 && !((*nodes)[i - 1] < node)) std::abort();
    if (node.node >= document.size()) std::abort();
    (void)string_value(document, node);
  }
}

}  // namespace
}  // namespace heddle::html

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::html::try_expression({reinterpret_cast<const char*>(data), size});
  return 0;
}
