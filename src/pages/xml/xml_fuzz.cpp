// Any bytes are XML or an error; repairing reads all of them. A tree printed and read again is the
// same tree.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "html/serialize.hpp"
#include "pages/xml/xml.hpp"

namespace heddle::pages {
namespace {

void check_tree(const html::Document& document) {
  for (html::NodeId node = 1; node < document.size(); ++node) {
    if (document.parent(node) >= node || document.subtree_end(node) > document.size()) std::abort();
    (void)document.namespace_uri(document.space(node));
    for (const html::Attribute& each : document.attributes(node))
      (void)document.namespace_uri(each.space);
  }
}

void try_text(std::string_view input) {
  const html::ParseLimits limits{.max_nodes = 10'000, .max_depth = 100};
  const std::string text = to_valid_utf8(std::string(input));
  const auto parsed = parse_xml(text, limits);
  if (parsed) check_tree(*parsed);
  const auto repaired = repair_xml(text, limits);
  if (!repaired) {
    if (!repaired.error().message.starts_with("too_complex: ")) std::abort();
    return;
  }
  check_tree(*repaired);
  const std::string printed = html::outer_html(*repaired, html::Document::root());
  const auto again = repair_xml(printed, limits);
  if (again && html::outer_html(*again, html::Document::root()) != printed) std::abort();
}

}  // namespace
}  // namespace heddle::pages

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::pages::try_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
