#include <benchmark/benchmark.h>

#include "model/notify/envelope.hpp"

namespace heddle {
namespace {

void write_a_webhook_body_of_fifty_items(benchmark::State& state) {
  Item item;
  item.fields = {{"title", "Acme Desk Lamp with adjustable arm, LED, warm white"},
                 {"link", "https://shop.example/products/acme-desk-lamp-12345"},
                 {"price", "1.234,56 €"}};
  Envelope envelope;
  envelope.job_name = "Shop";
  envelope.items.assign(50, &item);
  std::size_t bytes = 0;
  for (auto _ : state) bytes += webhook_body(envelope).size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

BENCHMARK(write_a_webhook_body_of_fifty_items);

}  // namespace
}  // namespace heddle
