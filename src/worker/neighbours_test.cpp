// Jobs that share a worker: a greedy one must not starve the others.
#include <algorithm>
#include <ctime>
#include <fstream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"
#include "queue/local/store_queue.hpp"
#include "worker/page_runner.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEDDLE_SANITIZED 1
#else
#define HEDDLE_SANITIZED 0
#endif

namespace heddle::worker {
namespace {

using namespace std::chrono_literals;
using pipeline::PipelineForTest;

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

// Cycles of the plain job while `is_going_on` says so.
Async<int> count_cycles(PipelineForTest& world, pipeline::JobState& plain,
                        std::chrono::milliseconds time) {
  int count = 0;
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    pipeline::CycleOrder order;
    order.lease.task.url = world.site.url("/");
    order.mode = pipeline::CycleMode::dry_run;
    auto done = co_await pipeline::run_cycle(*world.services, plain, order);
    count += std::holds_alternative<pipeline::PageDone>(done.outcome) ? 1 : 0;
  }
  co_return count;
}

// Others on the machine take time away from us, and more of it from who computes for long. What
// is left to us tells the pace, too.
struct Pace {
  double per_second = 0;
  double per_computed_second = 0;
};

double computed_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Pace measure(PipelineForTest& world, pipeline::JobState& plain) {
  const auto start = std::chrono::steady_clock::now();
  const double computed_before = computed_seconds();
  const int count = world.drive(count_cycles(world, plain, 300ms));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {count / took.count(), count / (computed_seconds() - computed_before)};
}

Async<void> spin(PipelineForTest& world) {
  pipeline::CycleOrder order;
  order.lease.task.url = world.site.url("/");
  order.mode = pipeline::CycleMode::dry_run;
  co_await pipeline::run_cycle(*world.services, *world.state, order);
}

TEST(Neighbours, KeepAtLeastHalfOfTheirPaceWhileAScriptSpins) {
  PipelineForTest world;
  world.project.script.cpu_limit = 1s;
  ASSERT_TRUE(world.load("function after_extract(items) while true do end end"));
  Job other = world.job;
  other.id = {"plain"};
  other.scripts = {};
  auto plan = pipeline::JobPlan::compile(other);
  auto proxies = net::ProxyPicker::make(other.proxy, 1);
  ASSERT_TRUE(plan && proxies);
  pipeline::JobState plain(std::move(*plan), std::move(*proxies));

  // A busy machine may disturb either half of one measurement, hardly all of them.
  double best = 0;
  for (int attempt = 0; attempt < 20 && best < 0.5; ++attempt) {
    const Pace alone = measure(world, plain);
    boost::asio::co_spawn(world.loop, spin(world), boost::asio::detached);
    const Pace beside = measure(world, plain);
    best = std::max({best, beside.per_second / alone.per_second,
                     beside.per_computed_second / alone.per_computed_second});
    while (world.share.cycles > 0) world.loop.run_one();  // until its budget is used up
  }
  EXPECT_GE(best, 0.5);
}

TEST(WaitingCycles, AThousandFitIntoLittleMemory) {
  PipelineForTest world;
  constexpr int kCycles = 1000;
  world.job.workers = kCycles;
  world.job.stagger = 0ms;
  world.project.per_host = kCycles;
  ASSERT_TRUE(world.load(R"(
    waiting, most = 0, 0
    function override_fetch(request)
      waiting = waiting + 1
      most = math.max(most, waiting)
      local buffer = string.rep("x", 1000)
      for _ = 1, 1000 do
        if waiting >= 1000 or most >= 1000 then break end
        sleep(20)
      end
      local answer = http_get(request.url)
      waiting = waiting - 1
      return { status = 200, body = answer.body }
    end
    function on_finished() print("most " .. most) end
  )"));
  heddle::Run run;
  run.id = RunId{"run"};
  run.job = world.job.id;
  run.started_at = world.clock.now();
  const std::vector<std::string> urls(kCycles, world.site.url("/"));
  ASSERT_TRUE(world.drive(world.store->begin_run(run, urls)));
  queue::StoreQueue queue(*world.store, run.id, world.clock, kCycles);
  PageRunner runner(*world.services, *world.state, queue, {});
  const auto report = world.drive(runner.run());
  EXPECT_EQ(report.pages.done, kCycles);
  EXPECT_EQ(world.log.text(), "most 1000\n");
  if (HEDDLE_SANITIZED == 0) {
    EXPECT_LT(resident_bytes(), 150'000'000u);
  }
}

}  // namespace
}  // namespace heddle::worker
