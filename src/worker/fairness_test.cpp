// Jobs that share a worker: one that computes must not starve the others.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/process_memory.hpp"
#include "pipeline/pipeline_for_test.hpp"
#include "queue/local/store_queue.hpp"
#include "tests/support/thread_cpu_time.hpp"
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
using testing::thread_cpu_time;

// Replies in the next loop iteration, so that cycles on a canned response only compute on the
// loop's thread.
class InstantStore final : public store::PageStore {
 public:
  Async<Result<TaskBatch>> lease_tasks(RunId, std::size_t, WallTime) override {
    co_return not_needed();
  }
  Async<Result<CommitReceipt>> commit(PageResult) override { co_return not_needed(); }
  Async<Status> postpone(TaskRetry) override { co_return not_needed(); }
  Async<Status> dead_letter(TaskDeath) override { co_return not_needed(); }
  Async<Status> charge(RunId, PageCost) override { co_return not_needed(); }
  Async<Result<std::optional<PageMemory>>> recall_page(JobId, std::string) override {
    co_await next_iteration();
    co_return std::optional<PageMemory>();
  }
  Async<Result<std::optional<std::string>>> newest_body(JobId, std::string) override {
    co_return not_needed();
  }
  Async<Result<store::KnownAnswer>> find_known(store::KnownQuery query) override {
    co_await next_iteration();
    store::KnownAnswer answer;
    answer.keys.assign(query.keys.size(), false);
    co_return answer;
  }

 private:
  static Async<void> next_iteration() {
    const auto loop = co_await boost::asio::this_coro::executor;
    co_await boost::asio::post(loop, boost::asio::use_awaitable);
  }
  static Error not_needed() { return {ErrorCode::bug, "cycles of a dry run do not ask for this"}; }
};

// Two jobs on one loop: "shop", whose script spins, and "plain" without a script.
class JobsOnOneWorker : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.project.script.cpu_limit = 1s;
    world_.project.script.wall_limit = 10min;
    ASSERT_TRUE(world_.load("function after_extract(items) while true do end end"));
    Job job = world_.job;
    job.id = {"plain"};
    job.scripts = {};
    auto plan = pipeline::JobPlan::compile(job);
    auto proxies = net::ProxyPicker::make(job.proxy, 1);
    ASSERT_TRUE(plan && proxies);
    plain_ = std::make_unique<pipeline::JobSession>(std::move(*plan), std::move(*proxies));
    services_ = std::make_unique<pipeline::CycleServices>(pipeline::CycleServices{
        *world_.client, *world_.gate, *world_.robots, store_, world_.parser, world_.project,
        world_.clock, world_.log, world_.activity, world_.downloads});
    page_.status = 200;
    page_.url = world_.site.url("/");
    page_.body = PipelineForTest::kPage;
    spec_.lease.task.url = page_.url;
    spec_.mode = pipeline::CycleMode::dry_run;
    spec_.canned = &page_;
  }

  Async<void> spin() {
    auto end = co_await pipeline::run_cycle(*services_, *world_.session, spec_);
    EXPECT_TRUE(std::holds_alternative<pipeline::PageFailure>(end.outcome));
    is_spinning_ = false;
  }

  Async<int> process_pages_while_spinning() {
    int pages = 0;
    for (; is_spinning_; ++pages) {
      auto end = co_await pipeline::run_cycle(*services_, *plain_, spec_);
      EXPECT_TRUE(std::holds_alternative<pipeline::PageDone>(end.outcome));
    }
    co_return pages;
  }

  PipelineForTest world_;
  bool is_spinning_ = true;

 private:
  InstantStore store_;
  std::unique_ptr<pipeline::JobSession> plain_;
  std::unique_ptr<pipeline::CycleServices> services_;
  FetchResponse page_;
  pipeline::CycleSpec spec_;
};

// Measured in CPU time of the loop's thread, so that other processes and the speed of the machine
// do not matter.
TEST_F(JobsOnOneWorker, KeepAtLeastHalfOfTheCpuWhileAScriptSpins) {
  const auto start = thread_cpu_time();
  boost::asio::co_spawn(world_.loop, spin(), boost::asio::detached);
  EXPECT_GT(world_.drive(process_pages_while_spinning()), 0);
  const std::chrono::duration<double> all = thread_cpu_time() - start;
  const std::chrono::duration<double> spun = world_.session->cpu_used;
  EXPECT_GT(spun.count(), 0.5) << "it spins for a second, more or less";
  EXPECT_GE(1 - spun / all, 0.5);
}

TEST(WaitingCycles, UseLittleMemoryWhenThereAreAThousand) {
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
  PageRunner runner(*world.services, *world.session, queue, {});
  const auto report = world.drive(runner.run());
  EXPECT_EQ(report.pages.done, kCycles);
  EXPECT_EQ(world.log.text(), "most 1000\n");
  if (HEDDLE_SANITIZED == 0) {
    EXPECT_LT(resident_bytes(getpid()), 150'000'000);
  }
}

}  // namespace
}  // namespace heddle::worker
