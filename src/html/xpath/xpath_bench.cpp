// Measures XPath on the pages of parse_bench.cpp, beside the same questions in CSS there.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "html/parse.hpp"
#include "html/xpath/xpath.hpp"

namespace heddle::html {
namespace {

std::vector<Document> real_pages() {
  std::vector<Document> documents;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(HEDDLE_SHARED_DATA "/pages", missing)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (auto document = parse(page)) documents.push_back(*std::move(document));
  }
  if (documents.empty()) documents.push_back(*parse("<ul><li><a href=/1>One</a></ul>"));
  return documents;
}

void evaluate_on_pages(benchmark::State& state, const char* expression) {
  static const std::vector<Document> kDocuments = real_pages();
  const auto xpath = XPath::compile(expression);
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Document& document : kDocuments) {
      const auto value = evaluate(document, *xpath);
      if (!value) state.SkipWithError(value.error().message.c_str());
      if (const auto* nodes = value ? std::get_if<XPathNodes>(&*value) : nullptr)
        found += nodes->size();
    }
  }
  state.counters["nodes"] = static_cast<double>(found);
}
BENCHMARK_CAPTURE(evaluate_on_pages, links, "//a[@href]")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_on_pages, targets, "//a/@href")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_on_pages, nested, "//div//ul/li//a[@href]")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_on_pages, by_class, "//*[contains(concat(' ', @class, ' '), ' title ')]")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_on_pages, first_items, "//li[1]")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::html
