// Measures the store on this machine's disk, with every acknowledged write synced.
#include <chrono>
#include <ctime>
#include <random>

#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

namespace {

using heddle::testing::run_async;
using heddle::testing::TemporaryFolder;

constexpr int kInFlight = 32;
constexpr int kItemsPerPage = 300;
const JobId kJob{"shop"};

std::unique_ptr<SqliteStore> open_store(const TemporaryFolder& folder) {
  auto store = SqliteStore::open(folder.path() / "heddle.db");
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

class PageMaker {
 public:
  PageResult make(const Lease& lease, int items) {
    PageResult page;
    page.lease = lease;
    page.job = kJob;
    page.final_url = lease.task.url;
    page.http_status = 200;
    page.fetched_at = WallTime(std::chrono::milliseconds(1'700'000'000'000));
    page.memory.item_count = items;
    page.items_seen = items;
    page.trace[Stage::fetch] = {StageStatus::success, std::chrono::microseconds(1234), ""};
    page.trace[Stage::extract] = {StageStatus::success, std::chrono::microseconds(999), ""};
    for (int i = 0; i < items; ++i) {
      const Hash128 key{random_(), random_()};
      page.keys.push_back(key);
      page.new_items.push_back({key, item(key)});
    }
    return page;
  }

 private:
  // A link's text and url, as long as on real pages.
  static Item item(const Hash128& key) {
    return {.fields = {{"text", "Some headline of ordinary length " + key.hex().substr(0, 6)},
                       {"link", "https://www.example.org/section/articles/" + key.hex()}},
            .matches = {},
            .values_json = {}};
  }

  std::mt19937_64 random_{7};
};

RunId begin(Store& store, const std::string& id, std::size_t pages) {
  Run run;
  run.id = {id};
  run.job = kJob;
  std::vector<std::string> urls;
  for (std::size_t i = 0; i < pages; ++i)
    urls.push_back("https://www.example.org/list?page=" + std::to_string(i));
  auto begun = run_async(store.begin_run(run, std::move(urls)));
  if (!begun) throw std::runtime_error(begun.error().message);
  return run.id;
}

std::vector<Lease> lease_all(Store& store, const RunId& run) {
  auto batch = run_async(store.lease_tasks(run, SIZE_MAX, WallTime{}));
  if (!batch) throw std::runtime_error(batch.error().message);
  return std::move(batch->leases);
}

// Commits the rest of the shared list, one page after the other.
Async<void> commit_pages(Store& store, std::vector<PageResult>& pages, std::size_t& next,
                         std::int64_t& stored) {
  while (next < pages.size()) {
    PageResult page = std::move(pages[next++]);
    auto receipt = co_await store.commit(std::move(page));
    if (!receipt) throw std::runtime_error(receipt.error().message);
    stored += receipt->new_items;
  }
}

std::int64_t commit_all(Store& store, std::vector<PageResult> pages) {
  boost::asio::io_context loop;
  std::size_t next = 0;
  std::int64_t stored = 0;
  for (int i = 0; i < kInFlight; ++i)
    boost::asio::co_spawn(loop, commit_pages(store, pages, next, stored), boost::asio::detached);
  loop.run();
  return stored;
}

// Wall time counts; CPU time of all threads is shown too, because it does not depend on other load.
template <class Work>
void measure(benchmark::State& state, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  work();
  state.counters["cpu_s"] = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
  const auto wall = std::chrono::steady_clock::now() - start;
  state.SetIterationTime(std::chrono::duration<double>(wall).count());
}

// 400,000 rows into an empty file; the pages are created before the measurement.
void store_new_items(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  std::int64_t stored = 0;
  for (auto _ : state) {
    const TemporaryFolder folder;
    auto store = open_store(folder);
    PageMaker maker;
    std::vector<PageResult> pages;
    for (const Lease& lease : lease_all(*store, begin(*store, "r1", rows / kItemsPerPage)))
      pages.push_back(maker.make(lease, kItemsPerPage));
    measure(state, [&] { stored += commit_all(*store, std::move(pages)); });
  }
  state.counters["items/s"] =
      benchmark::Counter(static_cast<double>(stored), benchmark::Counter::kIsRate);
}
BENCHMARK(store_new_items)
    ->Arg(400'000)
    ->Arg(1'600'000)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

// Lease one, finish one: two durable transitions per page.
Async<void> walk_tasks(Store& store, RunId run, PageMaker& maker, std::int64_t& transitions) {
  while (true) {
    auto batch = co_await store.lease_tasks(run, 1, WallTime{});
    if (!batch) throw std::runtime_error(batch.error().message);
    if (batch->leases.empty()) co_return;
    PageResult page = maker.make(batch->leases.front(), 0);
    page.outcome = TaskState::skipped;
    auto receipt = co_await store.commit(std::move(page));
    if (!receipt) throw std::runtime_error(receipt.error().message);
    transitions += 2;
  }
}

void move_tasks(benchmark::State& state) {
  std::int64_t transitions = 0;
  for (auto _ : state) {
    const TemporaryFolder folder;
    auto store = open_store(folder);
    PageMaker maker;
    const RunId run = begin(*store, "r1", 50'000);
    measure(state, [&] {
      boost::asio::io_context loop;
      for (int i = 0; i < state.range(0); ++i)
        boost::asio::co_spawn(loop, walk_tasks(*store, run, maker, transitions),
                              boost::asio::detached);
      loop.run();
    });
  }
  state.counters["transitions/s"] =
      benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kIsRate);
}
BENCHMARK(move_tasks)
    ->Arg(32)
    ->Arg(128)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

void touch_unchanged_pages(benchmark::State& state) {
  constexpr std::size_t kPages = 20'000;
  std::int64_t touched = 0;
  for (auto _ : state) {
    const TemporaryFolder folder;
    auto store = open_store(folder);
    PageMaker maker;
    std::vector<PageResult> pages;
    for (const Lease& lease : lease_all(*store, begin(*store, "r1", kPages)))
      pages.push_back(maker.make(lease, 3));
    commit_all(*store, std::move(pages));
    pages.clear();
    for (const Lease& lease : lease_all(*store, begin(*store, "r2", kPages))) {
      pages.push_back(maker.make(lease, 0));
      pages.back().unchanged = true;
    }
    measure(state, [&] { commit_all(*store, std::move(pages)); });
    touched += kPages;
  }
  state.counters["pages/s"] =
      benchmark::Counter(static_cast<double>(touched), benchmark::Counter::kIsRate);
}
BENCHMARK(touch_unchanged_pages)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

Async<void> ask(Store& store, const std::vector<KnownQuery>& queries, std::size_t& next) {
  while (next < queries.size()) {
    KnownQuery query = queries[next++];
    auto answer = co_await store.find_known(std::move(query));
    if (!answer) throw std::runtime_error(answer.error().message);
  }
}

// Queries of 300 keys each against 300,000 stored keys: all known, or all new.
void find_known_keys(benchmark::State& state) {
  const bool known = state.range(0) != 0;
  const TemporaryFolder folder;
  auto store = open_store(folder);
  PageMaker maker;
  std::vector<PageResult> pages;
  std::vector<KnownQuery> queries;
  for (const Lease& lease : lease_all(*store, begin(*store, "r1", 1000))) {
    pages.push_back(maker.make(lease, kItemsPerPage));
    queries.push_back(
        {kJob, known ? pages.back().keys : maker.make(lease, kItemsPerPage).keys, {}});
  }
  commit_all(*store, std::move(pages));
  for (auto _ : state) {
    boost::asio::io_context loop;
    std::size_t next = 0;
    for (int i = 0; i < kInFlight; ++i)
      boost::asio::co_spawn(loop, ask(*store, queries, next), boost::asio::detached);
    loop.run();
  }
  state.counters["pages/s"] = benchmark::Counter(static_cast<double>(state.iterations() * 1000),
                                                 benchmark::Counter::kIsRate);
}
BENCHMARK(find_known_keys)
    ->ArgName("known")
    ->Arg(1)
    ->Arg(0)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void begin_a_run_with_100000_urls(benchmark::State& state) {
  const TemporaryFolder folder;
  auto store = open_store(folder);
  int number = 0;
  for (auto _ : state) begin(*store, "r" + std::to_string(number++), 100'000);
}
BENCHMARK(begin_a_run_with_100000_urls)
    ->UseRealTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace heddle::store
