#include <array>

#include <benchmark/benchmark.h>

#include "model/web/url.hpp"

namespace heddle {
namespace {

void absolute_link_of_typical_references(benchmark::State& state) {
  const auto base = Url::parse("https://shop.example.org/catalogue/books/page-3.html?sort=price");
  constexpr std::array<std::string_view, 6> kReferences{
      "/catalogue/books/the-long-way-home_987/index.html",
      "../travel/index.html",
      "https://www.example.com/some/other/place?utm_source=feed&utm_medium=rss",
      "?page=4",
      "#top",
      "//cdn.example.net/assets/img/cover-12345.jpg"};
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(absolute_link(*base, kReferences[next]));
    next = (next + 1) % kReferences.size();
  }
}
BENCHMARK(absolute_link_of_typical_references);

}  // namespace
}  // namespace heddle
