// Compiles any bytes as a selector: it compiles or reports an error, and its matches are in
// document order without duplicates.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "html/parse.hpp"
#include "html/selector.hpp"

namespace heddle::html {
namespace {

constexpr std::string_view kPage = R"(
  <main class="Shop list" lang=en-GB><h2 id=h>Things</h2><p class="intro note">first<p>second
  <b>bold</b></p><ul data-kind="grid view"><li class=item><a href="/one">One</a><li class="item sale">
  <a href="/two.PDF" rel=next>Two</a><img src=x><li class=item><span title="">no</span></ul>
  <svg viewBox="0 0 1 1"><linearGradient id=g /></svg><div><!-- nothing --></div></main>)";

void try_selector(std::string_view css) {
  static const Document document = *parse(kPage);
  const auto selector = Selector::compile(css);
  if (!selector) {
    if (!selector.error().message.starts_with("selector: position ")) std::abort();
    return;
  }
  std::vector<NodeId> nodes;
  (void)select(document, *selector, Document::root(), nodes, {.max_steps = 1'000'000});
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (nodes[i - 1] >= nodes[i]) std::abort();
  for (const NodeId node : nodes)
    if (!document.is_element(node)) std::abort();
}

}  // namespace
}  // namespace heddle::html

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::html::try_selector({reinterpret_cast<const char*>(data), size});
  return 0;
}
