// Measures speed on real pages: HEDDLE_PAGES names a folder of .html files; the default is
// ../shared/data/pages beside the source tree, else a generated page.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "html/parse.hpp"
#include "html/selector.hpp"
#include "html/text.hpp"

namespace heddle::html {
namespace {

std::string made_page() {
  std::string page = "<!doctype html><title>shop</title><ul>";
  for (int i = 0; i < 2000; ++i)
    page += "<li class='item card'><a href='/p/" + std::to_string(i) + "'>Thing <b>number</b> " +
            std::to_string(i) + "</a><span class=price>12.50</span>\n";
  return page;
}

std::vector<std::string> load_pages() {
  const char* folder =
      std::getenv("HEDDLE_PAGES");  // NOLINT(concurrency-mt-unsafe): no threads yet
  const std::filesystem::path path = folder != nullptr ? folder : HEDDLE_SHARED_DATA "/pages";
  std::vector<std::string> pages;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(path, missing)) {
    if (entry.path().extension() != ".html") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    pages.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (pages.empty()) pages.push_back(made_page());
  return pages;
}

const std::vector<std::string>& pages() {
  static const std::vector<std::string> kPages = load_pages();
  return kPages;
}

void count_bytes(benchmark::State& state) {
  std::size_t bytes = 0;
  for (const std::string& page : pages()) bytes += page.size();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.counters["pages"] = benchmark::Counter(static_cast<double>(pages().size()),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

void parse_pages(benchmark::State& state) {
  Parser parser;
  for (auto _ : state)
    for (const std::string& page : pages()) benchmark::DoNotOptimize(parser.parse(page));
  count_bytes(state);
}
BENCHMARK(parse_pages)->Unit(benchmark::kMillisecond);

void parse_pages_with_a_new_parser_each(benchmark::State& state) {
  for (auto _ : state)
    for (const std::string& page : pages()) benchmark::DoNotOptimize(parse(page));
  count_bytes(state);
}
BENCHMARK(parse_pages_with_a_new_parser_each)->Unit(benchmark::kMillisecond);

std::vector<Document> parsed_pages() {
  Parser parser;
  std::vector<Document> documents;
  for (const std::string& page : pages())
    if (auto document = parser.parse(page)) documents.push_back(std::move(*document));
  return documents;
}

void select_in_pages(benchmark::State& state, const char* css) {
  const auto documents = parsed_pages();
  const auto selector = Selector::compile(css);
  std::vector<NodeId> found;
  std::size_t matches = 0;
  for (auto _ : state) {
    for (const Document& document : documents) {
      found.clear();
      if (!select(document, *selector, Document::root(), found)) state.SkipWithError("steps");
      matches += found.size();
    }
  }
  count_bytes(state);
  state.counters["matches"] =
      static_cast<double>(matches) / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(select_in_pages, links, "a[href]")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(select_in_pages, by_class, ".title")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(select_in_pages, nested, "div ul > li a[href]")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(select_in_pages, siblings, "h2 ~ p")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(select_in_pages, has, "div:has(> img)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(select_in_pages, nth, "li:nth-child(2n+1)")->Unit(benchmark::kMillisecond);

void read_text_of_pages(benchmark::State& state) {
  const auto documents = parsed_pages();
  std::string text;
  for (auto _ : state) {
    for (const Document& document : documents) {
      text.clear();
      append_readable_text(document, Document::root(), text);
      benchmark::DoNotOptimize(text.data());
    }
  }
  count_bytes(state);
}
BENCHMARK(read_text_of_pages)->Unit(benchmark::kMillisecond);

// The reference work of one page: parse it, extract every link with its text and target.
void parse_and_take_links(benchmark::State& state) {
  Parser parser;
  const auto selector = Selector::compile("a[href]");
  std::vector<NodeId> links;
  std::string text;
  for (auto _ : state) {
    for (const std::string& page : pages()) {
      const auto document = parser.parse(page);
      if (!document) continue;
      links.clear();
      if (!select(*document, *selector, Document::root(), links)) state.SkipWithError("steps");
      for (const NodeId link : links) {
        text.clear();
        append_readable_text(*document, link, text);
        benchmark::DoNotOptimize(document->attribute(link, known("href")));
      }
    }
  }
  count_bytes(state);
}
BENCHMARK(parse_and_take_links)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::html
