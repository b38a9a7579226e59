// Fetches against a site in the same process: the site's thread takes a part of the wall time, so
// the client's own cost is reported separately, as CPU time of the fetching thread.
#include <ctime>

#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "net/client.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

constexpr int kAtOnce = 16;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Async<void> fetch_repeatedly(Client& client, std::string url, int& left) {
  while (left > 0) {
    --left;
    FetchRequest request;
    request.url = url;
    FetchOutcome outcome = co_await client.fetch(std::move(request));
    if (std::holds_alternative<FetchError>(outcome))
      throw std::runtime_error(std::get<FetchError>(outcome).message);
    benchmark::DoNotOptimize(outcome);
  }
}

void fetch_pages_16_at_a_time(benchmark::State& state) {
  testing::TestSite site;
  site.stop_remembering();
  site.answer("/", testing::html(std::string(static_cast<std::size_t>(state.range(0)), 'x')));
  boost::asio::io_context loop(1);
  ClientSettings settings;
  settings.network.allow = {"127.0.0.1"};
  const auto client = *Client::make(loop.get_executor(), std::move(settings));
  constexpr int kPerRound = 2000;
  double processor = 0;
  for (auto _ : state) {
    int left = kPerRound;
    const double start = thread_seconds();
    for (int i = 0; i < kAtOnce; ++i)
      boost::asio::co_spawn(loop, fetch_repeatedly(*client, site.url(), left),
                            boost::asio::detached);
    loop.restart();
    loop.run();
    processor += thread_seconds() - start;
  }
  const auto fetches = static_cast<double>(state.iterations() * kPerRound);
  state.counters["fetches/s"] = benchmark::Counter(fetches, benchmark::Counter::kIsRate);
  state.counters["client_us_per_fetch"] = processor / fetches * 1e6;
}
BENCHMARK(fetch_pages_16_at_a_time)
    ->Arg(1'000)
    ->Arg(200'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::net
