// Any bytes are a page: it gets a class, its lists have selectors that compile and rows of their
// fields, and what was found can be found again by its rows.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "html/parse.hpp"
#include "html/selector.hpp"
#include "pages/classify/classify.hpp"
#include "pages/infer/infer.hpp"

namespace heddle::pages {
namespace {

void check_list(const html::Document& document, const InferredList& list) {
  const auto selector = html::Selector::compile(list.selector);
  if (!selector || list.fields.empty() || list.rows.empty()) std::abort();
  std::vector<html::NodeId> blocks;
  if (!html::select(document, *selector, html::Document::root(), blocks)) std::abort();
  if (blocks.size() != list.blocks) std::abort();
  for (const InferredField& field : list.fields)
    if (!field.selector.empty() && !html::Selector::compile(field.selector)) std::abort();
  for (const auto& row : list.rows)
    if (row.size() != list.fields.size()) std::abort();
}

void try_page(std::string_view input) {
  static html::Parser parser;
  static const Url kUrl = *Url::parse("https://a.example/list");
  const auto document = parser.parse(to_valid_utf8(std::string(input)), {.max_nodes = 10'000});
  if (!document) return;
  const PageOutline outline(*document);
  const auto page = classify_page(outline, StructuredData::collect(*document), {kUrl});
  if (!(page.confidence >= 0 && page.confidence <= 1)) std::abort();
  const auto lists = infer_lists(outline, kUrl, {.max_steps = 1'000'000});
  for (const InferredList& list : lists) check_list(*document, list);
  if (lists.empty()) return;
  std::vector<Item> known;
  for (const auto& row : lists.front().rows) {
    Item item;
    for (std::size_t i = 0; i < row.size(); ++i)
      item.fields.emplace_back(lists.front().fields[i].name, row[i]);
    known.push_back(std::move(item));
  }
  if (const auto repaired = repair_list(outline, kUrl, known, {.max_steps = 1'000'000}))
    check_list(*document, *repaired);
}

}  // namespace
}  // namespace heddle::pages

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::pages::try_page({reinterpret_cast<const char*>(data), size});
  return 0;
}
