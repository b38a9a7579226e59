// What understanding a page costs beside parsing it, on the real pages of ../shared/data.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>

#include "html/parse.hpp"
#include "pages/classify/classify.hpp"
#include "pages/infer/infer.hpp"

namespace heddle::pages {
namespace {

const std::vector<std::string>& real_pages() {
  static const std::vector<std::string> kPages = [] {
    std::vector<std::string> pages;
    const std::filesystem::path folder = std::filesystem::path(HEDDLE_SHARED_DATA) / "pages";
    if (!std::filesystem::exists(folder)) return pages;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      pages.push_back(text.str());
    }
    std::sort(pages.begin(), pages.end());
    return pages;
  }();
  return kPages;
}

const std::vector<html::Document>& documents() {
  static const std::vector<html::Document> kDocuments = [] {
    std::vector<html::Document> documents;
    for (const std::string& page : real_pages())
      if (auto document = html::parse(page)) documents.push_back(*std::move(document));
    return documents;
  }();
  return kDocuments;
}

template <class Work>
void run_on_all(benchmark::State& state, const Work& work) {
  if (documents().empty()) return state.SkipWithError("../shared/data/pages is missing");
  for (auto _ : state)
    for (const html::Document& document : documents()) work(document);
}

const Url& page_url() {
  static const Url kUrl = *Url::parse("https://site.example/a/page");
  return kUrl;
}

void parse_real_pages(benchmark::State& state) {
  html::Parser parser;
  for (auto _ : state)
    for (const std::string& page : real_pages()) benchmark::DoNotOptimize(parser.parse(page));
}

void outline_real_pages(benchmark::State& state) {
  run_on_all(state, [](const auto& document) { benchmark::DoNotOptimize(PageOutline(document)); });
}

void collect_structured_data(benchmark::State& state) {
  run_on_all(state, [](const auto& document) {
    benchmark::DoNotOptimize(StructuredData::collect(document));
  });
}

void classify_real_pages(benchmark::State& state) {
  std::vector<std::pair<PageOutline, StructuredData>> read;
  for (const html::Document& document : documents())
    read.emplace_back(PageOutline(document), StructuredData::collect(document));
  for (auto _ : state)
    for (const auto& [outline, data] : read)
      benchmark::DoNotOptimize(classify_page(outline, data, {page_url()}));
}

void infer_lists_of_real_pages(benchmark::State& state) {
  std::vector<PageOutline> outlines;
  for (const html::Document& document : documents()) outlines.emplace_back(document);
  for (auto _ : state)
    for (const PageOutline& outline : outlines)
      benchmark::DoNotOptimize(infer_lists(outline, page_url()));
}

BENCHMARK(parse_real_pages)->Unit(benchmark::kMillisecond);
BENCHMARK(outline_real_pages)->Unit(benchmark::kMillisecond);
BENCHMARK(collect_structured_data)->Unit(benchmark::kMillisecond);
BENCHMARK(classify_real_pages)->Unit(benchmark::kMillisecond);
BENCHMARK(infer_lists_of_real_pages)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::pages
