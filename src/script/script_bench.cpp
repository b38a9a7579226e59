// Measures the overhead of script calls.
#include <benchmark/benchmark.h>

#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

// Two fields, as most jobs have.
JobScript::Items page_of_items(std::size_t count) {
  JobScript::Items items(count);
  for (std::size_t i = 0; i < count; ++i) {
    items[i].fields = {{"title", "Second-hand bicycle, nearly new, number " + std::to_string(i)},
                       {"link", "https://shop.example/items/" + std::to_string(i)}};
  }
  return items;
}

void call_empty_hook(benchmark::State& state) {
  TestScript test;
  test.load("function on_success(ctx) end");
  for (auto _ : state) {
    const auto call = test.script->on_success(*test.context);
    benchmark::DoNotOptimize(call->resume());
    benchmark::DoNotOptimize(call->take());
  }
}

void call_before_fetch(benchmark::State& state) {
  TestScript test;
  test.load("function before_fetch(request, ctx) return request end");
  FetchRequest request;
  request.url = "https://shop.example/";
  request.headers = {{"Accept", "text/html"}, {"User-Agent", "Heddle"}};
  for (auto _ : state) {
    const auto call = test.script->before_fetch(*test.context, request);
    benchmark::DoNotOptimize(call->resume());
    benchmark::DoNotOptimize(call->take());
  }
}

void filter_page(benchmark::State& state, const char* hook) {
  TestScript test;
  test.load(hook);
  const auto items = page_of_items(140);
  for (auto _ : state) {
    const auto call = test.script->filter_items(*test.context, items);
    benchmark::DoNotOptimize(call->resume());
    benchmark::DoNotOptimize(call->take());
  }
  state.SetItemsProcessed(state.iterations() * 140);
}

void filter_page_returning_items(benchmark::State& state) {
  filter_page(state, "function filter_item(item, ctx) return item end");
}

void filter_page_returning_true(benchmark::State& state) {
  filter_page(state, "function filter_item(item, ctx) return true end");
}

void filter_page_by_pattern(benchmark::State& state) {
  filter_page(state,
              "function filter_item(item, ctx) if item.fields.title:find('bicycle', 1, true) then "
              "return item end end");
}

void hand_page_through_after_extract(benchmark::State& state) {
  TestScript test;
  test.load("function after_extract(items, ctx) return items end");
  const auto items = page_of_items(140);
  for (auto _ : state) {
    const auto call = test.script->items_hook(ScriptHook::after_extract, *test.context, items);
    benchmark::DoNotOptimize(call->resume());
    benchmark::DoNotOptimize(call->take());
  }
  state.SetItemsProcessed(state.iterations() * 140);
}

void wait_once(benchmark::State& state) {
  TestScript test;
  test.load("function on_success(ctx) sleep(1) end");
  for (auto _ : state) {
    const auto call = test.script->on_success(*test.context);
    benchmark::DoNotOptimize(call->resume());
    benchmark::DoNotOptimize(call->take_want());
    call->answer(Values{});
    benchmark::DoNotOptimize(call->resume());
  }
}

void begin_and_end_cycle(benchmark::State& state) {
  TestScript test;
  for (auto _ : state) benchmark::DoNotOptimize(test.script->begin_cycle(TestScript::facts()));
}

void make_vm(benchmark::State& state) {
  RecordingHost host;
  const JobScriptSettings settings;
  for (auto _ : state) benchmark::DoNotOptimize(JobScript::make(settings, host));
}

void compute(benchmark::State& state) {
  TestScript test;
  test.load("function work() local x = 0 for i = 1, 1000000 do x = x + i % 7 end end");
  for (auto _ : state) benchmark::DoNotOptimize(test.call("work"));
}

BENCHMARK(call_empty_hook);
BENCHMARK(call_before_fetch);
BENCHMARK(filter_page_returning_items);
BENCHMARK(filter_page_returning_true);
BENCHMARK(filter_page_by_pattern);
BENCHMARK(hand_page_through_after_extract);
BENCHMARK(wait_once);
BENCHMARK(begin_and_end_cycle);
BENCHMARK(make_vm);
BENCHMARK(compute);

}  // namespace
}  // namespace heddle::script
