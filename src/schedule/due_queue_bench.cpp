#include <cstdint>
#include <memory>

#include <benchmark/benchmark.h>

#include "schedule/catch_up.hpp"
#include "schedule/due_queue.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;

constexpr auto kInterval = std::chrono::milliseconds(10min);

std::uint64_t random_number(std::uint64_t& state) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return state >> 33;
}

WallTime random_time(std::uint64_t& state) {
  return WallTime(std::chrono::milliseconds(random_number(state)) % kInterval);
}

DueQueue filled(std::int64_t jobs, std::uint64_t& random) {
  DueQueue queue;
  for (JobNumber job = 0; job < jobs; ++job) queue.set(job, random_time(random));
  return queue;
}

void put_jobs_into_a_queue(benchmark::State& state) {
  std::uint64_t random = 1;
  for (auto _ : state) benchmark::DoNotOptimize(filled(state.range(0), random));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// The daemon's loop: pops the next due job and queues it again an interval later.
void pop_a_due_job_and_set_it_again(benchmark::State& state) {
  std::uint64_t random = 1;
  DueQueue queue = filled(state.range(0), random);
  for (auto _ : state) {
    const auto due = queue.pop_due(WallTime::max());
    queue.set(due->job, due->due + kInterval);
  }
  state.counters["bytes/job"] =
      static_cast<double>(queue.bytes_held()) / static_cast<double>(state.range(0));
}

void move_any_job(benchmark::State& state) {
  std::uint64_t random = 1;
  DueQueue queue = filled(state.range(0), random);
  for (auto _ : state) {
    const auto job = static_cast<JobNumber>(random_number(random) % std::uint64_t(state.range(0)));
    queue.set(job, random_time(random));
  }
}

void take_new_times_after_a_jump_of_the_clock(benchmark::State& state) {
  std::uint64_t random = 1;
  DueQueue queue = filled(state.range(0), random);
  const Schedule schedule{.when = Interval{kInterval},
                          .zone = std::make_shared<const TimeZone>(ZoneHistory{})};
  WallTime now(24h * 365 * 56);
  for (auto _ : state) {
    queue.rebase([&](const DueJob& job) { return next_tick(schedule, job.job, now)->due; });
    now += 1h;
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(put_jobs_into_a_queue)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(pop_a_due_job_and_set_it_again)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(move_any_job)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(take_new_times_after_a_jump_of_the_clock)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);

void find_the_next_cron_tick(benchmark::State& state, const char* expression) {
  const auto rule = parse_posix_rule("CET-1CEST,M3.5.0,M10.5.0/3");
  const TimeZone zone(ZoneHistory{.first_offset = {}, .changes = {}, .rule = *rule});
  const Schedule schedule{.when = *parse_cron(expression),
                          .zone = std::make_shared<const TimeZone>(zone)};
  WallTime after(24h * 365 * 56);
  for (auto _ : state) {
    benchmark::DoNotOptimize(next_tick(schedule, 0, after));
    after += 61s;
  }
}

BENCHMARK_CAPTURE(find_the_next_cron_tick, every_minute, "* * * * *");
BENCHMARK_CAPTURE(find_the_next_cron_tick, workdays, "30 8 * * Mon-Fri");
BENCHMARK_CAPTURE(find_the_next_cron_tick, leap_days, "0 0 29 2 *");

}  // namespace
}  // namespace heddle::schedule
