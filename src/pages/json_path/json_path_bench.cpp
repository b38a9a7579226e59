// Measures parsing and queries on a made catalogue of about 1 MB; Boost.JSON's parser beside it.
#include <benchmark/benchmark.h>
#include <boost/json.hpp>

#include "pages/json_path/json_path.hpp"

namespace heddle::pages {
namespace {

const std::string& catalogue() {
  static const std::string kText = [] {
    std::string text = R"({"products": [)";
    for (int i = 0; i < 5000; ++i) {
      const std::string number = std::to_string(i);
      text += R"({"id": )" + number + R"(, "title": "Thing \"number\" )" + number +
              R"(", "price": )" + std::to_string(i % 97) + R"(.90, "tags": ["new", "sale"], )" +
              R"("image": {"url": "https://shop.example/images/)" + number +
              R"(.jpg", "width": 640, "height": 480}, "available": true},)";
    }
    text.back() = ']';
    return text + "}";
  }();
  return kText;
}

void parse_catalogue(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(JsonDocument::parse(catalogue()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(catalogue().size()));
}
BENCHMARK(parse_catalogue)->Unit(benchmark::kMillisecond);

void parse_catalogue_with_boost(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(boost::json::parse(catalogue()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(catalogue().size()));
}
BENCHMARK(parse_catalogue_with_boost)->Unit(benchmark::kMillisecond);

void query_catalogue(benchmark::State& state, const char* query) {
  const auto document = JsonDocument::parse(catalogue());
  const auto path = JsonPath::compile(query);
  std::size_t found = 0;
  for (auto _ : state) {
    const auto ids = evaluate(*path, *document);
    if (!ids)
      state.SkipWithError(ids.error().message.c_str());
    else
      found = ids->size();
  }
  state.counters["results"] = static_cast<double>(found);
}
BENCHMARK_CAPTURE(query_catalogue, names, "$.products[*].title")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(query_catalogue, descendants, "$..url")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(query_catalogue, filter, "$.products[?@.price < 10 && @.available == true]")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(query_catalogue, pattern, "$.products[?search(@.title, '7$')]")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace heddle::pages
