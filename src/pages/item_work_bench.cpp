#include <benchmark/benchmark.h>

#include "pages/keyword_filter.hpp"
#include "pages/typed_value.hpp"

namespace heddle::pages {
namespace {

Item listing_item() {
  Item item;
  item.fields = {{"title", "Acme Desk Lamp with adjustable arm, LED, warm white"},
                 {"link", "https://shop.example/products/acme-desk-lamp-12345"},
                 {"price", "1.234,56 €"},
                 {"date", "12. März 2026"}};
  return item;
}

void filter_one_item_by_five_keywords(benchmark::State& state) {
  KeywordFilter filter({"chair", "table", "sofa", "Led", "oak"}, {});
  Item item = listing_item();
  for (auto _ : state) benchmark::DoNotOptimize(filter.keep(item));
}

void read_typed_values_of_one_item(benchmark::State& state) {
  Job job;
  job.fields.resize(2);
  job.fields[0].name = "price";
  job.fields[0].type = FieldType::money;
  job.fields[1].name = "date";
  job.fields[1].type = FieldType::date;
  const Item item = listing_item();
  for (auto _ : state) benchmark::DoNotOptimize(typed_values_json(job, item));
}

BENCHMARK(filter_one_item_by_five_keywords);
BENCHMARK(read_typed_values_of_one_item);

}  // namespace
}  // namespace heddle::pages
